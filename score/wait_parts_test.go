package score

import (
	"fmt"
	"math"
	"testing"

	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Ratios 2, 1/2 and 8 of the jobs that waited: median 2, geometric mean 2. A
// bound of 0 has a ratio of 0, and no logarithm.
func TestTightness(t *testing.T) {
	var a TightnessTally
	a.Add(20, 10)
	a.Add(5, 10)
	a.Add(7, 0)
	a.Add(80, 10)
	a.Add(math.NaN(), 10)
	if r := a.Result(); r.Median != 2 || math.Abs(r.Mean-2) > 1e-12 || r.Jobs != 3 {
		t.Errorf("%+v", r)
	}
	a.Add(0, 10) // 0, 1/2, 2, 8
	if r := a.Result(); r.Median != 1.25 || math.Abs(r.Mean-2) > 1e-12 {
		t.Errorf("with a bound of 0: %+v", r)
	}
	if r := new(TightnessTally).Result(); !math.IsNaN(r.Median) || !math.IsNaN(r.Mean) {
		t.Errorf("of nothing: %+v", r)
	}
}

func TestNeededByHand(t *testing.T) {
	var a NeededTally
	a.Add(1, 1)
	a.Add(2, 4)
	a.Add(3, 8)
	a.Add(10, 12)
	a.Add(4, 0)
	want := Needed{5, 1, Quartiles{4, 2, 3, 4}, Quartiles{5, 1, 4, 8}}
	if got := a.Result(); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}

func TestCalibration(t *testing.T) {
	c := NewCalibrationTally([]float64{0.5, 0.9, 0.99})
	for _, wait := range []float64{1, 2, 3, 4, math.NaN()} {
		c.Add(0, 2, wait)
		c.Add(1, 4, wait)
		c.Add(2, math.NaN(), wait)
	}
	got := fmt.Sprint(c.Result())
	if want := fmt.Sprint([]CalibrationPoint{{0.5, 4, 0.5}, {0.9, 4, 1}, {0.99, 0, stats.Number(math.NaN())}}); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	c = NewCalibrationTally([]float64{0.5, 0.9})
	for _, level := range []float64{0, 0.5, 0.7, 0.9, math.NaN()} {
		c.AddLevel(level)
	}
	got = fmt.Sprint(c.Result())
	if want := fmt.Sprint([]CalibrationPoint{{0.5, 4, 0.25}, {0.9, 4, 0.75}}); got != want {
		t.Errorf("of levels: %s, want %s", got, want)
	}
}

func TestBursts(t *testing.T) {
	var b Bursts
	for i, c := range []struct {
		user   int64
		submit float64
		in     bool
	}{
		{1, 0, false}, {2, 10, false}, {1, 300, true}, {1, 601, false}, {2, 310, true}, {1, 601, true},
		{workload.Unknown, 601, false}, {workload.Unknown, 601, false}, {1, math.NaN(), false}, {1, 700, true},
	} {
		if got := b.In(&workload.Request{User: c.user, Submit: c.submit}); got != c.in {
			t.Errorf("job %d: %v, want %v", i+1, got, c.in)
		}
	}
}
