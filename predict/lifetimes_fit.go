package predict

import (
	"fmt"
	"iter"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/workload"
)

// FitOneLaw fits one uniform-log law to the run times of the jobs that AtHead
// simulates on a machine of that size (see Eligible), as Downey (1997) does:
// in hindsight, over the whole log. trim is fit.Options.Trim: 0 is the
// paper's 0.1.
func FitOneLaw(jobs iter.Seq2[workload.Job, error], processors int64, trim float64) (OneLaw, fit.Report, error) {
	var runs []float64
	for j, err := range jobs {
		if err != nil {
			return OneLaw{}, fit.Report{}, err
		}
		if Eligible(&j, processors) {
			runs = append(runs, j.Run)
		}
	}
	if len(runs) == 0 {
		return OneLaw{}, fit.Report{}, errNoLifetimes(processors)
	}
	r, err := fit.Fit("uniform-log", fit.RunTime, fit.NewSample(fit.RunTime, runs), fit.Options{Trim: trim})
	if err != nil {
		return OneLaw{}, fit.Report{}, err
	}
	law, ok := r.Law.(dist.UniformLog)
	if !ok {
		panic(fmt.Sprintf("predict: the fit of a uniform-log distribution is a %T", r.Law))
	}
	return OneLaw{law}, r, nil
}
