package leastd

import (
	"math"
	"testing"

	"github.com/loadstone-hpc/loadstone/fit/internal/fittest"
)

// TestStepsDistance: the short way to D is the definition's.
func TestStepsDistance(t *testing.T) {
	for _, n := range []int{2, 3, 64, 65, 66, 1000} {
		counts := make([]float64, n)
		for i := range counts {
			counts[i] = float64(1 + i*i%7*(i%3))
		}
		s := newSteps(counts)
		for shape := 0.2; shape < 5; shape += 0.3 {
			cdf := func(i int) float64 { return math.Pow(float64(i+1)/float64(n+1), shape) }
			want, asked := 0.0, 0
			for i := range counts {
				want = max(want, math.Abs(s.upTo[i+1]-cdf(i)), math.Abs(cdf(i)-s.upTo[i]))
			}
			for _, likely := range []int{0, n - 1, n / 3} {
				got := s.distance(func(i int) float64 { asked++; return cdf(i) }, likely)
				at := s.upTo[got.at+1] - cdf(got.at)
				if got.above {
					at = cdf(got.at) - s.upTo[got.at]
				}
				if got.d != want || at != want {
					t.Errorf("n %d, shape %g, from %d: D is %g (%g at %d), want %g", n, shape, likely, got.d, at, got.at, want)
				}
			}
			if n == 1000 && asked > 3*n/2 {
				t.Errorf("shape %g: %d of %d values were asked for", shape, asked/3, n)
			}
		}
	}
}

// TestLeastConvex: the largest of some lines is least where the two meet that
// fall and rise there, or at an end.
func TestLeastConvex(t *testing.T) {
	of := func(lines ...[2]float64) func(float64) (float64, float64) {
		return func(p float64) (value, slope float64) {
			value = math.Inf(-1)
			for _, l := range lines {
				if v := l[0] + l[1]*p; v > value {
					value, slope = v, l[1]
				}
			}
			return value, slope
		}
	}
	for _, tt := range []struct {
		lines     [][2]float64
		at, value float64
	}{
		{[][2]float64{{0.3, -1}, {-1, 2}}, 1.3 / 3, 0.3 - 1.3/3},
		{[][2]float64{{0.8, -1}, {0.3, -0.1}, {-1, 2}}, 1.3 / 2.1, 0.3 - 0.13/2.1},
		{[][2]float64{{0.3, 1}, {0.1, 2}}, 0, 0.3},
		{[][2]float64{{1, -0.5}, {1.2, -1}}, 1, 0.5},
	} {
		p, value := leastConvex(of(tt.lines...))
		fittest.Near(t, "p", p, tt.at, 1e-8)
		fittest.Near(t, "value", value, tt.value, 1e-9)
	}
}
