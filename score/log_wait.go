package score

import (
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/stats"
)

// LogWait contains the scores of predicted waits on a logarithmic scale, and of
// upper bounds. An undefined score is NaN.
type LogWait struct {
	Jobs      int `json:"jobs"`
	Predicted int `json:"predicted"` // jobs that had a prediction
	// SquaredError is the mean squared error of log10 of the wait.
	SquaredError stats.Number `json:"mean_square_error_log10"`
	// Within2 and Within3 are the shares of predictions, in %, within a factor
	// of 2 and of 3 of the wait.
	Within2 stats.Number `json:"within_2_pct"`
	Within3 stats.Number `json:"within_3_pct"`
	// Coverage is the share of the Bounded jobs whose wait does not exceed the
	// bound, in [0, 1].
	Bounded     int          `json:"bounded"`
	Coverage    stats.Number `json:"coverage"`
	BoundMedian stats.Number `json:"bound_median_s"`
	// BoundLoss is the mean quantile loss of log10 of the bound.
	BoundLoss stats.Number `json:"bound_loss_log10"`
}

// LogWaitTally accumulates predictions of waits. All values are log10 of
// seconds. Set Quantile before the first job.
type LogWaitTally struct {
	Quantile float64 // of the bounds, in (0, 1)

	jobs, predicted, within2, within3, covered int
	squares, loss                              float64
	bounds                                     []float64
}

// Add enters a job: its predicted wait and the bound of it, NaN for none, and its
// wait.
func (t *LogWaitTally) Add(predicted, bound, actual float64) {
	t.jobs++
	if finite(predicted) {
		t.predicted++
		off := math.Abs(predicted - actual)
		t.squares += off * off
		if off <= math.Log10(2) {
			t.within2++
		}
		if off <= math.Log10(3) {
			t.within3++
		}
	}
	if finite(bound) {
		t.bounds = append(t.bounds, bound)
		t.loss += stats.QuantileLoss(t.Quantile, bound, actual)
		if actual <= bound {
			t.covered++
		}
	}
}

// Score returns the scores of the jobs so far.
func (t *LogWaitTally) Score() LogWait {
	of := func(sum float64, n int) stats.Number { return stats.Number(sum / float64(n)) } // NaN of none
	bounds := slices.Sorted(slices.Values(t.bounds))
	s := LogWait{
		Jobs: t.jobs, Predicted: t.predicted, SquaredError: of(t.squares, t.predicted),
		Within2: of(100*float64(t.within2), t.predicted), Within3: of(100*float64(t.within3), t.predicted),
		Bounded: len(bounds), Coverage: of(float64(t.covered), len(bounds)), BoundLoss: of(t.loss, len(bounds)),
		BoundMedian: stats.Number(math.NaN()),
	}
	if len(bounds) > 0 {
		s.BoundMedian = stats.Number(math.Pow(10, stats.Quantile(bounds, 0.5)))
	}
	return s
}
