package allocate

import (
	"math"

	"github.com/loadstone-hpc/loadstone/predict"
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
)

// seconds is what a study is expected to take of one core.
func (s *Study) seconds(jobs, load float64, processors int) float64 {
	predicted := costPredicted
	if s.Rules.Predictor != (predict.DowneyBenefactors{}).Name() {
		predicted = costOfOthers
	}
	predicted *= math.Sqrt(max(1, float64(processors)/128)) // more jobs run, and each is asked
	if load > 1 {
		predicted *= costOverload
	}
	each := 0.0
	for i := range s.Strategies {
		if s.Strategies[i].predicts() {
			each += predicted
		} else {
			each += costPlain
		}
	}
	return jobs * each
}

// Cost estimates the number of jobs of the workloads to be drawn, and the time
// of the study in core seconds. The options must be valid and have no Log.
func (o *Options) Cost() (jobs, seconds float64, err error) {
	for _, value := range o.values() {
		w, s, err := o.setting(o.study(), value)
		if err != nil {
			return 0, 0, err
		}
		n := w.MeanJobs() * float64(o.Seeds)
		jobs += n
		seconds += s.seconds(n, w.Load, s.Machine.Processors)
	}
	return jobs, seconds + o.searching(jobs), nil
}

// searching is what a search takes of one core, s.
func (o *Options) searching(jobs float64) float64 {
	if o.Search {
		return costSearched * jobs
	}
	return 0
}
