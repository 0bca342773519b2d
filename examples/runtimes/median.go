// Package runtimes shows how to add a predictor of run times: implement runtime.Rule.
package runtimes

import (
	"errors"
	"slices"

	"github.com/loadstone-hpc/loadstone/runtime"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Median predicts the upper median of the last run times of a class.
type Median struct {
	Of int `opt:"of" in:"[1,)" help:"run times of which the median is taken"`
}

// Name returns "median". With the tag of the field, the predictor can be named "median(of=3)".
func (Median) Name() string { return "median" }

// Check returns an error with the expected value if Of is not set.
func (m Median) Check() error {
	if m.Of < 1 {
		return errors.New("the number of run times, such as median(of=3)")
	}
	return nil
}

// New implements runtime.Rule.
func (m Median) New() runtime.Predictor { return &class{of: m.Of} }

// class holds the last run times of one class of jobs.
type class struct {
	of   int
	runs []float64 // at most of, in the order in which the jobs ended
}

// Predict implements runtime.Predictor.
func (c *class) Predict(*workload.Request) (workload.Prediction, bool) {
	if len(c.runs) == 0 {
		return workload.Prediction{}, false
	}
	sorted := slices.Sorted(slices.Values(c.runs))
	return workload.Prediction{Seconds: sorted[len(sorted)/2], Observations: len(sorted)}, true
}

// Observe implements runtime.Predictor.
func (c *class) Observe(j *workload.Job) {
	if len(c.runs) == c.of {
		c.runs = slices.Delete(c.runs, 0, 1)
	}
	c.runs = append(c.runs, j.Run)
}
