package fit

import (
	"cmp"
	"fmt"
	"iter"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/workload"
)

// CollectOptions select the jobs that are collected and sort them into classes.
// The zero value collects all jobs in one class.
type CollectOptions struct {
	// By is the column that makes the classes: one of model.Columns, or a word for it, such
	// as user for user_id. "" is for one class; another column is a *workload.OptionError.
	By string
	// Classes sorts jobs in place of By, into classes of any columns.
	Classes *workload.Classifier
	Status  []int64 // the status codes to keep; empty keeps every job
	Weeks   bool    // whether weeks are kept apart too, for the intervals of package site
}

// Class holds the jobs with one value of a column, all jobs, or those of a
// class of CollectOptions.Classes. The Value of a named class is its most
// frequent one.
type Class struct {
	Column string // "" for all jobs; several are joined by commas
	Value  int64  // workload.Unknown for the jobs without one
	*Collector
	Name string // in reports, in place of column and value; may be empty
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

// Collect gathers the jobs of a log by class, as Collection does. There is at least one
// class: it is an error that wraps workload.ErrNoJobs if there are no jobs, or none of
// CollectOptions.Status.
func Collect(jobs iter.Seq2[workload.Job, error], clock workload.Clock, o CollectOptions, warnings *workload.Warnings) ([]Class, error) {
	c, err := NewCollection(clock, o)
	if err != nil {
		return nil, err
	}
	if err := c.Read(jobs, warnings); err != nil {
		return nil, err
	}
	classes := c.Classes()
	if len(classes) == 0 {
		return nil, fmt.Errorf("nothing to fit: %w", workload.ErrNoJobs)
	}
	return classes, nil
}

// Collection gathers the jobs of a log by class.
type Collection struct {
	clock   workload.Clock
	options CollectOptions
	by      *workload.Classifier
	value   *workload.Column // of named classes of the values of one identifier
	classes map[workload.ClassKey]*collected
	last    *collected // whose class the next job often is
}

// collected is a class on the way.
type collected struct {
	*Collector
	key    workload.ClassKey
	values map[int64]int64 // jobs by their value of Collection.value
}

// NewCollection returns an empty collection.
func NewCollection(clock workload.Clock, o CollectOptions) (*Collection, error) {
	c := &Collection{clock: clock, options: o, by: o.Classes, classes: map[workload.ClassKey]*collected{}}
	if c.by == nil && o.By != "" {
		column := workload.FindColumn(o.By)
		if column == nil || !slices.Contains(model.Columns(), column.Name) {
			return nil, workload.OptionFault("by", strconv.Quote(o.By), "one of %s", strings.Join(model.Columns(), ", "))
		}
		var err error
		if c.by, err = workload.NewClassifier([]workload.ClassColumn{{Column: column.Name}}); err != nil {
			return nil, err
		}
	}
	if columns := c.by.Columns(); len(columns) == 1 && columns[0].Groups != nil {
		c.value = workload.FindColumn(columns[0].Column)
	}
	return c, nil
}

// Read adds the jobs of a log. Jobs may be somewhat out of order, as workload.InOrder
// allows; those without a submission time count for everything except arrivals.
// Irregularities are counted in warnings, which may be nil. Read stops at an error from
// jobs and returns it.
func (c *Collection) Read(jobs iter.Seq2[workload.Job, error], warnings *workload.Warnings) error {
	timed := func(yield func(workload.Job, error) bool) {
		for j, err := range jobs {
			if err == nil {
				if len(c.options.Status) > 0 && !slices.Contains(c.options.Status, j.Status) {
					continue
				}
				if math.IsNaN(j.Submit) {
					c.add(&j)
					continue
				}
			}
			if !yield(j, err) {
				return
			}
		}
	}
	for j, err := range workload.InOrder(timed, warnings) {
		if err != nil {
			return err
		}
		c.add(&j)
	}
	return nil
}

func (c *Collection) add(j *workload.Job) {
	k := c.by.Key(j)
	if c.last == nil || c.last.key != k {
		if c.last = c.classes[k]; c.last == nil {
			c.last = &collected{NewCollector(c.clock), k, map[int64]int64{}}
			if c.options.Weeks {
				c.last.Collector = NewWeeklyCollector(c.clock)
			}
			c.classes[k] = c.last
		}
	}
	c.last.Add(j)
	if c.value != nil {
		c.last.values[c.value.Int(j)]++
	}
}

// Classes returns the classes in the order of their values, the jobs without a value
// last.
func (c *Collection) Classes() []Class {
	var list []Class
	for _, k := range slices.SortedFunc(maps.Keys(c.classes), workload.ClassKey.Compare) {
		list = append(list, c.class(c.classes[k]))
	}
	return list
}

func (c *Collection) class(of *collected) Class {
	var columns []string
	for _, column := range c.by.Columns() {
		columns = append(columns, column.Column)
	}
	class := Class{Column: strings.Join(columns, ","), Value: of.key[0], Collector: of.Collector}
	switch {
	case c.value != nil && !c.by.Unknown(of.key):
		class.Value, class.Name = commonest(of.values), c.by.Label(of.key)
	case len(columns) > 0 && !OneIdentifier(c.by):
		class.Name = c.by.Label(of.key)
	}
	return class
}

// commonest is the value with the most jobs, of several the smallest.
func commonest(jobs map[int64]int64) int64 {
	best, first := int64(0), true
	for v, n := range jobs {
		if first || cmp.Or(cmp.Compare(n, jobs[best]), cmp.Compare(best, v)) > 0 {
			best, first = v, false
		}
	}
	return best
}

// OneIdentifier reports whether by makes its classes from a single column that
// is one of model.Columns, so that each class can become a class of a model.
func OneIdentifier(by *workload.Classifier) bool {
	columns := by.Columns()
	return len(columns) == 1 && slices.Contains(model.Columns(), columns[0].Column)
}
