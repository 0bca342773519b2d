package fit

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loadstone-hpc/loadstone/model"
)

// By hand: cells of a twentieth and its halves, upper ends included.
func TestEstimateCounter(t *testing.T) {
	runs := []float64{0, 5, 6, 100, 101, 30, math.NaN(), 7, 7, 7, math.Inf(1), 95}
	asked := []float64{100, 100, 100, 100, 100, 60, 60, math.NaN(), 0, -1, 60, 100}
	want := model.LogEstimates{
		LeftOut: 5, Overrun: 1,
		Bins: []model.LogEstimate{
			{Time: 60, Jobs: 1, Accuracy: [model.AccuracyCells]int64{19: 1}},
			{Time: 100, Jobs: 6, Accuracy: [model.AccuracyCells]int64{0: 1, 10: 1, 11: 1, 28: 1, 29: 2}},
		},
	}
	count := func(roundTo float64, from, to int) *EstimateCounter {
		c, err := NewEstimateCounter(roundTo)
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Add(runs[from:to], asked[from:to]); err != nil {
			t.Fatal(err)
		}
		return c
	}
	got, err := count(0, 0, len(runs)).Result()
	if err != nil || !cmp.Equal(got, want) {
		t.Errorf("%v, %v", cmp.Diff(want, got), err)
	}
	if err := got.Validate(); err != nil {
		t.Error(err)
	}
	for cut := range runs {
		c := count(0, 0, cut)
		if err := c.merge(count(0, cut, len(runs))); err != nil {
			t.Fatal(err)
		}
		if parts, err := c.Result(); err != nil || !cmp.Equal(parts, want) {
			t.Errorf("cut at %d: %v, %v", cut, cmp.Diff(want, parts), err)
		}
	}
	rounded, err := count(60, 0, len(runs)).Result()
	if err != nil || len(rounded.Bins) != 2 || rounded.Bins[0].Time != 60 || rounded.Bins[1].Time != 120 || rounded.Bins[1].Jobs != 6 || rounded.Overrun != 0 {
		t.Errorf("rounded to minutes: %+v, %v", rounded, err)
	}
	if err := count(0, 0, 1).merge(count(60, 0, 1)); err == nil {
		t.Error("counts of different rounding merged")
	}
}

func TestEstimateCounterLimits(t *testing.T) {
	for _, r := range []float64{-1, math.NaN(), math.Inf(1), 86401} {
		if _, err := NewEstimateCounter(r); err == nil {
			t.Errorf("rounding to %g: no error", r)
		}
	}
	c, _ := NewEstimateCounter(0)
	if _, err := c.Result(); err == nil {
		t.Error("nothing counted: no error")
	}
	if err := c.Add([]float64{1}, nil); err == nil {
		t.Error("columns of different lengths: no error")
	}
	asked := make([]float64, model.MaxEstimateBins)
	for i := range asked {
		asked[i] = float64(i + 1)
	}
	if err := c.Add(asked, asked); err != nil {
		t.Error(err)
	}
	if err := c.Add([]float64{1}, []float64{1e6}); err == nil {
		t.Errorf("more bins than there may be: %v", err)
	}
}
