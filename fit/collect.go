package fit

import (
	"fmt"
	"iter"
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
	Weeks   bool    // whether weeks are kept apart too, for site.DrawIntervals
}

// collector returns an empty collector of a class.
func (o CollectOptions) collector(clock workload.Clock) *Collector {
	if o.Weeks {
		return NewWeeklyCollector(clock)
	}
	return NewCollector(clock)
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

// Collect gathers the jobs of a log by class. Classes come in the order of
// their values, the jobs without a value last. Jobs may be somewhat out of
// order, as workload.InOrder allows; those without a submission time count for
// everything except arrivals. Irregularities are counted in warnings, which may
// be nil. There is at least one class: it is an error that wraps workload.ErrNoJobs if there
// are no jobs, or none of CollectOptions.Status. Collect stops at an error from jobs and
// returns it.
func Collect(jobs iter.Seq2[workload.Job, error], clock workload.Clock, o CollectOptions, warnings *workload.Warnings) ([]Class, error) {
	c, err := NewCollection(clock, o)
	if err != nil {
		return nil, err
	}
	if err := c.Read(jobs, warnings); err != nil {
		return nil, err
	}
	if len(c.classes) == 0 {
		return nil, fmt.Errorf("nothing to fit: %w", workload.ErrNoJobs)
	}
	return c.Classes(), nil
}

// collected is a class on the way.
type collected struct {
	key workload.ClassKey
	*Collector
	values map[int64]int64 // jobs of each value of a named class
}

// namedValue is the column of classes of the values of one identifier, nil of
// others.
func namedValue(by *workload.Classifier) *workload.Column {
	if columns := by.Columns(); len(columns) == 1 && columns[0].Groups != nil {
		return workload.FindColumn(columns[0].Column)
	}
	return nil
}

func (c *collected) class(by *workload.Classifier) Class {
	var columns []string
	for _, column := range by.Columns() {
		columns = append(columns, column.Column)
	}
	class := Class{Column: strings.Join(columns, ","), Value: c.key[0], Collector: c.Collector}
	switch {
	case namedValue(by) != nil && !by.Unknown(c.key):
		class.Value, class.Name = commonest(c.values), by.Label(c.key)
	case len(columns) > 0 && !OneIdentifier(by):
		class.Name = by.Label(c.key)
	}
	return class
}

// OneIdentifier reports whether by makes its classes from a single column that
// is one of model.Columns, so that each class can become a class of a model.
func OneIdentifier(by *workload.Classifier) bool {
	columns := by.Columns()
	return len(columns) == 1 && slices.Contains(model.Columns(), columns[0].Column)
}

// eachJob calls add with the jobs of the status codes, in the order of
// submission, those without a submission time as they come.
func eachJob(jobs iter.Seq2[workload.Job, error], status []int64, warnings *workload.Warnings, add func(*workload.Job)) error {
	timed := func(yield func(workload.Job, error) bool) {
		for j, err := range jobs {
			if err == nil {
				if len(status) > 0 && !slices.Contains(status, j.Status) {
					continue
				}
				if math.IsNaN(j.Submit) {
					add(&j)
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
		add(&j)
	}
	return nil
}

// classifierOf makes a class of each value of a column.
func classifierOf(column string) (*workload.Classifier, error) {
	if column == "" {
		return nil, nil
	}
	c, err := classColumn("by", column)
	if err != nil {
		return nil, err
	}
	return workload.NewClassifier([]workload.ClassColumn{{Column: c.Name}})
}

// classColumn returns the column that an option names, by its name or a word for it.
func classColumn(option, column string) (*workload.Column, error) {
	c := workload.FindColumn(column)
	if c == nil || !slices.Contains(model.Columns(), c.Name) {
		return nil, workload.OptionFault(option, strconv.Quote(column), "one of %s", strings.Join(model.Columns(), ", "))
	}
	return c, nil
}
