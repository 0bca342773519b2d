package score

import (
	"math"
	"testing"
)

// The ratios for the jobs that waited are 2, 1/2 and 8: median 2, geometric mean 2. A bound of 0
// has a ratio of 0, and no logarithm.
func TestTightness(t *testing.T) {
	a := WaitTally{Quantile: 0.95}
	a.Add(20, 10)
	a.Add(5, 10)
	a.Add(7, 0)
	a.Add(80, 10)
	a.Add(math.NaN(), 10)
	if r := a.Result(); r.TightnessMedian != 2 || math.Abs(float64(r.TightnessMean)-2) > 1e-12 {
		t.Errorf("%+v", r)
	}
	a.Add(0, 10) // 0, 1/2, 2, 8
	if r := a.Result(); r.TightnessMedian != 1.25 || math.Abs(float64(r.TightnessMean)-2) > 1e-12 {
		t.Errorf("with a bound of 0: %+v", r)
	}
	if r := new(WaitTally).Result(); !math.IsNaN(float64(r.TightnessMedian)) || !math.IsNaN(float64(r.TightnessMean)) {
		t.Errorf("without waits: %+v", r)
	}
}
