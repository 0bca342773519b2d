package model

import (
	"math"
	"testing"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/internal/num"
)

// TestMeanOfLargeMachines: sizes taken together give what one by one they give.
func TestMeanOfLargeMachines(t *testing.T) {
	line := func(n int64) float64 { return max(0.05, 0.8-1e-6*float64(n)) }
	fs := map[string]func(int64) float64{
		"one": func(int64) float64 { return 1 }, "size": func(n int64) float64 { return float64(n) },
		"root": func(n int64) float64 { return math.Sqrt(float64(n)) }, "p(size)": line,
		"Downey's speedup": func(n int64) float64 { return DowneyS(float64(n), 3e5, 0.7) },
	}
	for _, s := range []RoundedSizes{
		{SerialShare: 0.24, PowerOfTwoShare: 0.75, Log2: dist.TwoStageUniform{Low: 0.8, Mid: 15.5, High: 17.9, P: 0.5}},
		{SerialShare: 0.1, PowerOfTwoShare: 0.2, Log2: dist.TwoStageUniform{Low: 16.3, Mid: 17, High: 18, P: 0.9}},
		{PowerOfTwoShare: 0.3, Log2: dist.Gamma{Shape: 40, Scale: 0.45}},
	} {
		for _, processors := range []int64{oneByOne + 1, 300_007} {
			for name, f := range fs {
				var want num.Sum
				for n := int64(1); n <= processors; n++ {
					want.Add(s.Probability(n, processors) * f(n))
				}
				if got := s.Mean(processors, f); math.Abs(got/want.Value()-1) > 1e-8 {
					t.Errorf("%+v on %d: mean of %s %.12g, want %.12g", s, processors, name, got, want.Value())
				}
			}
		}
	}
}
