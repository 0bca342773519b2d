package evaluate

import (
	"iter"

	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/runtime"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// KernelLaw is the name, among the laws of run times, of the distributions that
// a runtime.Kernel predicts for each job.
const KernelLaw = runtime.KernelName

// Laws returns the names of the laws of run times: the families of package fit
// and KernelLaw.
func Laws() []string { return append(fit.Families(), KernelLaw) }

// LearnKernel returns a Kernel that has learned from jobs, which must come in order of
// submission (workload.InOrder sorts them), else the error is workload.ErrOrder. Jobs
// without a submission or run time are ignored.
func LearnKernel(jobs iter.Seq2[workload.Job, error]) (*runtime.Kernel, error) {
	k := runtime.NewKernel(stats.ByAccuracy)
	for e, err := range workload.Timeline(jobs) {
		switch {
		case err != nil:
			return nil, err
		case e.Kind == workload.Submit:
			k.Predict(e.Job.Request) // it learns from its own predictions
		case e.Kind == workload.Finish && e.Job.Run >= 0:
			k.Observe(*e.Job)
		}
	}
	return k, nil
}

// KernelLifetimes returns the lifetimes by the present state of a Kernel.
func KernelLifetimes(k *runtime.Kernel) predict.Lifetimes {
	return predict.OwnLaws(func(r *workload.Request) (predict.RunTimeDistribution, bool) {
		d, ok := k.Distribution(*r)
		return &d, ok
	})
}

// KernelPoints predicts run times by the present state of a Kernel. Neither
// Predict nor Observe changes the Kernel.
type KernelPoints struct{ Kernel *runtime.Kernel }

var _ predict.RunTimePredictor = KernelPoints{}

// Predict implements predict.RunTimePredictor.
func (k KernelPoints) Predict(r workload.Request) (workload.Prediction, bool) {
	d, ok := k.Kernel.Distribution(r)
	if !ok {
		return workload.Prediction{}, false
	}
	return workload.Prediction{Seconds: d.Point(stats.ByAccuracy), Observations: d.Observations()}, true
}

// Observe implements predict.RunTimePredictor.
func (KernelPoints) Observe(workload.Job) {}
