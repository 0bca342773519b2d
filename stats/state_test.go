package stats

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/loadstone-hpc/loadstone/internal/state"
)

// statistic is what several statistics have in common: add takes values in order, and
// merge a statistic of the values that follow.
type statistic struct {
	value  any
	add    func(x []float64)
	merge  func(later any)
	result func() string
}

// fewExact is few enough for a batch to have more values than are kept exactly.
const fewExact = 4

// statisticsInParts are those that part files hold.
var statisticsInParts = map[string]func() statistic{
	"ExactMoments": func() statistic {
		m := new(ExactMoments)
		return statistic{m, func(x []float64) {
			if len(x) == 1 {
				m.Add(x[0])
				return
			}
			m.AddAll(x)
		}, func(o any) { m.Merge(o.(*ExactMoments)) }, func() string { return fmt.Sprint(m.N(), m.Mean(), m.CV()) }}
	},
	"ExactCorrelation": func() statistic {
		c := new(ExactCorrelation)
		return statistic{c, func(x []float64) {
			y := make([]float64, len(x))
			for i, v := range x {
				y[i] = v*v + 1
			}
			if len(x) == 1 {
				c.Add(x[0], y[0])
				return
			}
			c.AddAll(x, y)
		}, func(o any) { c.Merge(o.(*ExactCorrelation)) }, func() string { return fmt.Sprint(c.N(), c.R()) }}
	},
	"Quantiles": func() statistic {
		q := &Quantiles{Exact: fewExact}
		return statistic{q, each(q.Add), func(o any) { q.Merge(o.(*Quantiles)) }, func() string {
			return fmt.Sprint(q.N(), q.Method(), q.Min(), q.Quantile(0.25), q.Quantile(0.9), q.Max())
		}}
	},
	"Spearman": func() statistic {
		s := &Spearman{Exact: fewExact}
		return statistic{s, each(func(x float64) { s.Add(x, x*x) }), func(o any) { s.Merge(o.(*Spearman)) }, func() string { return fmt.Sprint(s.N(), s.Method(), s.R()) }}
	},
	"Cardinality": func() statistic {
		c := &Cardinality{Most: fewExact}
		return statistic{c, each(func(x float64) { c.Add(int64(x)) }), func(o any) { c.Merge(o.(*Cardinality)) }, func() string { return fmt.Sprint(c.Count(), c.Method()) }}
	},
	"Autocorrelation": func() statistic {
		a := NewAutocorrelation(1, 3, 10)
		return statistic{a, each(a.Add), func(o any) { a.Append(o.(*Autocorrelation)) }, func() string { return fmt.Sprint(a.N(), a.Moments().CV(), a.R()) }}
	},
}

// each returns a function that adds values one by one.
func each(add func(float64)) func([]float64) {
	return func(x []float64) {
		for _, v := range x {
			add(v)
		}
	}
}

// TestStatisticsInParts checks that a statistic has the same results of values added one
// by one, in batches, merged of parts, and merged of parts that were written and read.
func TestStatisticsInParts(t *testing.T) {
	for name, begin := range statisticsInParts {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				value := rapid.OneOf(rapid.Just(math.Copysign(0, -1)), rapid.Float64Range(-1e9, 1e9), rapid.Map(rapid.IntRange(0, 300), func(n int) float64 { return float64(n) }))
				all, parts := batches(t, value)
				one, many, merged, stored := begin(), begin(), begin(), begin()
				for _, x := range all {
					one.add([]float64{x})
				}
				for _, p := range parts {
					many.add(p)
					part := begin()
					part.add(p)
					merged.merge(part.value)
					read := begin()
					if err := state.Decode(state.Append(nil, part.value), read.value); err != nil {
						t.Fatal(err)
					}
					stored.merge(read.value)
				}
				want := one.result()
				for how, s := range map[string]statistic{"in batches": many, "merged": merged, "written, read and merged": stored} {
					if got := s.result(); got != want {
						t.Fatalf("%s: %s, one by one %s", how, got, want)
					}
				}
			})
		})
	}
}
