package fit

import (
	"cmp"
	"fmt"
	"iter"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/workload"
)

// CollectOptions select the jobs that are collected and sort them into classes.
// The zero value collects all jobs in one class.
type CollectOptions struct {
	Classes *workload.Classifier // sorts jobs into classes; nil means one class
	Status  []int64              // the status codes to keep; empty keeps every job
	Weeks   bool                 // whether weeks are also kept separately, for the intervals of package site
}

// Class holds the jobs with one value of a column, all jobs, or those of a
// class of CollectOptions.Classes. The Value of a named class is its most
// frequent one.
type Class struct {
	Column string // "" for all jobs; several are joined by commas
	Value  int64  // workload.Unknown for the jobs without a value
	*Collector
	Name string // name in reports, instead of column and value; may be empty
}

// Label names the class in reports: "all", or "queue_id=1", or its Name.
func (c Class) Label() string {
	switch {
	case c.Name != "":
		return c.Name
	case c.Column == "":
		return "all"
	case c.Value == workload.Unknown:
		return c.Column + " unknown"
	}
	return fmt.Sprintf("%s=%d", c.Column, c.Value)
}

// SkippedClass is a class that is not fitted, or not in the model.
type SkippedClass struct {
	Label string `json:"label"`
	Jobs  int64  `json:"jobs"`
	Why   string `json:"why"`
}

// DefaultMinJobs is the default of the smallest number of jobs for which a
// class is fitted.
const DefaultMinJobs = 100

// Collect collects the jobs of a log by class, and returns the classes in the order of their
// values, the jobs without a value last. Jobs may be slightly out of order, as workload.InOrder
// allows; those without a submission time count for everything except arrivals. Irregularities
// are counted in warnings, which may be nil. It stops at an error from jobs and returns it. There
// is at least one class: it is an error that wraps workload.ErrNoJobs if there are no jobs, or
// none of CollectOptions.Status.
func Collect(jobs iter.Seq2[workload.Job, error], clock workload.Clock, o CollectOptions, warnings *workload.Warnings) ([]Class, error) {
	var columns []string
	var value *workload.Column // the identifier, if classes are named sets of its values
	for _, c := range o.Classes.Columns() {
		columns = append(columns, c.Column)
		if c.Groups != nil && len(o.Classes.Columns()) == 1 {
			value = workload.FindColumn(c.Column)
		}
	}
	type gathered struct {
		*Collector
		values map[int64]int64 // number of jobs by value
	}
	byKey := map[workload.ClassKey]gathered{}
	add := func(j *workload.Job) {
		key := o.Classes.Key(j)
		g, ok := byKey[key]
		if !ok {
			g = gathered{NewCollector(clock), map[int64]int64{}}
			if o.Weeks {
				g.weeks = map[int64]*counts{}
			}
			byKey[key] = g
		}
		g.Add(j)
		if value != nil {
			g.values[value.Int(j)]++
		}
	}
	timed := workload.Select(jobs, func(j *workload.Job) bool {
		switch {
		case len(o.Status) > 0 && !slices.Contains(o.Status, j.Status):
			return false
		case math.IsNaN(j.Submit):
			add(j)
			return false
		}
		return true
	})
	for j, err := range workload.InOrder(timed, warnings) {
		if err != nil {
			return nil, err
		}
		add(&j)
	}
	if len(byKey) == 0 {
		return nil, fmt.Errorf("nothing to fit: %w", workload.ErrNoJobs)
	}
	var classes []Class
	for _, key := range slices.SortedFunc(maps.Keys(byKey), workload.ClassKey.Compare) {
		g := byKey[key]
		class := Class{Column: strings.Join(columns, ","), Value: key[0], Collector: g.Collector}
		if value != nil && !o.Classes.Unknown(key) {
			class.Value, class.Name = commonest(g.values), o.Classes.Label(key)
		} else if len(columns) > 0 && !OneIdentifier(o.Classes) {
			class.Name = o.Classes.Label(key)
		}
		classes = append(classes, class)
	}
	return classes, nil
}

// commonest returns the value with the most jobs, the smallest if there are several.
func commonest(jobs map[int64]int64) int64 {
	best, first := int64(0), true
	for v, n := range jobs {
		if first || cmp.Or(cmp.Compare(n, jobs[best]), cmp.Compare(best, v)) > 0 {
			best, first = v, false
		}
	}
	return best
}

// OneIdentifier reports whether by divides jobs by a single column that is one of model.Columns,
// so that each class can become a class of a model.
func OneIdentifier(by *workload.Classifier) bool {
	columns := by.Columns()
	return len(columns) == 1 && slices.Contains(model.Columns(), columns[0].Column)
}
