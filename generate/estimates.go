package generate

import (
	"fmt"
	"math"

	"github.com/loadstone-hpc/loadstone/model"
)

// Estimator assigns requested run times to jobs.
//
//	TsafrirModel.Draw --> Bins --NewConditional--> *Conditional   constant memory, any order
//	model.LogEstimates --NewLogLaw--> *LogLaw                     constant memory, any order
//	NewUniformEstimates --> *UniformEstimates
type Estimator interface {
	// Estimate sets requested[i], in seconds, for the job of number jobs[i]
	// and run time runs[i] in seconds. It is never below the run time, unless
	// the run time exceeds the largest estimate: then it is that estimate. A
	// run time that is NaN, negative or infinite is unknown, and its estimate
	// is NaN. The slices have the same length.
	//
	// The result depends only on the job's number and run time. Several
	// goroutines may use the estimator at once.
	Estimate(jobs []int64, runs, requested []float64) error
}

const (
	partEstimates    part = iota + 16 // one number a job
	partEstimateBins                  // ranks and pairs of the model's bins
)

// Bin is an estimate with the number of jobs that have it.
type Bin struct {
	Time float64 `json:"time_s"` // s, above 0, at most model.MaxEstimateTime
	Jobs int64   `json:"jobs"`   // at least 1
}

// Bins are a distribution of estimates: distinct times, ascending.
type Bins []Bin

// Validate returns a *workload.OptionError for the first bin that is out of
// range or out of order.
func (b Bins) Validate() error {
	if len(b) == 0 || len(b) > model.MaxEstimateBins {
		return estimateError("bins", fmt.Sprintf("1 to %d bins", model.MaxEstimateBins), "%d", len(b))
	}
	jobs := int64(0)
	for i, bin := range b {
		if err := bin.validate(i, model.MaxEstimateTime); err != nil {
			return err
		}
		if i > 0 && bin.Time <= b[i-1].Time {
			return estimateError("bins", "distinct times in ascending order", "%g s after %g s", bin.Time, b[i-1].Time)
		}
		if jobs += bin.Jobs; jobs > model.MaxEstimateJobs {
			return estimateError("bins", fmt.Sprintf("at most %g jobs", float64(model.MaxEstimateJobs)), "more jobs")
		}
	}
	return nil
}

func (bin Bin) validate(i int, most float64) error {
	switch {
	case !(bin.Time > 0 && bin.Time <= most):
		return estimateError(fmt.Sprintf("bins[%d].time", i), fmt.Sprintf("a number of seconds above 0, at most %.10g", most), "%g", bin.Time)
	case bin.Jobs < 1 || bin.Jobs > model.MaxEstimateJobs:
		return estimateError(fmt.Sprintf("bins[%d].jobs", i), fmt.Sprintf("a whole number from 1 to %g", float64(model.MaxEstimateJobs)), "%d", bin.Jobs)
	}
	return nil
}

// Jobs returns the number of jobs of all bins.
func (b Bins) Jobs() (n int64) {
	for _, bin := range b {
		n += bin.Jobs
	}
	return n
}

// Max returns the largest estimate in seconds, NaN if there is none.
func (b Bins) Max() float64 {
	if len(b) == 0 {
		return math.NaN()
	}
	return b[len(b)-1].Time
}

func (b Bins) times() []float64 {
	times := make([]float64, len(b))
	for i, bin := range b {
		times[i] = bin.Time
	}
	return times
}

func knownRun(r float64) bool { return r >= 0 && r <= math.MaxFloat64 }

// sameLength refuses columns of different lengths.
func sameLength(jobs []int64, runs, requested []float64) error {
	if len(jobs) != len(runs) || len(runs) != len(requested) {
		return estimateError("columns", "three of one length", "%d numbers, %d run times, %d places for estimates", len(jobs), len(runs), len(requested))
	}
	return nil
}

func estimateError(what, want, saw string, args ...any) error {
	return optionError("estimates: "+what, fmt.Sprintf(saw, args...), want)
}
