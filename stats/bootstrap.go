package stats

import (
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/internal/par"
)

// Bootstrap says how a parametric bootstrap is made.
type Bootstrap struct {
	// Draw returns a sample of n values of law, made as the data were
	// (rounded to whole seconds, say). It is called from several goroutines,
	// each with a source of its own, and must use no other randomness.
	Draw func(rng *rand.Rand, law dist.Law, n int) []float64
	// Refit fits the family of law to distinct values with counts, as law
	// itself was fitted to the data. It is called from several goroutines.
	Refit func(values, counts []float64) (dist.Law, error)
	// Replicates is how many samples are drawn, at least 1. The smallest
	// p-value that can come out is 1/(Replicates+1).
	Replicates int
	// Seed and a replicate's number give its random source.
	Seed uint64
	// Workers is how many goroutines work; all cores for 0. It does not
	// change the result.
	Workers int
}

// KolmogorovSmirnovBootstrap tests whether a sample, given as distinct
// ascending values with counts, comes from the family of law, which was
// fitted to it. Each replicate draws a sample of the same size from law,
// refits it and takes its D; the p-value is (1 + how many were >= D) over
// (1 + replicates), replicates that could not be refitted left out and
// counted in Failed. The result does not depend on the number of cores.
//
// Stute, Gonzáles Manteiga and Presedo Quindimil (1993), "Bootstrap based
// goodness-of-fit tests". It is an error if the data cannot be tested, if
// options are missing, or if no replicate could be refitted.
func KolmogorovSmirnovBootstrap(values, counts []float64, law dist.Law, b Bootstrap) (KS, error) {
	if b.Draw == nil || b.Refit == nil || b.Replicates < 1 {
		return KS{}, errors.New("stats: bootstrap needs Draw, Refit and at least 1 replicate")
	}
	ks, err := KolmogorovSmirnov(values, counts, law)
	if err != nil {
		return KS{}, err
	}
	distances := make([]float64, b.Replicates)
	errs := make([]error, b.Replicates)
	par.Each(b.Workers, b.Replicates, func(i int) {
		rng := rand.New(rand.NewPCG(b.Seed, uint64(i)))
		distances[i], errs[i] = b.replicate(rng, law, int(ks.N))
	})
	larger, failed := 0, 0
	for i, d := range distances {
		switch {
		case errs[i] != nil:
			failed++
			err = errs[i]
		case d >= ks.D:
			larger++
		}
	}
	if failed == b.Replicates {
		return KS{}, fmt.Errorf("stats: bootstrap: none of %d replicates could be refitted: %w", failed, err)
	}
	ks.PValue = float64(1+larger) / float64(1+b.Replicates-failed)
	ks.Method = ParametricBootstrap
	ks.Replicates, ks.Failed, ks.Seed = b.Replicates, failed, b.Seed
	return ks, nil
}

func (b Bootstrap) replicate(rng *rand.Rand, law dist.Law, n int) (float64, error) {
	values, counts := Distinct(b.Draw(rng, law, n))
	refitted, err := b.Refit(values, counts)
	if err != nil {
		return 0, err
	}
	ks, err := KolmogorovSmirnov(values, counts, refitted)
	return ks.D, err
}
