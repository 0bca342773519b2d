package score

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/loadstone-hpc/loadstone/stats"
)

var nan, inf = math.NaN(), math.Inf(1)

// none is a number without a value.
var none = stats.Number(nan)

// near compares results: NaN equals NaN, and sums may be taken in another order.
var near = cmp.Options{cmpopts.EquateNaNs(), cmpopts.EquateApprox(1e-12, 1e-12), plain}

// plain compares numbers of results as float64.
var plain = cmp.Transformer("float64", func(n stats.Number) float64 { return float64(n) })

type pair struct{ predicted, actual float64 }

// ofPoints contains the scores of points.
type ofPoints struct {
	WaitPoints
	LogFit
}

func score(pairs []pair) (RunTime, ofPoints, WaitPoints) {
	var (
		r RunTimeTally
		w WaitTally
		b = WaitTally{Quantile: 0.95}
	)
	for _, p := range pairs {
		r.Add(p.predicted, p.actual)
		w.Add(p.predicted, p.actual)
		b.Add(p.predicted, p.actual)
	}
	return r.Result(), ofPoints{w.Result().WaitPoints, w.Result().LogFit}, b.Result().WaitPoints
}

// The expected values are worked out by hand.
func TestByHand(t *testing.T) {
	tests := []struct {
		name  string
		pairs []pair
		run   RunTime
		wait  ofPoints
		bound WaitPoints
	}{
		{
			name:  "no prediction, and nothing to compare with",
			pairs: []pair{{nan, 5}, {inf, 5}, {5, nan}, {nan, nan}},
			run:   RunTime{Jobs: 2, Coverage: 0, MeanAccuracy: MeanAccuracy{none}, AbsoluteErrorMean: none, AbsoluteErrorMedian: none, MedianMethod: "exact"},
			wait:  ofPoints{WaitPoints{2, 0, 0, none, MeanAccuracy{none}, none, none, none, none}, LogFit{0, none, none, none}},
			bound: WaitPoints{2, 0, none, none, MeanAccuracy{none}, none, none, none, none},
		},
		{
			name: "some of each",
			// Accuracies 1/2, 1, 1/4, 0; errors 60, 0, 180, 120 s.
			pairs: []pair{{60, 120}, {120, 120}, {240, 60}, {120, 0}, {nan, 60}},
			run:   RunTime{5, 4, 0.8, MeanAccuracy{0.4375}, 90, 90, "exact"},
			wait: ofPoints{
				WaitPoints{5, 4, 0.8, none, MeanAccuracy{0.4375}, 1.5, 25, 25, 50},
				// In binary logarithms less that of 60: x 0 1 2, y 1 1 0.
				LogFit{3, stats.Number(-math.Sqrt(3) / 2), -0.5, stats.Number(1.5*math.Log(60) + math.Ln2*7/6)},
			},
			bound: WaitPoints{5, 4, 0.75, 2. / 3, MeanAccuracy{0.4375}, 1.5, 25, 25, 50},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r, w, b := score(tt.pairs)
			if d := cmp.Diff(tt.run, r, near); d != "" {
				t.Errorf("run time (-want +got):\n%s", d)
			}
			if d := cmp.Diff(tt.wait, w, near); d != "" {
				t.Errorf("wait (-want +got):\n%s", d)
			}
			if d := cmp.Diff(tt.bound, b, near); d != "" {
				t.Errorf("bound (-want +got):\n%s", d)
			}
		})
	}
}
