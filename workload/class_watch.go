package workload

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// ErrNoClass is the cause of the error for classes of jobs by columns in which no job has a
// value.
var ErrNoClass = errors.New("there are no classes to sort jobs into")

// WatchClasses checks, while the log is read, that its jobs have the classes asked for. If
// no job has a value in any of the columns, reading ends with an error that wraps
// ErrNoClass, or with the warning "no-class" if lenient. If this is so for only some of the
// columns, it is always a warning. A named class without jobs gives the warning
// "empty-class". A log that is not read to its end is not checked.
func (l *Log) WatchClasses(c *Classifier, lenient bool) {
	if len(c.Columns()) == 0 {
		return
	}
	w := newClassWatch(c, lenient)
	batches := l.from.Batches
	l.from.Batches = func(yield func(*Batch, error) bool) {
		for b, err := range batches {
			if err == nil {
				w.see(b)
			}
			if !yield(b, err) || err != nil {
				return
			}
		}
		odd, err := w.end(l.Name)
		for _, warning := range odd {
			l.from.Warnings.Count(warning)
		}
		if err != nil {
			yield(nil, err)
		}
	}
}

// classWatch checks the classes of a log while it is read.
type classWatch struct {
	classes *Classifier
	lenient bool
	rows    int64
	known   []bool            // by column: some job has a value
	empty   []map[string]bool // named classes that no job is in so far, by column
}

// newClassWatch returns a watch that has seen no job.
func newClassWatch(c *Classifier, lenient bool) *classWatch {
	w := &classWatch{classes: c, lenient: lenient, known: make([]bool, len(c.by))}
	for i := range c.by {
		names := map[string]bool{}
		for _, name := range c.by[i].Groups {
			names[name] = true
		}
		w.empty = append(w.empty, names)
	}
	return w
}

// see adds the jobs of a batch.
func (w *classWatch) see(b *Batch) {
	w.rows += int64(b.Rows)
	if !slices.Contains(w.known, false) && !slices.ContainsFunc(w.empty, func(names map[string]bool) bool { return len(names) > 0 }) {
		return
	}
	for i := range b.Rows {
		k := w.classes.RowKey(b, i)
		for c, names := range w.empty {
			w.known[c] = w.known[c] || k[c] != Unknown
			if len(names) > 0 && k[c] != Unknown {
				delete(names, w.classes.cells[c].label(k[c]))
			}
		}
	}
}

// end returns the warnings, or the error, for the jobs seen. log is the name of the log.
func (w *classWatch) end(log string) ([]Warning, error) {
	if w.rows == 0 {
		return nil, nil
	}
	var lacking []string
	for i, c := range w.classes.by {
		if !w.known[i] {
			article := "a "
			if strings.HasPrefix(c.Column, "a") {
				article = "an "
			}
			lacking = append(lacking, article+c.Column)
		}
	}
	var odd Warnings
	none := "no job has " + strings.Join(lacking, " or ")
	switch n := len(lacking); {
	case n == 0:
	case n == len(w.known) && !w.lenient:
		return nil, fmt.Errorf("%s: %s: %w", log, none, ErrNoClass)
	case n == len(w.known):
		odd.Add("no-class", none+": all jobs are one class", 0, "")
		return odd.List(), nil
	default:
		odd.Add("no-class", none+": the classes are those of the other columns", 0, "")
	}
	for c, names := range w.empty {
		for _, name := range slices.Sorted(maps.Keys(names)) {
			odd.Add("empty-class", "named classes that no job is in, by "+w.classes.by[c].Column, 0, name)
		}
	}
	return odd.List(), nil
}
