package cli

import (
	"fmt"
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/study/allocate"
)

// What a job takes of one core, both sides of a strategy, to an order of
// magnitude, as measured on 128 processors below load 1.
const (
	costPlain     = 2e-6 // s, without predictions
	costPredicted = 20e-6
	costOfOthers  = 2e-3   // by a predictor other than outlook's fast form of the paper's
	costSearched  = 165e-6 // of a search, once
	// Above load 1 nearly every job finds too few processors and chooses.
	costOverload = 10
	// longStudy is the time, in seconds, from which on one is warned of it.
	longStudy = 600
)

// seconds is what a study is expected to take of one core.
func (r *allocateRun) seconds(jobs, load float64, processors int) float64 {
	predicted := costPredicted
	if r.study.Rules.Predictor != (predict.DowneyBenefactors{}).Name() {
		predicted = costOfOthers
	}
	predicted *= math.Sqrt(max(1, float64(processors)/128)) // more jobs run, and each is asked
	if load > 1 {
		predicted *= costOverload
	}
	each := 0.0
	predicting := forecasting(allocate.Predicted, allocate.Unbiased)
	for _, s := range r.study.Strategies {
		if slices.Contains(predicting, s.Name) {
			each += predicted
		} else {
			each += costPlain
		}
	}
	if r.o.search {
		each += costSearched
	}
	return jobs * each
}

// warnOfTime says that the workloads to be drawn will take long.
func (r *allocateRun) warnOfTime() error {
	if r.o.input != "" {
		return nil // ofLog counts its jobs first
	}
	var jobs, seconds float64
	for _, value := range r.o.sweepOrOne() {
		w, study, err := r.o.setting(r.study, value)
		if err != nil {
			return err
		}
		n := w.MeanJobs() * float64(r.o.seeds)
		jobs += n
		seconds += r.seconds(n, w.Load, study.Machine.Processors)
	}
	r.warnIfLong(jobs, seconds, "fewer --days, --seeds or --strategies take less")
	return nil
}

func (r *allocateRun) warnIfLong(jobs, seconds float64, advice string) {
	if seconds < longStudy {
		return
	}
	r.a.forewarn("%.3g jobs are to be studied: some %s of one core; %s", jobs, longTime(seconds), advice)
}

// longTime is an estimate of a time from minutes on, for people.
func longTime(seconds float64) string {
	switch {
	case seconds < 2*3600:
		return fmt.Sprintf("%.0f minutes", seconds/60)
	case seconds < 10*3600:
		return fmt.Sprintf("%.1f hours", seconds/3600)
	}
	return fmt.Sprintf("%.0f hours", seconds/3600)
}

// sweepOrOne are the sweep's values, NaN alone without one.
func (o *allocateOptions) sweepOrOne() []float64 {
	if len(o.values) == 0 {
		return []float64{math.NaN()}
	}
	return o.values
}

// setting is what is studied at a value of the sweep.
func (o *allocateOptions) setting(s allocate.Study, value float64) (allocate.Workload, allocate.Study, error) {
	if math.IsNaN(value) {
		return o.workload, s, nil
	}
	return allocate.Vary(o.workload, s, o.parameter, value)
}
