package fit

import (
	"math"
	"testing"
)

func TestClosedForms(t *testing.T) {
	s := NewSample(RunTime, []float64{1, 2, 2, 5, math.NaN(), -3, 0, math.Inf(1)})
	e := mustFit(t, "exponential", RunTime, s, Options{})
	if m := parameter(t, e, "mean"); m != 2.5 || e.N != 4 {
		t.Errorf("mean %g of %d jobs, want 2.5 of 4", m, e.N)
	}
	near(t, "log-likelihood", float64(e.LogLikelihood), -4*math.Log(2.5)-4, 1e-12)
	want := []LeftOut{{"run time unknown", 1}, {"run time not positive", 2}, {"run time infinite", 1}}
	if len(e.LeftOut) != 3 || e.LeftOut[0] != want[0] || e.LeftOut[1] != want[1] || e.LeftOut[2] != want[2] {
		t.Errorf("left out %v, want %v", e.LeftOut, want)
	}
	u := mustFit(t, "uniform", RunTime, s, Options{})
	near(t, "low", parameter(t, u, "low"), 1, 0)
	near(t, "high", parameter(t, u, "high"), 5, 0)
	near(t, "log-likelihood", float64(u.LogLikelihood), -4*math.Log(4), 1e-12)
}
