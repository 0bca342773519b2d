package fit

import (
	"math/rand/v2"
	"sort"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/internal/par"
	"github.com/loadstone-hpc/loadstone/stats"
)

// Subsamples counts the random parts of a sample that pass the Kolmogorov-Smirnov test, which a
// large sample as a whole always fails. Lublin and Feitelson (2003), section 3.2.1, draw parts of
// 500 to 1000 jobs. The share of parts that pass is not a p-value.
type Subsamples struct {
	Samples  int     `json:"samples"`                      // number of parts drawn
	Smallest int     `json:"smallest"`                     // smallest number of jobs in a part; all numbers from Smallest
	Largest  int     `json:"largest"`                      // to Largest are equally likely
	Level    float64 `json:"level"`                        // level of the test
	Passed   int     `json:"passed"`                       // number of parts whose asymptotic p-value is at least Level
	Share    float64 `json:"share" show:"that pass,share"` // share of the parts that passed
}

// The parts of Lublin and Feitelson (2003).
const (
	subsampleSmallest = 500
	subsampleLargest  = 1000
	subsampleLevel    = 0.05
)

// subsamples draws parts of 500 to 1000 jobs, with replacement, from the task's
// sample and tests each against the law at 5 %. The result does not depend on
// the number of cores.
func (t task) subsamples(law dist.Law, samples int, seed uint64) *Subsamples {
	s := &Subsamples{Samples: samples, Smallest: subsampleSmallest, Largest: subsampleLargest, Level: subsampleLevel}
	values, counts := t.x, t.sample.Counts
	upTo := make([]float64, len(counts))
	total := 0.0
	for i, c := range counts {
		total += c
		upTo[i] = total
	}
	passes := make([]bool, s.Samples)
	par.Each(0, s.Samples, func(i int) {
		rng := rand.New(rand.NewPCG(seed, uint64(i)))
		x := make([]float64, s.Smallest+rng.IntN(s.Largest-s.Smallest+1))
		for j := range x {
			at := sort.SearchFloat64s(upTo, total*(1-rng.Float64()))
			x[j] = values[min(at, len(values)-1)]
		}
		v, c := stats.Distinct(x)
		g, err := stats.GoodnessOfFit(v, c, law, stats.Tests{})
		passes[i] = err == nil && float64(g.KS.PValue) >= s.Level
	})
	for _, p := range passes {
		if p {
			s.Passed++
		}
	}
	s.Share = float64(s.Passed) / float64(samples)
	return s
}
