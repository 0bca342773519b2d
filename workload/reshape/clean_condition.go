package reshape

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/workload"
)

// Condition is the filter of an expression over a job's fields, such as
//
//	user=3 and proc=1 and app=1
//	user=5 and (hour>=3 and hour<=3)
//	keep status=1,5 and not size=64..128
//
// It removes the jobs that match, or with "keep" in front those that do not. A
// comparison with an unknown value is false, also one with "!="; "user=unknown" tests
// for it.
//
// Jobs on which the words "not" and "keep" turn a false comparison with an
// unknown value into a match are removed: "keep status=1" leaves none of
// unknown status.
type Condition struct {
	text string
	keep bool
	root node
	used []*field // in order of appearance
}

var _ Filter = (*Condition)(nil)

// node is a part of an expression. bind gives its values their meaning in a
// log.
type node interface {
	bind(s *scale) (matcher, error)
}

type matcher func(*workload.Job) bool

// String returns the condition as it was written.
func (c *Condition) String() string { return c.text }

// Apply implements Filter. A name or a date that has no meaning in the log is an
// error.
func (c *Condition) Apply(h workload.Header, jobs workload.JobSeq, o *Outcome) workload.JobSeq {
	return func(yield func(workload.Job, error) bool) {
		s := scaleOf(h)
		s.names = o.names
		match, err := c.root.bind(s)
		if err != nil {
			yield(workload.Job{}, fmt.Errorf("filter %q: %w", c.text, err))
			return
		}
		for j, err := range jobs {
			if err == nil && match(&j) != c.keep {
				o.Remove(&j, c.reason(&j, s.clock))
				continue
			}
			if !yield(j, err) || err != nil {
				return
			}
		}
		if err := s.unmet(); err != nil {
			yield(workload.Job{}, fmt.Errorf("filter %q: %w", c.text, err))
		}
	}
}

// reason is the job's values of the fields that the condition looks at.
func (c *Condition) reason(j *workload.Job, clock workload.Clock) string {
	var parts []string
	for _, f := range c.used {
		parts = append(parts, f.names[0]+"="+f.text(j, clock))
	}
	return strings.Join(parts, " ")
}

// text is the job's value as a condition would name it.
func (f *field) text(j *workload.Job, clock workload.Clock) string {
	if f.ints == nil {
		x := f.floats(j, clock)
		if math.IsNaN(x) {
			return unknownValue
		}
		return strconv.FormatFloat(x, 'f', -1, 64)
	}
	switch n := f.ints(j, clock); {
	case n == workload.Unknown:
		return unknownValue
	case f.kind == weekdayField:
		return weekdays[n]
	default:
		return strconv.FormatInt(n, 10)
	}
}

// unknownValue is how a condition asks for what is unknown.
const unknownValue = "unknown"

// both is "a and b", either "a or b", and negation "not a".
type (
	both     struct{ a, b node }
	either   struct{ a, b node }
	negation struct{ a node }
)

func (n both) bind(s *scale) (matcher, error) {
	a, b, err := bindTwo(n.a, n.b, s)
	return func(j *workload.Job) bool { return a(j) && b(j) }, err
}

func (n either) bind(s *scale) (matcher, error) {
	a, b, err := bindTwo(n.a, n.b, s)
	return func(j *workload.Job) bool { return a(j) || b(j) }, err
}

func (n negation) bind(s *scale) (matcher, error) {
	a, err := n.a.bind(s)
	return func(j *workload.Job) bool { return !a(j) }, err
}

func bindTwo(x, y node, s *scale) (a, b matcher, err error) {
	if a, err = x.bind(s); err != nil {
		return nil, nil, err
	}
	b, err = y.bind(s)
	return a, b, err
}

// comparison is "field op value". For = and != there may be several values,
// and ranges lo..hi.
type comparison struct {
	field  *field
	op     string
	values [][2]string // lo and hi, the same where it is one value
}

func (n comparison) bind(s *scale) (matcher, error) {
	if n.field.kind == nameField && s.names != nil {
		return n.bindNames(s)
	}
	if n.field.ints != nil {
		return bindValues(n, s, n.field.ints, n.field.whole, isUnknownWhole)
	}
	return bindValues(n, s, n.field.floats, n.field.float, func(x float64) bool { return math.IsNaN(x) })
}

func bindValues[T int64 | float64](n comparison, s *scale, get func(*workload.Job, workload.Clock) T,
	parse func(string, *scale) (T, error), isUnknown func(T) bool) (matcher, error) {
	var spans [][2]T
	wantUnknown := false
	for _, v := range n.values {
		if v[0] == unknownValue {
			wantUnknown = true
			continue
		}
		lo, err := parse(v[0], s)
		if err != nil {
			return nil, err
		}
		hi, err := parse(v[1], s)
		if err != nil {
			return nil, err
		}
		if lo > hi {
			return nil, fmt.Errorf("%s: %s..%s: the first is above the second", n.field.names[0], v[0], v[1])
		}
		spans = append(spans, [2]T{lo, hi})
	}
	in := func(x T) bool {
		return slices.ContainsFunc(spans, func(v [2]T) bool { return v[0] <= x && x <= v[1] })
	}
	test := map[string]func(T) bool{
		"=":  in,
		"!=": func(x T) bool { return !in(x) },
		"<":  func(x T) bool { return x < spans[0][0] },
		"<=": func(x T) bool { return x <= spans[0][0] },
		">":  func(x T) bool { return x > spans[0][0] },
		">=": func(x T) bool { return x >= spans[0][0] },
	}[n.op]
	clock := s.clock
	return func(j *workload.Job) bool {
		x := get(j, clock)
		if isUnknown(x) {
			return wantUnknown && n.op == "="
		}
		return test(x)
	}, nil
}
