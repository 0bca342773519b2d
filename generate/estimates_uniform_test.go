package generate

import (
	"errors"
	"math"
	"strconv"
	"testing"

	"github.com/loadstone-hpc/loadstone/workload"
)

func formatSeconds(t float64) string { return strconv.FormatFloat(t, 'g', -1, 64) + " s" }

func TestUniformEstimates(t *testing.T) {
	const n = 50_000
	u, err := NewUniformEstimates(5, false, 1, "")
	if err != nil {
		t.Fatal(err)
	}
	runs := logUniformRuns(n, 1e5)
	sum, cells := 0.0, map[int64]int{}
	for i, e := range inBatches(t, u, runs, n) {
		if !(e >= runs[i] && e <= 5*runs[i]) {
			t.Fatalf("an estimate of %g s for a run of %g s", e, runs[i])
		}
		x := (e - runs[i]) / (4 * runs[i])
		sum += x
		cells[int64(x*100)]++
	}
	checkMean(t, "place in [R, 5R]", sum/n, 0.5, math.Sqrt(1./12), n)
	p := make([]float64, 100)
	for i := range p {
		p[i] = 0.01
	}
	checkCounts(t, "place in [R, 5R]", cells, p, n)

	whole, err := NewUniformEstimates(2.5, true, 1, "")
	if err != nil {
		t.Fatal(err)
	}
	constant := make([]float64, n)
	for i := range constant {
		constant[i] = 3
	}
	counts := map[int64]int{}
	for _, e := range inBatches(t, whole, constant, n) {
		if e != math.Trunc(e) {
			t.Fatalf("%g s is not whole", e)
		}
		counts[int64(e)]++
	}
	checkCounts(t, "whole seconds of [3, 7.5]", counts, []float64{0, 0, 0, 0.2, 0.2, 0.2, 0.2, 0.2}, n)
}

func TestUniformEstimatesDegenerate(t *testing.T) {
	for _, f := range []float64{0.99, math.NaN(), math.Inf(1), -5, 0} {
		var o *workload.OptionError
		if _, err := NewUniformEstimates(f, false, 1, ""); !errors.As(err, &o) {
			t.Errorf("factor %g: %v", f, err)
		}
	}
	for _, c := range []struct {
		factor, run, want float64
		whole             bool
	}{
		{1, 17, 17, false}, {1, 17, 17, true}, {5, 0, 0, false}, {5, 0, 0, true}, {1.1, 0.5, 1, true},
		{5, math.NaN(), math.NaN(), false}, {5, -1, math.NaN(), true}, {5, math.Inf(1), math.NaN(), false},
	} {
		u, err := NewUniformEstimates(c.factor, c.whole, 1, "")
		if err != nil {
			t.Fatal(err)
		}
		got := inBatches(t, u, []float64{c.run}, 1)[0]
		if got != c.want && !(math.IsNaN(got) && math.IsNaN(c.want)) {
			t.Errorf("%+v: %g", c, got)
		}
	}
	u, _ := NewUniformEstimates(5, false, 1, "")
	if got := inBatches(t, u, []float64{math.MaxFloat64}, 1)[0]; got != math.MaxFloat64 {
		t.Errorf("the largest run time: %g", got)
	}
	if err := u.Estimate(numbers(1), nil, nil); err == nil {
		t.Error("columns of different lengths: no error")
	}
}
