package fit

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/workload"
)

// collectAsked collects jobs with the given run times and requested times, in seconds.
func collectAsked(runs, requested []float64) *Collector {
	c := NewCollector(workload.Clock{})
	for i, run := range runs {
		j := workload.UnknownJob()
		j.Run, j.Time = run, requested[i]
		c.Add(&j)
	}
	return c
}

// By hand: the cells are a twentieth and its halves, upper ends included. Pooled parts equal the
// whole.
func TestEstimates(t *testing.T) {
	runs := []float64{0, 5, 6, 100, 101, 30, math.NaN(), 7, 7, 7, math.Inf(1), 95}
	requested := []float64{100, 100, 100, 100, 100, 60, 60, math.NaN(), 0, -1, 60, 100}
	want := &Estimates{
		LeftOut: 5, Overrun: 1,
		LogEstimates: model.LogEstimates{Bins: []model.LogEstimate{
			{Time: 60, Accuracy: [model.AccuracyCells]int64{19: 1}},
			{Time: 100, Accuracy: [model.AccuracyCells]int64{0: 1, 10: 1, 11: 1, 28: 1, 29: 2}},
		}},
	}
	for cut := range len(runs) + 1 {
		c := collectAsked(runs[:cut], requested[:cut])
		c.Pool(collectAsked(runs[cut:], requested[cut:]))
		if got, err := c.Estimates(); err != nil || !cmp.Equal(got, want) || got.Check() != nil {
			t.Errorf("cut at %d: %v, %v", cut, cmp.Diff(want, got), err)
		}
	}
	if got, err := collectAsked(runs[6:7], requested[6:7]).Estimates(); got != nil || err != nil {
		t.Errorf("estimates without jobs: %v, %v", got, err)
	}
}

// If a model cannot hold all distinct times, they are rounded to whole minutes, and if these are
// too many, to quarters of an hour.
func TestEstimatesAreRounded(t *testing.T) {
	for _, tt := range []struct{ step, roundTo float64 }{{1, 60}, {61, 900}} {
		times := make([]float64, model.MaxEstimateBins+1)
		for i := range times {
			times[i] = tt.step * float64(i+1)
		}
		got, err := collectAsked(times, times).Estimates()
		if err != nil || got.RoundTo != tt.roundTo || got.Jobs() != int64(len(times)) || got.Overrun != 0 {
			t.Errorf("by steps of %g s: %+v, %v, want multiples of %g s", tt.step, got, err, tt.roundTo)
		}
	}
}
