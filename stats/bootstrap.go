package stats

import (
	"errors"
	"math/rand/v2"

	"github.com/loadstone-hpc/loadstone/dist"
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
	g, err := b.Tests.Asymptotic(values, counts, law)
	if err != nil {
		return Goodness{}, err
	}
	size := int(g.KS.N)
	into := []*Significance{&g.KS.Significance}
	if b.Tests.AndersonDarling {
		into = append(into, &g.AD.Significance)
	}
	if b.Tests.Cells > 0 {
		into = append(into, &g.ChiSquare.Significance)
	}
	found, laws, err := Replicates{b.Replicates, b.Sequential, b.Seed, b.Workers}.Significances(b.statistics(g), func(rng *rand.Rand) (dist.Law, []float64, error) {
		values, counts := b.Draw(rng, law, size)
		refitted, err := b.Refit(values, counts)
		if err != nil {
			return nil, nil, err
		}
		of, err := b.Tests.Asymptotic(values, counts, refitted)
		return refitted, b.statistics(of), err
	})
	if err != nil {
		return Goodness{}, err
	}
	for i, s := range found {
		*into[i] = s
	}
	g.Laws = laws
	return g, nil
}

// statistics are those of the tests that are made, in the order of Goodness.
func (b Bootstrap) statistics(g Goodness) []float64 {
	all := []float64{g.KS.D}
	if b.Tests.AndersonDarling {
		all = append(all, g.AD.A2)
	}
	if b.Tests.Cells > 0 {
		all = append(all, g.ChiSquare.X2)
	}
	return all
}

// Asymptotic makes the tests, with p-values of a law that was not fitted to the sample. Kolmogorov-Smirnov's is always
// made. Errors are those of the tests.
func (t Tests) Asymptotic(values, counts []float64, law dist.Law) (Goodness, error) {
	if t.Cells != 0 {
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
