package stats

import (
	"math"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/longtest"
)

// twoSampleReference is testdata/twosample.json: values of SciPy, by
// twosample.py.
type twoSampleReference struct {
	Tests []struct {
		X, Y              []float64
		D, At, Asymptotic float64
	}
}

func TestTwoSampleAgreesWithSciPy(t *testing.T) {
	for _, r := range longtest.ReadJSON[twoSampleReference](t, "testdata/twosample.json").Tests {
		vx, cx := Distinct(r.X)
		vy, cy := Distinct(r.Y)
		ks, err := KolmogorovSmirnovTwoSample(vx, cx, vy, cy)
		if err != nil {
			t.Fatal(err)
		}
		if !near(ks.D, r.D, 1e-12) || ks.At != r.At {
			t.Errorf("%d and %d values: D is %.16g at %g, want %.16g at %g", len(r.X), len(r.Y), ks.D, ks.At, r.D, r.At)
		}
		if !near(ks.PValue, r.Asymptotic, 1e-11) {
			t.Errorf("%d and %d values: p is %.16g, want %.16g", len(r.X), len(r.Y), ks.PValue, r.Asymptotic)
		}
		if ks.N != float64(len(r.X)) || ks.M != float64(len(r.Y)) {
			t.Errorf("sizes are %g and %g, want %d and %d", ks.N, ks.M, len(r.X), len(r.Y))
		}
	}
}

func TestTwoSampleRefuses(t *testing.T) {
	one := []float64{1}
	for _, tt := range []struct {
		vx, cx, vy, cy []float64
		err            string
	}{
		{nil, nil, one, one, "first sample has 0 values"},
		{one, one, one, nil, "second sample has 1 values with 0 counts"},
		{[]float64{2, 1}, []float64{1, 1}, one, one, "value 1 of the first sample is 1"},
		{one, one, []float64{math.NaN()}, one, "value 0 of the second sample is NaN"},
		{one, one, one, []float64{0}, "count 0 of the second sample is 0"},
		{one, []float64{math.Inf(1)}, one, one, "count 0 of the first sample is +Inf"},
	} {
		if _, err := KolmogorovSmirnovTwoSample(tt.vx, tt.cx, tt.vy, tt.cy); err == nil || !strings.Contains(err.Error(), tt.err) {
			t.Errorf("error is %v, want one with %q", err, tt.err)
		}
	}
}
