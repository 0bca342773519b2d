package fit

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/workload"
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
		if err := c.Merge(count(0, cut, len(runs))); err != nil {
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
	if err := count(0, 0, 1).Merge(count(60, 0, 1)); err == nil {
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

// A class counts its requested times with the finest rounding that leaves no
// more than there may be: here 3000 odd times, of 50 minutes, and then times
// that no rounding brings to 2048. Jobs without one are left out.
func TestEstimatesOfAClass(t *testing.T) {
	collect := func(n int, asked func(i int) float64) (*Collector, *Collector) {
		whole, parts := NewCollector(workload.Clock{}), NewCollector(workload.Clock{})
		part := NewCollector(workload.Clock{})
		for i := range n {
			j := workload.UnknownJob()
			j.Submit, j.Run, j.Time = float64(i), 30, asked(i)
			whole.Add(&j)
			if part.Add(&j); i%700 == 0 {
				parts.Merge(part)
				part = NewCollector(workload.Clock{})
			}
		}
		parts.Merge(part)
		return whole, parts
	}
	for name, tt := range map[string]struct {
		asked func(i int) float64
		want  *EstimatesReport
		why   string
	}{
		"odd":  {func(i int) float64 { return float64(i + 1) }, &EstimatesReport{Jobs: 3000, Distinct: 50, Largest: 3000, RoundTo: 60}, ""},
		"some": {func(i int) float64 { return []float64{math.NaN(), 0, 60}[i%3] }, &EstimatesReport{Jobs: 1000, LeftOut: 2000, Distinct: 1, Largest: 60}, ""},
		"none": {func(int) float64 { return math.NaN() }, nil, ""},
		"few": {func(i int) float64 {
			if i < 99 {
				return 60
			}
			return math.NaN()
		}, nil, "99 jobs have one, want at least 100"},
		"many": {func(i int) float64 { return 1 + 900*float64(i) }, nil, "more than 2048"},
	} {
		whole, parts := collect(3000, tt.asked)
		for _, c := range []*Collector{whole, parts} {
			e, got, err := fitEstimates(Class{Collector: c}, SiteOptions{MinJobs: 100})
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("%s: %s", name, diff)
			}
			if (err == nil) != (tt.why == "") || err != nil && !strings.Contains(err.Error(), tt.why) {
				t.Errorf("%s: error %v, want %q", name, err, tt.why)
			}
			if got != nil && (e.Kind != model.FromLog || e.Log.Validate() != nil || e.Log.Jobs()+e.Log.LeftOut != 3000) {
				t.Errorf("%s: %+v", name, e)
			}
		}
	}
}
