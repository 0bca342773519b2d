package score

import (
	"math"

	"github.com/loadstone-hpc/loadstone/stats"
)

// points accumulates what every kind of prediction is scored by.
type points struct {
	jobs                 int
	under, perfect, over int
	accuracy             stats.Moments
	miss                 stats.Moments // absolute error, s
}

// MeanAccuracy is the mean of the accuracies of predictions (stats.Accuracy).
type MeanAccuracy struct {
	AccuracyMean stats.Number `json:"accuracy_mean" show:"accuracy,%.4f" better:"high" in:"[0,1]" sums:"accuracy" help:"mean accuracy of predictions"`
}

// add enters a job and returns the absolute error of its prediction; false
// where it has none, or there is nothing to compare it with.
func (p *points) add(predicted, actual float64) (miss float64, ok bool) {
	if !finite(actual) {
		return 0, false
	}
	p.jobs++
	if !finite(predicted) {
		return 0, false
	}
	switch {
	case predicted < actual:
		p.under++
	case predicted > actual:
		p.over++
	default:
		p.perfect++
	}
	miss = math.Abs(predicted - actual)
	p.accuracy.Add(stats.Accuracy(predicted, actual))
	p.miss.Add(miss)
	return miss, true
}

func (p *points) predicted() int { return p.under + p.perfect + p.over }

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// ratio is NaN of nothing.
func ratio(part, whole int) float64 { return float64(part) / float64(whole) }
