package stats

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/internal/par"
)

// Bootstrap says how a parametric bootstrap is made.
type Bootstrap struct {
	// Draw returns a sample of n values of law, made as the data were
	// (rounded to whole seconds, say), as distinct ascending values with
	// counts. It is called from several goroutines, each with a source of its
	// own, and must use no other randomness.
	Draw func(rng *rand.Rand, law dist.Law, n int) (values, counts []float64)
	// Refit fits the family of law to distinct values with counts, as law
	// itself was fitted to the data. It is called from several goroutines.
	Refit func(values, counts []float64) (dist.Law, error)
	// Replicates is how many samples are drawn, at least 1. The smallest
	// p-value that can come out is 1/(Replicates+1).
	Replicates int
	// Sequential, where it is above 0, ends the drawing once every test has
	// seen so many replicates with a statistic at least as large as the
	// data's: Besag and Clifford's (1991) h. A p-value that is plainly not
	// small is then had after few replicates, and one that is small costs all.
	Sequential int
	// Tests are made beside Kolmogorov-Smirnov's.
	Tests Tests
	// Seed and a replicate's number give its random source.
	Seed uint64
	// Workers is how many goroutines work; all cores for 0. It does not
	// change the result.
	Workers int
}

// GoodnessOfFitBootstrap tests whether a sample, given as distinct ascending
// values with counts, comes from the family of law, which was fitted to it.
// Each replicate draws a sample of the same size from law, refits it and takes
// all its statistics; a test's p-value is (1 + how many were at least as large
// as the data's) over (1 + replicates), replicates that could not be refitted
// left out and counted in Failed. The result does not depend on the number of
// cores.
//
// Where the sequential rule ends a test at its h-th such replicate, the p-value
// is h over the replicates it took. Each test stops by itself; the drawing
// goes on until all have.
//
// Stute, Gonzáles Manteiga and Presedo Quindimil (1993), "Bootstrap based
// goodness-of-fit tests"; Besag and Clifford (1991), "Sequential Monte Carlo
// p-values". It is an error if the data cannot be tested, if options are
// missing or out of range, or if no replicate could be refitted.
func GoodnessOfFitBootstrap(values, counts []float64, law dist.Law, b Bootstrap) (Goodness, error) {
	if b.Draw == nil || b.Refit == nil || b.Replicates < 1 || b.Sequential < 0 {
		return Goodness{}, errors.New("stats: bootstrap needs Draw, Refit, at least 1 replicate and a Sequential of 0 or more")
	}
	// No replicate has this number.
	g, err := b.tests(rand.New(rand.NewPCG(b.Seed, math.MaxUint64)), values, counts, law)
	if err != nil {
		return Goodness{}, err
	}
	size := int(g.KS.N)
	replicates := par.Map(b.Workers, par.Numbers(context.Background(), b.Replicates), func(i int) (replicate, error) {
		return b.replicate(rand.New(rand.NewPCG(b.Seed, uint64(i))), law, size), nil
	}, nil)
	tallies := []tally{{statistic: g.KS.D, of: func(g Goodness) float64 { return g.KS.D }, into: &g.KS.Significance}}
	if b.Tests.AndersonDarling {
		tallies = append(tallies, tally{statistic: g.AD.A2, of: func(g Goodness) float64 { return g.AD.A2 }, into: &g.AD.Significance})
	}
	if b.Tests.Cells > 0 {
		tallies = append(tallies, tally{statistic: g.ChiSquare.X2, of: func(g Goodness) float64 { return g.ChiSquare.X2 }, into: &g.ChiSquare.Significance})
	}
	if b.Tests.Sampled {
		tallies = append(tallies, tally{statistic: g.Sampled.X2, of: func(g Goodness) float64 { return g.Sampled.X2 }, into: &g.Sampled.Significance})
	}
	for i := range tallies {
		*tallies[i].into = Significance{Method: ParametricBootstrap, Seed: b.Seed}
	}
	var lastErr error
	for r := range replicates {
		if r.err != nil {
			lastErr = r.err
		} else {
			g.Laws = append(g.Laws, r.law)
		}
		if done := add(tallies, r, b.Sequential); done {
			break
		}
	}
	if len(g.Laws) == 0 {
		return Goodness{}, fmt.Errorf("stats: bootstrap: none of %d replicates could be refitted: %w", b.Replicates, lastErr)
	}
	for _, t := range tallies {
		t.finish()
	}
	return g, nil
}

// replicate is a refitted law with its statistics, or why there is none.
type replicate struct {
	law      dist.Law
	goodness Goodness
	err      error
}

func (b Bootstrap) replicate(rng *rand.Rand, law dist.Law, n int) replicate {
	values, counts := b.Draw(rng, law, n)
	refitted, err := b.Refit(values, counts)
	if err != nil {
		return replicate{err: err}
	}
	g, err := b.tests(rng, values, counts, refitted)
	return replicate{refitted, g, err}
}

// tests makes the tests on one sample, with the asymptotic p-values. rng is
// for the samples of the law.
func (b Bootstrap) tests(rng *rand.Rand, values, counts []float64, law dist.Law) (Goodness, error) {
	g, err := b.Tests.Asymptotic(values, counts, law)
	if err != nil || !b.Tests.Sampled {
		return g, err
	}
	modelValues, modelCounts := b.Draw(rng, law, int(g.KS.N))
	g.Sampled, err = ChiSquareOfSamples(values, counts, modelValues, modelCounts, b.Tests.Cells, b.Tests.Estimated)
	g.Sampled.Law = law
	return g, err
}

// Asymptotic makes the tests, but for the one against samples, with p-values
// of a law that was not fitted to the sample. Kolmogorov-Smirnov's is always
// made. Errors are those of the tests.
func (t Tests) Asymptotic(values, counts []float64, law dist.Law) (Goodness, error) {
	if t.Cells != 0 || t.Sampled {
		if err := checkCells(t.Cells, t.Estimated); err != nil {
			return Goodness{}, err
		}
	}
	e, err := evaluate("goodness of fit", values, counts, law, t.AndersonDarling)
	if err != nil {
		return Goodness{}, err
	}
	if t.Rounded != nil {
		e.round(law, t.Rounded)
	}
	g := Goodness{KS: e.kolmogorovSmirnov(law)}
	if t.AndersonDarling {
		g.AD = e.andersonDarling(law)
	}
	if t.Cells > 0 {
		g.ChiSquare = e.chiSquare(law, t.Cells, t.Estimated)
	}
	return g, nil
}

// tally is how one test's p-value comes together.
type tally struct {
	statistic float64 // of the data
	of        func(Goodness) float64
	into      *Significance
}

// add counts a replicate in the tests that have not stopped, and says whether
// all have.
func add(tallies []tally, r replicate, sequential int) (done bool) {
	done = true
	for _, t := range tallies {
		s := t.into
		if s.Stopped {
			continue
		}
		s.Replicates++
		switch {
		case r.err != nil:
			s.Failed++
		case t.of(r.goodness) >= t.statistic:
			s.Exceeded++
			s.Stopped = s.Exceeded == sequential
		}
		done = done && s.Stopped
	}
	return done
}

// finish turns the counts into the p-value.
func (t tally) finish() {
	s := t.into
	drawn := s.Replicates - s.Failed
	if s.Stopped {
		s.PValue = float64(s.Exceeded) / float64(drawn)
	} else {
		s.PValue = float64(1+s.Exceeded) / float64(1+drawn)
	}
}
