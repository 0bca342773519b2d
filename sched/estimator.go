package sched

import (
	"fmt"
	"math"

	"github.com/loadstone-hpc/loadstone/workload"
)

// Estimator says how long jobs will run, for policies that plan ahead. Any
// Predictor of package runtime is one.
//
// Predict is called when a job is submitted, and again when its estimate is
// corrected (Config.Correct). It returns the seconds, and false where it has
// nothing to say: then the user's estimate is taken, else DefaultEstimate. So it
// is for seconds that are negative or not a finite number, which are counted as
// "bad-prediction" in Config.Warnings.
// Observe is called when a job ends, with its simulated wait, in order of the
// ends; at one instant, in order of the starts.
type Estimator interface {
	// Predict returns the estimated run time, in seconds; false where there is none.
	Predict(*workload.Request) (workload.Prediction, bool)
	// Observe learns from a job that has ended.
	Observe(*workload.Job)
}

// Relater is an Estimator that knows whose estimates a finished job can
// change. Without it a correction asks anew for all that run and wait.
type Relater interface {
	Estimator
	// Related reports whether the end of a job can change the estimate of r.
	Related(ended *workload.Job, r *workload.Request) bool
}

// DefaultEstimate is the estimate, in seconds, of a job for which there is
// neither a prediction nor a user's estimate: a day.
const DefaultEstimate = 86400

// shortest is the least estimate, in seconds, but for Perfect: doubling has
// to get away from 0.
const shortest = 1

// UserEstimates takes the user's own estimate, Request.Time, where it is above 0.
type UserEstimates struct{}

var _ Estimator = UserEstimates{}

// Predict implements Estimator.
func (UserEstimates) Predict(r *workload.Request) (workload.Prediction, bool) {
	return workload.Prediction{Seconds: r.Time}, isEstimate(r.Time)
}

// Observe implements Estimator; there is nothing to learn.
func (UserEstimates) Observe(*workload.Job) {}

// Perfect takes the run time itself. It is the one estimator that is shown the
// answer: the simulator gives it to no other.
type Perfect struct{}

var _ Estimator = Perfect{}

// Predict implements Estimator: from a request alone it has nothing to say.
func (Perfect) Predict(*workload.Request) (workload.Prediction, bool) {
	return workload.Prediction{Seconds: math.NaN()}, false
}

// Observe implements Estimator; there is nothing to learn.
func (Perfect) Observe(*workload.Job) {}

func isEstimate(t float64) bool { return t > 0 && !math.IsInf(t, 1) }

// estimates are the estimator of a simulation and what it met.
type estimates struct {
	Estimator
	warnings *workload.Warnings
	some     bool // a job has had an estimate or a prediction
}

// ask returns the estimate of a job's run time; false where it is DefaultEstimate.
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

// first is ask for a job that is submitted: it counts who has none.
func (e *estimates) first(j *workload.Job) float64 {
	seconds, ok := e.ask(j)
	if ok {
		e.some = true
	} else {
		e.warnings.Add("no-estimate", "jobs without an estimate of their run time: a day is used", 0, j.Label())
	}
	return seconds
}

// prolonged is an estimate that has proved too short, doubled until it lies
// behind now.
func prolonged(start, estimate, now float64) float64 {
	estimate = max(estimate, shortest)
	for start+estimate <= now {
		estimate *= 2
	}
	return estimate
}
