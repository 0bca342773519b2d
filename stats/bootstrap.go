package stats

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/internal/par"
)

// Bootstrap holds the options of a parametric bootstrap.
type Bootstrap struct {
	// Draw returns a sample of n values of law as distinct ascending values with counts,
	// processed like the data (for example rounded to whole seconds). It is called from
	// several goroutines, each with its own source, and must not use other randomness.
	Draw func(rng *rand.Rand, law dist.Law, n int) (values, counts []float64)
	// Refit fits the family of law to distinct values with counts, as law
	// itself was fitted to the data. It is called from several goroutines.
	Refit func(values, counts []float64) (dist.Law, error)
	// Replicates is the number of samples to draw, at least 1. The smallest possible p-value is
	// 1/(Replicates+1).
	Replicates int
	// Tests selects the tests to make in addition to Kolmogorov-Smirnov.
	Tests Tests
	// Seed and the number of a replicate determine its random source.
	Seed uint64
	// Workers is the number of goroutines; 0 means one per core. It does not change the
	// result.
	Workers int
}

// GoodnessOfFitBootstrap tests whether a sample, given as distinct ascending values with
// counts, comes from the family of law, which was fitted to it. Each replicate draws a
// sample of the same size from law, refits the law and computes all statistics. The p-value
// of a test is (1 + k)/(1 + n), with k the number of replicates whose statistic is at least
// as large as the data's and n the number of replicates; replicates that could not be
// refitted are not counted, but reported in Failed. The result does not depend on the
// number of cores.
//
// It is an error if the data cannot be tested, if options are missing or out of range, or
// if no replicate could be refitted.
//
// Stute, Gonzáles Manteiga and Presedo Quindimil (1993), "Bootstrap based goodness-of-fit
// tests".
func GoodnessOfFitBootstrap(values, counts []float64, law dist.Law, b Bootstrap) (Goodness, error) {
	if b.Draw == nil || b.Refit == nil || b.Replicates < 1 {
		return Goodness{}, errors.New("stats: bootstrap needs Draw, Refit, and at least 1 replicate")
	}
	g, err := GoodnessOfFit(values, counts, law, b.Tests)
	if err != nil {
		return Goodness{}, err
	}
	data, into := g.statistics(), g.Significances()
	n := 0.0
	for _, c := range counts {
		n += c
	}
	type drawn struct {
		law        dist.Law
		statistics []float64
		err        error
	}
	replicates := par.Map(b.Workers, par.Numbers(context.Background(), b.Replicates), func(i int) (d drawn, _ error) {
		values, counts := b.Draw(rand.New(rand.NewPCG(b.Seed, uint64(i))), law, int(n))
		if d.law, d.err = b.Refit(values, counts); d.err != nil {
			return d, nil
		}
		var of Goodness
		if of, d.err = GoodnessOfFit(values, counts, d.law, b.Tests); d.err == nil {
			d.statistics = of.statistics()
		}
		return d, nil
	}, nil)
	exceeded, failed := make([]int, len(into)), 0
	var lastErr error
	for r := range replicates {
		if r.err != nil {
			failed++
			lastErr = r.err
			continue
		}
		g.Laws = append(g.Laws, r.law)
		for i, x := range r.statistics {
			if x >= data[i] {
				exceeded[i]++
			}
		}
	}
	if len(g.Laws) == 0 {
		return Goodness{}, fmt.Errorf("stats: bootstrap: none of %d replicates could be refitted: %w", b.Replicates, lastErr)
	}
	for i, s := range into {
		p := float64(1+exceeded[i]) / float64(1+len(g.Laws))
		*s = Significance{Number(p), ParametricBootstrap, b.Replicates, &Refits{failed, s.PValue}}
	}
	return g, nil
}

// DrawTimes draws from len(times) items, as often as there are items and with replacement, and
// sets times[i] to the number of times that item i was drawn.
func DrawTimes(rng *rand.Rand, times []int) {
	clear(times)
	for range times {
		times[rng.IntN(len(times))]++
	}
}
