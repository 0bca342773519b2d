package workload

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// MostClassColumns bounds the columns of one Classifier. Four keep a key within
// half a cache line.
const MostClassColumns = 4

// ClassKey is a class of one Classifier, the same for the jobs in it.
type ClassKey [MostClassColumns]int64

// Compare orders classes by their columns' values, unknown values last.
func (k ClassKey) Compare(other ClassKey) int {
	for i, v := range k {
		w := other[i]
		switch {
		case v == w:
		case v == Unknown:
			return 1
		case w == Unknown:
			return -1
		default:
			return cmp.Compare(v, w)
		}
	}
	return 0
}

// Classifier sorts jobs into the cross product of some columns, job by job. The
// zero value and nil have one class. It may be used by several goroutines.
type Classifier struct {
	by    []ClassColumn
	cells []classCells
}

// NewClassifier returns the classifier of at most MostClassColumns columns;
// without any, all jobs are one class. The error is of a column.
func NewClassifier(by []ClassColumn) (*Classifier, error) {
	if len(by) > MostClassColumns {
		return nil, fmt.Errorf("classes by %d columns, want at most %d", len(by), MostClassColumns)
	}
	c := &Classifier{by: by}
	for i, column := range by {
		cells, err := column.cells()
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(by[:i], func(b ClassColumn) bool { return b.Column == column.Column }) {
			return nil, fmt.Errorf("classes by %s twice, want each column once", column.Column)
		}
		c.cells = append(c.cells, cells)
	}
	return c, nil
}

// Columns returns the columns of the classifier. The slice is not to be
// altered.
func (c *Classifier) Columns() []ClassColumn {
	if c == nil {
		return nil
	}
	return c.by
}

// Same reports whether two classifiers make the same classes.
func (c *Classifier) Same(other *Classifier) bool {
	return slices.EqualFunc(c.Columns(), other.Columns(), ClassColumn.same)
}

// Key returns the class of a job. Unknown values count as a value of their own, Unknown.
func (c *Classifier) Key(j *Job) (k ClassKey) {
	if c != nil {
		for i := range c.cells {
			k[i] = c.cells[i].inJob(j)
		}
	}
	return k
}

// RequestKey returns the class of a request. Columns that are not known at
// submission are Unknown.
func (c *Classifier) RequestKey(r *Request) (k ClassKey) {
	if c != nil {
		for i := range c.cells {
			k[i] = c.cells[i].inRequest(r)
		}
	}
	return k
}

// RowKey returns the class of row i of a batch.
func (c *Classifier) RowKey(b *Batch, i int) (k ClassKey) {
	if c != nil {
		for n := range c.cells {
			k[n] = c.cells[n].inRow(b, i)
		}
	}
	return k
}

// Unknown reports whether k is the class of jobs without a value in any column.
func (c *Classifier) Unknown(k ClassKey) bool {
	n := len(c.Columns())
	return n > 0 && !slices.ContainsFunc(k[:n], func(v int64) bool { return v != Unknown })
}

// Value returns the value that the jobs of a class share, if exactly one column is known
// and each of its values is a class; else "".
func (c *Classifier) Value(k ClassKey) string {
	if columns := c.Columns(); len(columns) != 1 || k[0] == Unknown || columns[0].Groups != nil || c.cells[0].ofFloat != nil {
		return ""
	}
	if c.cells[0].Float() {
		return strconv.FormatFloat(math.Float64frombits(uint64(k[0])), 'f', -1, 64)
	}
	return strconv.FormatInt(k[0], 10)
}

// Label names a class that Key returned: "all", or such as "queue_id=1,
// size=5-8".
func (c *Classifier) Label(k ClassKey) string {
	if len(c.Columns()) == 0 {
		return "all"
	}
	return strings.Join(c.Cells(k), ", ")
}

// Cells returns the parts of a class's label, one for each column.
func (c *Classifier) Cells(k ClassKey) []string {
	var cells []string
	for i, column := range c.Columns() {
		cell := column.Column + " unknown"
		if k[i] != Unknown {
			cell = c.cells[i].label(k[i])
		}
		cells = append(cells, cell)
	}
	return cells
}

// InFileName returns the label of a class in a form that can be part of a file name.
func InFileName(label string) string {
	label = strings.NewReplacer(", ", "_", "<=", "-upto-", ">", "-over-").Replace(label)
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("._=+-", r) {
			return r
		}
		return '-'
	}, label)
}
