package site

import (
	"math"
	"testing"

	"github.com/loadstone-hpc/loadstone/fit/internal/fittest"
	"github.com/loadstone-hpc/loadstone/stats"
)

func TestShareML(t *testing.T) {
	inf := 800.0 // exp of it overflows
	for _, tt := range []struct {
		name          string
		ratio, weight []float64
		want          float64
	}{
		{"all of the first", []float64{inf, 3}, []float64{5, 1}, 1},
		{"all of the second", []float64{-inf, -3}, []float64{5, 1}, 0},
		{"clearly told apart", []float64{inf, -inf}, []float64{3, 1}, 0.75},
		// 2 jobs with f1/f2 = 2 and one with 1/4: 2/(1+p) = 0.75/(1-0.75p),
		// so p = 1.25/2.25.
		{"by hand", []float64{math.Log(2), math.Log(0.25)}, []float64{2, 1}, 1.25 / 2.25},
	} {
		fittest.Near(t, tt.name, shareML(tt.ratio, tt.weight), tt.want, 1e-9)
	}
}

func TestMedian(t *testing.T) {
	for _, tt := range []struct {
		values, counts []float64
		want           float64
	}{
		{[]float64{4}, []float64{3}, 4},
		{[]float64{1, 2}, []float64{2, 2}, 1.5},
		{[]float64{1, 2, 9}, []float64{1, 2, 2}, 2},
		{[]float64{1, 2, 9}, []float64{1, 1, 4}, 9},
	} {
		fittest.Near(t, "median", stats.MedianOfCounts(tt.values, tt.counts), tt.want, 0)
	}
}
