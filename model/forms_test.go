package model

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/longtest"
)

// Each form of sizes and run times draws values that agree with its probabilities, quantiles and
// means, and every form has an example.
func TestForms(t *testing.T) {
	seen := map[reflect.Type]bool{}
	for name, s := range examples(t) {
		for _, c := range s.Classes {
			if c.Malleable != nil {
				continue
			}
			t.Run(name, func(t *testing.T) {
				checkSizes(t, c.Sizes, s.Processors)
				for _, size := range []int64{1, 16, 100} {
					checkRunTimes(t, c.RunTimes, size)
				}
			})
			seen[reflect.TypeOf(c.Sizes).Elem()], seen[reflect.TypeOf(c.RunTimes).Elem()] = true, true
			if c.Estimates != nil {
				seen[reflect.TypeOf(c.Estimates).Elem()] = true
			}
		}
	}
	for _, f := range forms {
		if !seen[reflect.TypeOf(f.form)] {
			t.Errorf("no example has %T", f.form)
		}
	}
}

func checkSizes(t *testing.T, sizes Sizes, processors int64) {
	t.Helper()
	const n = 20_000
	p := make([]float64, processors+1)
	for size, share := range sizes.Shares(processors) {
		if size < 1 || size > processors {
			t.Fatalf("Pr{size %d} = %g on %d processors", size, share, processors)
		}
		p[size] = share
	}
	counts, draw, rng := map[int64]int{}, sizes.Drawer(processors), rand.New(rand.NewPCG(1, 2))
	for range n {
		counts[draw(rng)]++
	}
	longtest.CheckCounts(t, "sizes", counts, p, n, falseAlarm)
}

func checkRunTimes(t *testing.T, times RunTimes, size int64) {
	t.Helper()
	const n = 4_000
	var runs, drawn [n]float64
	rng, quantile := rand.New(rand.NewPCG(1, 2)), times.Quantiles()
	for i := range runs {
		runs[i], drawn[i] = quantile(size, (float64(i)+0.5)/n), times.Draw(rng, size)
	}
	slices.Sort(drawn[:])
	for _, p := range []float64{0.05, 0.3, 0.5, 0.8, 0.97} {
		at, mean := drawn[int(p*n)-1], 0.0
		var below, notAbove float64 // shares of the runs
		for _, r := range runs {
			if r < at {
				below += 1. / n
			}
			if r <= at {
				notAbove += 1. / n
			}
			mean += min(r, at) / n
		}
		if noise := 5*math.Sqrt(p*(1-p)/n) + 1.0/n; below > p+noise || notAbove < p-noise {
			t.Errorf("size %d: a share of %g is below %g and %g is not above, want %g", size, below, at, notAbove, p)
		}
		// The error of the midpoint rule is at most the range over 2n, in each of two monotone
		// parts.
		if got := times.Mean(at)(size); !(math.Abs(got-mean) <= at/n) {
			t.Errorf("size %d: mean run time up to %g is %g, want %g", size, at, got, mean)
		}
	}
}
