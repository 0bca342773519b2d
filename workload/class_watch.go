package workload

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
)

// ErrNoClass is the cause of the error for classes of jobs by columns in which no job has a
// value.
var ErrNoClass = errors.New("there are no classes to sort jobs into")

// WatchClasses checks, while the log is read, that its jobs have the classes asked for. If no
// job has a value in any of the columns, reading ends with an error that wraps ErrNoClass, or
// with the warning "no-class" if lenient. If only some columns have no values, there is always a
// warning. A log that is not read to its end is not checked.
func (l *Log) WatchClasses(c *Classifier, lenient bool) {
	columns := c.Columns()
	if len(columns) == 0 {
		return
	}
	batches := l.from.Batches
	l.from.Batches = func(yield func(*Batch, error) bool) {
		lacking, rows := slices.Clone(columns), 0 // columns without a value so far
		for b, err := range batches {
			if err == nil {
				rows += b.Rows
				lacking = slices.DeleteFunc(lacking, func(by ClassColumn) bool { return known(b, FindColumn(by.Column)) })
			}
			if !yield(b, err) || err != nil {
				return
			}
		}
		if rows == 0 || len(lacking) == 0 {
			return
		}
		var names []string
		for _, by := range lacking {
			article := "a "
			if strings.HasPrefix(by.Column, "a") {
				article = "an "
			}
			names = append(names, article+by.Column)
		}
		none := "no job has " + strings.Join(names, " or ")
		switch {
		case len(lacking) < len(columns):
			l.from.Warnings.Add("no-class", none+": the classes are those of the other columns", 0, "")
		case lenient:
			l.from.Warnings.Add("no-class", none+": all jobs are one class", 0, "")
		default:
			yield(nil, fmt.Errorf("%s: %s: %w", l.Name, none, ErrNoClass))
		}
	}
}

// known reports whether some job of a batch has a finite value in a column or in an attribute
// that derives from columns.
func known(b *Batch, c *Column) bool {
	for i := range b.Rows {
		if n, x := b.value(c, i); n != Unknown || x == x && !math.IsInf(x, 0) {
			return true
		}
	}
	return false
}
