package reshape

import (
	"slices"
	"strconv"

	"github.com/loadstone-hpc/loadstone/workload"
)

// waitingName is a name in a condition that the log may still come to. A name
// has its number before the first job that bears it.
type waitingName struct {
	field  *field
	column int
	text   string
	number int64 // workload.Unknown: not met so far
}

// nameColumns are the columns that a header keyword names the values of.
var nameColumns = map[string]int{
	"User": workload.ColUser, "Group": workload.ColGroup, "Application": workload.ColApplication,
	"Queue": workload.ColQueue, "Partition": workload.ColPartition,
}

// bindNames is bind for a field of names in a log that is still to tell them.
func (n comparison) bindNames(s *scale) (matcher, error) {
	known := comparison{field: n.field, op: "="}
	var waiting []*waitingName
	for _, v := range n.values {
		if _, err := strconv.ParseInt(v[0], 10, 64); err == nil || v[0] != v[1] || v[0] == unknownValue || n.op != "=" && n.op != "!=" {
			known.values = append(known.values, v)
		} else {
			waiting = append(waiting, &waitingName{n.field, nameColumns[n.field.key], v[0], workload.Unknown})
		}
	}
	if len(waiting) == 0 {
		return bindValues(n, s, n.field.ints, n.field.whole, isUnknownWhole)
	}
	s.waiting = append(s.waiting, waiting...)
	match, err := bindValues(known, s, n.field.ints, n.field.whole, isUnknownWhole)
	if err != nil {
		return nil, err
	}
	return func(j *workload.Job) bool {
		x := n.field.ints(j, s.clock)
		if x == workload.Unknown {
			return n.op == "=" && match(j)
		}
		in := match(j) || slices.ContainsFunc(waiting, func(w *waitingName) bool { return w.find(s.names) == x })
		return in == (n.op == "=")
	}, nil
}

// find returns the name's number, or workload.Unknown.
func (w *waitingName) find(names *workload.Names) int64 {
	if w.number == workload.Unknown {
		if n, ok := names.Find(w.column, w.text); ok {
			w.number = n
		}
	}
	return w.number
}

// unmet is the error for a name that the log turned out not to have.
func (s *scale) unmet() error {
	for _, w := range s.waiting {
		if w.find(s.names) == workload.Unknown {
			return w.field.noSuchName(w.text)
		}
	}
	return nil
}

func isUnknownWhole(x int64) bool { return x == workload.Unknown }
