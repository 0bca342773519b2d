package cli

import (
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/study/allocate"
)

// manyJobs is how many jobs at a load above 1 are studied without a warning.
const manyJobs = 200_000

// warnOfTime says that predictions will take long. Above load 1 nearly every job
// finds too few processors, and has four or five predictions made: some tenths
// of a millisecond, whatever the load, ten times as long as at the paper's load.
func (r *allocateRun) warnOfTime() error {
	if r.o.input != "" || !slices.ContainsFunc(forecasting(allocate.Predicted, allocate.Unbiased), func(s string) bool { return slices.Contains(r.o.strategies, s) }) {
		return nil
	}
	jobs, load := 0.0, 0.0
	for _, value := range r.o.sweepOrOne() {
		w, _, err := r.o.setting(r.study, value)
		if err != nil {
			return err
		}
		if w.Load > 1 {
			jobs, load = jobs+w.MeanJobs()*float64(r.o.seeds), max(load, w.Load)
		}
	}
	if jobs > manyJobs {
		r.a.warn("--load %g: above load 1 nearly all jobs choose by predictions; for the %.3g jobs to be drawn they take long", load, jobs)
	}
	return nil
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
