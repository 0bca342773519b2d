package standing

import (
	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/runtime"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// KernelLifetimes returns the lifetimes by the present state of a Kernel.
func KernelLifetimes(k *runtime.Kernel) predict.Lifetimes {
	return predict.OwnLaws(func(r *workload.Request) (predict.RunTimeDistribution, bool) {
		d, ok := k.Distribution(*r)
		return &d, ok
	})
}

// KernelPoints predicts run times by the present state of a Kernel. Neither
// Predict nor Observe changes the Kernel.
type KernelPoints struct{ *runtime.Kernel }

// Predict implements predict.RunTimePredictor.
func (k KernelPoints) Predict(r workload.Request) (workload.Prediction, bool) {
	d, ok := k.Distribution(r)
	if !ok {
		return workload.Prediction{}, false
	}
	return workload.Prediction{Seconds: d.Point(stats.ByAccuracy), Observations: d.Observations()}, true
}

// Observe implements predict.RunTimePredictor.
func (KernelPoints) Observe(workload.Job) {}
