package score

import (
	"math"
	"testing"
)

// blocksByHand returns two blocks: accuracies 1/2 and 1 (held), and 1/4 (not held).
func blocksByHand() *blocks {
	return blocksOf(0)
}

// blocksOf returns these blocks with points, for a quantile of 0, or with bounds.
func blocksOf(quantile float64) *blocks {
	b := &blocks{Groups{Waits: true, Quantile: quantile}}
	b.add(7, 20, 10)
	b.add(7, 10, 10)
	b.add(-3, 10, 40)
	b.add(-3, math.NaN(), 40)
	b.add(9, 10, math.NaN())
	return b
}

// blocks are groups of the waits of one predictor.
type blocks struct{ Groups }

func (b *blocks) add(block int64, predicted, actual float64) {
	b.Add(block, said(predicted), actual, CommonJob{})
}

func TestWaitBlocksByHand(t *testing.T) {
	b := blocksByHand()
	// Two blocks are drawn as (7, 7), (-3, -3) or one of each, with probabilities 1/4, 1/4 and
	// 1/2: the ends of the 95 % interval are the two extremes.
	r := b.WaitIntervals(1000, 0.95, 1)
	if want := (Interval{1.75 / 3, 0.25, 0.75}); r.Accuracy != want {
		t.Errorf("accuracy %+v, want %+v", r.Accuracy, want)
	}
	bounds := blocksOf(0.9).WaitIntervals(1000, 0.95, 1)
	if want := (Interval{2. / 3, 0, 1}); bounds.Held != want {
		t.Errorf("held %+v, want %+v", bounds.Held, want)
	}
	if !math.IsNaN(r.Held.Low) || !math.IsNaN(bounds.CorrelationLog.Low) {
		t.Errorf("coverage of points %+v, correlation of bounds %+v, want NaN", r.Held, bounds.CorrelationLog)
	}
	// Within either block the actual waits do not vary, so every draw with a correlation has each
	// block once.
	if c := r.CorrelationLog; math.Abs(c.Mean+0.5) > 1e-12 || math.Abs(c.Low-c.Mean) > 1e-12 || math.Abs(c.High-c.Mean) > 1e-12 {
		t.Errorf("correlation %+v, want -1/2 to -1/2", c)
	}
	one := blocks{Groups{Waits: true}}
	one.add(1, 5, 10)
	if r := one.WaitIntervals(1000, 0.95, 1); r.Accuracy.Mean != 0.5 || !math.IsNaN(r.Accuracy.Low) || !math.IsNaN(r.Held.High) {
		t.Errorf("one block: %+v", r)
	}
	if r := new(Groups).WaitIntervals(1000, 0.95, 1); !math.IsNaN(r.Accuracy.Mean) {
		t.Errorf("none: %+v", r)
	}
}

func TestWaitScatterByHand(t *testing.T) {
	var whole WaitScatter
	for _, p := range [][2]float64{{1, 0}, {0.2, 5}, {100, 100}, {100, 1000}, {120, 300}, {130, 4}, {math.NaN(), 3}, {3, math.NaN()}, {1e300, 1}} {
		whole.Add(p[0], p[1])
	}
	r := whole.Result()
	if r.Jobs != 7 || r.ShortPredicted != 1 || r.ShortActual != 1 {
		t.Errorf("%+v", r)
	}
	// There are twelve cells per decade: 5 s is in the one from 10^(8/12) s, 120 s still in that
	// from 100 s (to 121), 130 s in the next.
	at := func(predicted, actual float64) int {
		for _, c := range r.Cells {
			if math.Abs(c.Predicted/predicted-1) < 1e-9 && math.Abs(c.Actual/actual-1) < 1e-9 {
				return c.Jobs
			}
		}
		return 0
	}
	for _, c := range []struct {
		predicted, actual float64
		jobs              int
	}{
		{1, 1, 1},
		{1, math.Pow(10, 8./12), 1},
		{100, 100, 1},
		{100, 1000, 1},
		{100, math.Pow(10, 29./12), 1},
		{math.Pow(10, 25./12), math.Pow(10, 7./12), 1},
		{mostWait, 1, 1},
	} {
		if got := at(c.predicted, c.actual); got != c.jobs {
			t.Errorf("%d jobs at %g, %g, want %d", got, c.predicted, c.actual, c.jobs)
		}
	}
	// There are six columns per decade: the one from 100 to 146.8 s has 100, 1000, 300 and 4 s.
	c := r.Columns[1]
	if c.From != 100 || math.Abs(c.To-146.77992676220697) > 1e-9 || c.Jobs != 4 || c.Mean != 351 || c.Median != 200 {
		t.Errorf("column %+v", c)
	}
	if len(r.Columns) != 3 || r.Columns[0].Median != 2.5 {
		t.Errorf("columns %+v", r.Columns)
	}
}

// Losses by hand, for the 0.9-quantile: a bound of 10 min loses 0.1 × 10 min for a wait of 0, and
// 0.9 × 10 min for one of 20 min. Predictions that are not bounds have no loss.
func TestWaitBlocksLoss(t *testing.T) {
	for quantile, want := range map[float64]float64{0.9: 5, 0: math.NaN()} {
		b := blocks{Groups{Waits: true, Quantile: quantile}}
		b.add(1, 600, 0)
		b.add(2, 600, 1200)
		b.add(2, math.NaN(), 1200)
		if got := b.Clusters(0).Whole().LossMean(); !(math.Abs(got-want) < 1e-12) && !(math.IsNaN(got) && math.IsNaN(want)) {
			t.Errorf("quantile %g: %g, want %g", quantile, got, want)
		}
	}
}
