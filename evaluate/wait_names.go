package evaluate

import (
	"slices"

	"github.com/loadstone-hpc/loadstone/evaluate/predictions"
	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/predict/standing"
)

// The kinds of waits that are predicted.
const (
	HeadWaits  = "simulated-fcfs-head" // at the head of a simulated queue
	QueueWaits = "simulated-fcfs"      // in a simulated queue
	LogWaits   = predictions.LogWaits  // the log's own
)

var queueNames = []string{"simulated", "simulated-corrected", "estimates"}

func headNames() []string {
	var names []string
	for _, p := range predict.Downey(predict.OneLaw{}) {
		names = append(names, p.Name())
	}
	return names
}

func boundNames() []string { return slices.Concat(predict.BoundNames(), predict.BoundVariants()) }

// boundNames returns the names of the bound methods that Predictors can name.
func (o *WaitsOptions) boundNames() []string {
	if o.Bounds == nil {
		return boundNames()
	}
	var names []string
	for _, b := range o.Bounds {
		names = append(names, b.Name)
	}
	return names
}

// standingNames returns the names of the predictors that look at the machine, in the order
// of results. It omits Downey's A exact, which predicts at the head of the queue.
func standingNames() []string {
	return []string{standing.Simulated, standing.Estimates, standing.Drawn, standing.BQueue}
}

// WaitPredictors returns the predictors of wait that are scored by default.
func WaitPredictors() []string { return slices.Concat(headNames(), queueNames, predict.BoundNames()) }

// AllWaitPredictors returns WaitPredictors, their variants, and ArrivalPredictors.
func AllWaitPredictors() []string {
	return slices.Concat(WaitPredictors(), predict.BoundVariants(), ArrivalPredictors())
}

// ArrivalPredictors returns the predictors that are scored only on a sample
// (WaitsOptions.Sample).
func ArrivalPredictors() []string { return []string{standing.Drawn, standing.BQueue} }

// SamplePredictors returns the default predictors for a sample.
func SamplePredictors() []string {
	return slices.Concat(predict.BoundNames(), predict.BoundVariants(), standingNames())
}

// Scored returns the names of the predictors that the options select, programs last.
func (o WaitsOptions) Scored() []string {
	o = o.filled()
	names := slices.Clone(o.Predictors)
	if o.Unbias {
		for _, name := range headNames() {
			if slices.Contains(names, name) {
				names = append(names, name+"-unbiased")
			}
		}
	}
	return append(names, programs(o.Programs).waitNames(o.Quantile)...)
}
