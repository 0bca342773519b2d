package score

import (
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// RunTimeCommon finds the jobs that all of several predictors answered, and
// accumulates the accuracies over them. Coverage differs between predictors, and
// one that answers only easy jobs has a high mean; over the common jobs their means
// compare. A predictor that has answered no job so far does not count, so that one
// without any answer leaves the others comparable; its first answer voids the jobs
// before. The zero value is empty.
type RunTimeCommon struct {
	// Aside marks the predictors, by index, that Add ignores; nil for none. It
	// may change between calls.
	Aside []bool

	answered []bool // predictors that count and have answered
	jobs     int
	accuracy []float64 // sums, one a predictor
}

// CommonJob tells whether a job belongs to those that all predictors answered.
type CommonJob struct {
	All   bool // all predictors answered it
	Voids bool // a predictor answered for the first time: no earlier job is common
}

// Add enters one job: the prediction of each predictor, with Seconds NaN if it
// made none, and the actual run time in seconds. The number of predictions must
// be the same in each call.
func (c *RunTimeCommon) Add(predictions []workload.Prediction, actual float64) CommonJob {
	if !finite(actual) {
		return CommonJob{}
	}
	if c.answered == nil {
		c.answered, c.accuracy = make([]bool, len(predictions)), make([]float64, len(predictions))
	}
	job, some := CommonJob{All: true}, false
	for i, p := range predictions {
		switch {
		case c.Aside != nil && c.Aside[i]:
		case !finite(p.Seconds):
			job.All = job.All && !c.answered[i]
		default:
			job.Voids = job.Voids || !c.answered[i]
			c.answered[i], some = true, true
		}
	}
	job.All = job.All && some
	if job.Voids {
		c.jobs = 0
		clear(c.accuracy)
	}
	if job.All {
		c.jobs++
		for i, p := range predictions {
			if c.answered[i] {
				c.accuracy[i] += stats.Accuracy(p.Seconds, actual)
			}
		}
	}
	return job
}

// Jobs returns how many jobs all predictors answered.
func (c *RunTimeCommon) Jobs() int { return c.jobs }

// Answered reports whether a predictor has predicted any job and is not set
// aside.
func (c *RunTimeCommon) Answered(predictor int) bool {
	return c.answered != nil && c.answered[predictor]
}

// AccuracyMean returns a predictor's mean accuracy over the common jobs; NaN if
// there are none or the predictor does not count.
func (c *RunTimeCommon) AccuracyMean(predictor int) float64 {
	if !c.Answered(predictor) {
		return ratio(0, 0)
	}
	return c.accuracy[predictor] / float64(c.jobs)
}
