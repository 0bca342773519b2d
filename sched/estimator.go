package sched

import (
	"fmt"
	"math"

	"github.com/loadstone-hpc/loadstone/workload"
)

// Estimator predicts run times, for policies that plan ahead. Any Predictor of
// package runtime is an Estimator.
//
// Predict is called when a job is submitted, and again when its estimate is
// corrected (Config.Correct). If it returns false, the user's estimate is used or, if
// there is none, DefaultEstimate. The same applies to a prediction that is negative
// or not finite, which is counted as "bad-prediction" in Config.Warnings.
//
// Observe is called when a job ends, with its simulated wait. Calls are in order of
// the ends and, at one instant, in order of the starts.
type Estimator interface {
	// Predict returns the estimated run time in seconds, and false if there is none.
	Predict(*workload.Request) (workload.Prediction, bool)
	// Observe learns from a job that has ended.
	Observe(*workload.Job)
}

// Relater is an Estimator that knows which estimates a finished job can
// change. For other Estimators, a correction updates the estimates of all running
// and waiting jobs.
type Relater interface {
	Estimator
	// Related reports whether the end of a job can change the estimate of r.
	Related(ended *workload.Job, r *workload.Request) bool
}

// DefaultEstimate is the estimate, in seconds, of a job for which there is
// neither a prediction nor a user's estimate: a day.
const DefaultEstimate = 86400

// shortest is the least estimate, in seconds, except for those of Perfect. It must be
// above 0 for doubling to have an effect.
const shortest = 1

// UserEstimates is the Estimator that returns the user's estimate, Request.Time, if it is
// finite and above 0.
type UserEstimates struct{}

var _ Estimator = UserEstimates{}

// Predict implements Estimator.
func (UserEstimates) Predict(r *workload.Request) (workload.Prediction, bool) {
	return workload.Prediction{Seconds: r.Time}, isEstimate(r.Time)
}

// Observe implements Estimator. It does nothing.
func (UserEstimates) Observe(*workload.Job) {}

// Perfect is the Estimator whose estimates are the run times themselves. Only the
// simulator can provide them, and it does so for no other Estimator.
type Perfect struct{}

var _ Estimator = Perfect{}

// Predict implements Estimator. It returns false, because a request does not contain the
// run time.
func (Perfect) Predict(*workload.Request) (workload.Prediction, bool) {
	return workload.Prediction{Seconds: math.NaN()}, false
}

// Observe implements Estimator. It does nothing.
func (Perfect) Observe(*workload.Job) {}

func isEstimate(t float64) bool { return t > 0 && !math.IsInf(t, 1) }

// estimates is the Estimator of a simulation with its warnings.
type estimates struct {
	Estimator
	warnings *workload.Warnings
	some     bool // a job has had an estimate or a prediction
}

// ask returns the estimate of a job's run time, and false if it is DefaultEstimate.
func (e *estimates) ask(j *workload.Job) (float64, bool) {
	if _, ok := e.Estimator.(Perfect); ok {
		return j.Run, true
	}
	if p, ok := e.Predict(&j.Request); ok {
		if p.Seconds >= 0 && !math.IsInf(p.Seconds, 1) {
			return max(shortest, p.Seconds), true
		}
		e.warnings.Add("bad-prediction", "predictions ignored: they are negative or not a finite number", 0, fmt.Sprintf("%g s for %s", p.Seconds, j.Label()))
	}
	if isEstimate(j.Time) {
		return max(shortest, j.Time), true
	}
	return DefaultEstimate, false
}

// first is like ask, for a job that is being submitted. It counts jobs without an estimate.
func (e *estimates) first(j *workload.Job) float64 {
	seconds, ok := e.ask(j)
	if ok {
		e.some = true
	} else {
		e.warnings.Add("no-estimate", "jobs without an estimate of their run time: a day is used", 0, j.Label())
	}
	return seconds
}

// prolonged doubles an estimate until the expected end is after now.
func prolonged(start, estimate, now float64) float64 {
	estimate = max(estimate, shortest)
	for start+estimate <= now {
		estimate *= 2
	}
	return estimate
}
