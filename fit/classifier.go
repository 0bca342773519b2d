package fit

import (
	"fmt"
	"strings"

	"github.com/loadstone-hpc/loadstone/workload"
)

// ClassKey tells the classes of one Classifier apart.
type ClassKey [mostClassColumns]int64

// Classifier sorts jobs into the cross product of some columns, job by job. It
// makes the classes of LifetimeCollector, for those who have to know a job's
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

// Label names a class that Key returned, as LifetimeClass.Label does.
func (c *Classifier) Label(k ClassKey) string {
	if len(c.columns) == 0 {
		return "all"
	}
	cells := make([]string, len(c.columns))
	for i, column := range c.columns {
		cells[i] = c.by[i].Column + " unknown"
		if k[i] != workload.Unknown {
			cells[i] = column.label(k[i])
		}
	}
	return strings.Join(cells, ", ")
}
