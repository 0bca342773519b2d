package fit

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/loadstone-hpc/loadstone/workload"
)

// mostClassColumns bounds the columns of one Classifier.
const mostClassColumns = 4

// ClassKey tells the classes of one Classifier apart.
type ClassKey [mostClassColumns]int64

// Compare orders classes by their columns' values, unknown values last.
func (k ClassKey) Compare(other ClassKey) int {
	for i, v := range k {
		w := other[i]
		switch {
		case v == w:
		case v == workload.Unknown:
			return 1
		case w == workload.Unknown:
			return -1
		default:
			return cmp.Compare(v, w)
		}
	}
	return 0
}

// Classifier sorts jobs into the cross product of some columns, job by job. It
// makes the classes of lifetimes.Collector, for those who have to know a job's
// class when it is submitted. It may be used by several goroutines.
type Classifier struct {
	by      []ClassColumn
	columns []classCells
}

// NewClassifier returns the classifier of at most 4 columns; without any, all
// jobs are one class. The error is of a column.
func NewClassifier(by []ClassColumn) (*Classifier, error) {
	if len(by) > mostClassColumns {
		return nil, fmt.Errorf("fit: classes by %d columns, want at most %d", len(by), mostClassColumns)
	}
	c := &Classifier{by: by}
	for _, column := range by {
		cells, err := column.cells()
		if err != nil {
			return nil, err
		}
		c.columns = append(c.columns, cells)
	}
	return c, nil
}

// Key returns the class of a job. What the log does not say is a value like
// another.
func (c *Classifier) Key(j *workload.Job) ClassKey {
	var k ClassKey
	for i, column := range c.columns {
		k[i] = column.of(j)
	}
	return k
}

// Label names a class that Key returned: "all", or such as "queue_id=1,
// size=5-8".
func (c *Classifier) Label(k ClassKey) string {
	if len(c.columns) == 0 {
		return "all"
	}
	return strings.Join(c.Cells(k), ", ")
}

// Cells are the parts of a class's label, one for each column.
func (c *Classifier) Cells(k ClassKey) []string {
	var cells []string
	for i, column := range c.columns {
		cell := c.by[i].Column + " unknown"
		if k[i] != workload.Unknown {
			cell = column.label(k[i])
		}
		cells = append(cells, cell)
	}
	return cells
}
