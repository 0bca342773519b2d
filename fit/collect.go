package fit

import (
	"fmt"
	"iter"
	"math"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/workload"
)

// CollectOptions say which jobs are collected and how they are told apart.
// The zero value is all jobs, in one class.
type CollectOptions struct {
	By     string  // column that tells the classes, one of model.Columns; "" for one class
	Status []int64 // the status codes to keep; empty keeps every job
	Weeks  bool    // whether weeks are kept apart too, for site.DrawIntervals
}

// collector returns an empty collector of a class.
func (o CollectOptions) collector(clock workload.Clock) *Collector {
	if o.Weeks {
		return NewWeeklyCollector(clock)
	}
	return NewCollector(clock)
}

// Class is the jobs with one value of a column, or all jobs.
type Class struct {
	Column string // "" for all jobs
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
	Label string
	Jobs  int64
	Why   string
}

// DefaultMinJobs is how many jobs a class needs to be fitted where nothing else
// is asked for.
const DefaultMinJobs = 100

// Collect gathers the jobs of a log by class. Classes come in the order of
// their values, the jobs without a value last. Jobs may be somewhat out of
// order, as workload.InOrder allows; those without a submission time count for
// all but arrivals. What was odd is added to warnings, which may be nil. An
// error of jobs ends it.
func Collect(jobs iter.Seq2[workload.Job, error], clock workload.Clock, o CollectOptions, warnings *workload.Warnings) ([]Class, error) {
	value, err := classOf(o.By)
	if err != nil {
		return nil, err
	}
	classes := map[int64]*Collector{}
	add := func(j *workload.Job) {
		v := value(j)
		c := classes[v]
		if c == nil {
			c = o.collector(clock)
			classes[v] = c
		}
		c.Add(j)
	}
	if err := eachJob(jobs, o.Status, warnings, add); err != nil {
		return nil, err
	}
	list := make([]Class, 0, len(classes))
	for v, c := range classes {
		list = append(list, Class{Column: o.By, Value: v, Collector: c})
	}
	slices.SortFunc(list, func(a, b Class) int {
		switch {
		case a.Value == workload.Unknown:
			return 1
		case b.Value == workload.Unknown || a.Value < b.Value:
			return -1
		}
		return 1
	})
	return list, nil
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

// classOf returns the function that tells a job's class.
func classOf(column string) (func(*workload.Job) int64, error) {
	if column == "" {
		return func(*workload.Job) int64 { return 0 }, nil
	}
	if slices.Contains(model.Columns(), column) {
		c := workload.FindColumn(column)
		return func(j *workload.Job) int64 { return *c.IntIn(j) }, nil
	}
	return nil, fmt.Errorf("fit: column to tell classes by is %q, want one of %s", column, strings.Join(model.Columns(), ", "))
}
