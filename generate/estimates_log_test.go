package generate

import (
	"math"
	"slices"
	"testing"

	"github.com/loadstone-hpc/loadstone/model"
)

// twoEstimates is a log of two estimates, 100 s and 1000 s.
func twoEstimates() model.LogEstimates {
	return model.LogEstimates{LeftOut: 1, Overrun: 3, Bins: []model.LogEstimate{
		{Time: 100, Jobs: 20, Accuracy: [model.AccuracyCells]int64{10: 10, 15: 5, 29: 5}},
		{Time: 1000, Jobs: 80, Accuracy: [model.AccuracyCells]int64{10: 40, 20: 40}},
	}}
}

// By hand: of the 100 s estimates, 10 jobs from 2.5 to 5 s, 5 from 25 to 30 s
// and 5 from 95 to 100 s; of the 1000 s ones, 40 from 25 to 50 s and 40 from 500
// to 550 s.
func TestLogLaw(t *testing.T) {
	law, err := NewLogLaw(twoEstimates(), 1, "")
	if err != nil {
		t.Fatal(err)
	}
	row := func(r float64) (p []float64) {
		sums := law.laws[law.rows.find(r)].sums
		for i := range sums {
			p = append(p, sums[i]/sums[len(sums)-1])
			if i > 0 {
				p[i] -= sums[i-1] / sums[len(sums)-1]
			}
		}
		return p
	}
	for _, c := range []struct {
		run  float64
		want []float64 // of 100 s, where possible, and of 1000 s
	}{
		{2, []float64{0.2, 0.8}}, // 1.83 to 2 s: nobody, so the jobs
		{3, []float64{1, 0}},
		{27.5, []float64{1 / 2.6, 1.6 / 2.6}}, // 26.9 to 29.3 s: 1 job a second, and 1.6
		{40, []float64{0, 1}},
		{60, []float64{0.2, 0.8}}, // 58.7 to 64 s: nobody
		{100, []float64{1, 0}},    // 98.7 to 100 s
		{101, []float64{1}},
		{1000, []float64{1}},
	} {
		if got := row(c.run); !slices.EqualFunc(got, c.want, func(a, b float64) bool { return math.Abs(a-b) < 1e-12 }) {
			t.Errorf("a run of %g s: %v, want %v", c.run, got, c.want)
		}
	}
}

func TestLogLawOfNothing(t *testing.T) {
	if _, err := NewLogLaw(model.LogEstimates{}, 1, ""); err == nil {
		t.Error("the distribution of nothing: no error")
	}
}
