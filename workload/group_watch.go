package workload

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/apache/arrow/go/v15/arrow"
)

// ErrNoClass says that jobs were to be sorted by what no job of the log has.
var ErrNoClass = errors.New("there are no classes to sort jobs into")

// WatchClasses has the log hold what is read of it against the classes that were
// asked for. Where no job is in a class, because none has a value in any of the
// columns, the end of the log is an error that wraps ErrNoClass; with lenient that
// is a warning, "no-class". So is a column in which no job has a value, beside others.
// A named class that no job is in is a warning of the log's,
// "empty-class". A log that is not read to its end is not judged.
func (l *Log) WatchClasses(c *Classifier, lenient bool) {
	if len(c.Columns()) == 0 {
		return
	}
	w := NewClassWatch(c, lenient)
	batches := l.from.Batches
	l.from.Batches = func(yield func(arrow.Record, error) bool) {
		for rec, err := range batches {
			if err == nil {
				w.See(NewView(rec))
			}
			if !yield(rec, err) || err != nil {
				return
			}
		}
		odd, err := w.End(l.Name)
		for _, warning := range odd {
			l.from.Warnings.Count(warning)
		}
		if err != nil {
			yield(nil, err)
		}
	}
}

// ClassWatch is what WatchClasses has seen; parts of a log, each with its own, merge.
type ClassWatch struct {
	classes *Classifier `state:"-"`
	lenient bool
	rows    int64
	known   []bool            // by column: some job has a value
	empty   []map[string]bool // named classes that no job is in so far, by column
}

// NewClassWatch returns one that has seen nothing. Without columns to sort jobs by
// there is nothing to judge.
func NewClassWatch(c *Classifier, lenient bool) *ClassWatch {
	w := &ClassWatch{classes: c, lenient: lenient, known: make([]bool, len(c.by))}
	for i := range c.by {
		names := map[string]bool{}
		for _, name := range c.by[i].Groups {
			names[name] = true
		}
		w.empty = append(w.empty, names)
	}
	return w
}

// Merge adds what another part of the log has.
func (w *ClassWatch) Merge(o *ClassWatch) {
	w.rows += o.rows
	for i, known := range o.known {
		w.known[i] = w.known[i] || known
		maps.DeleteFunc(w.empty[i], func(name string, _ bool) bool { return !o.empty[i][name] })
	}
}

// See looks at a batch.
func (w *ClassWatch) See(v *View) {
	w.rows += int64(v.Len())
	waiting := slices.Contains(w.known, false)
	for _, names := range w.empty {
		waiting = waiting || len(names) > 0
	}
	if !waiting {
		return
	}
	for i := range v.Len() {
		k := w.classes.RowKey(v, i)
		for c, names := range w.empty {
			w.known[c] = w.known[c] || k[c] != Unknown
			if len(names) > 0 && k[c] != Unknown {
				delete(names, w.classes.cells[c].label(k[c]))
			}
		}
	}
}

// End judges what was seen of the log of a name.
func (w *ClassWatch) End(log string) ([]Warning, error) {
	if w.rows == 0 {
		return nil, nil
	}
	columns := w.classes.Columns()
	var lacking []string
	for i, c := range columns {
		if !w.known[i] {
			lacking = append(lacking, c.Column)
		}
	}
	var odd Warnings
	none := "no job has a " + strings.Join(lacking, " or a ")
	switch {
	case len(lacking) == 0:
	case len(lacking) < len(columns):
		odd.Count(Warning{Rule: "no-class", Count: 1, Text: none + ": the classes are those of the other columns"})
	case w.lenient:
		odd.Count(Warning{Rule: "no-class", Count: 1, Text: none + ": all jobs are one class"})
		return odd.List(), nil
	default:
		return nil, fmt.Errorf("%s: %s: %w", log, none, ErrNoClass)
	}
	for c, names := range w.empty {
		var all []string
		for name := range names {
			all = append(all, name)
		}
		slices.Sort(all)
		for _, name := range all {
			odd.Add("empty-class", "named classes that no job is in, by "+columns[c].Column, 0, name)
		}
	}
	return odd.List(), nil
}
