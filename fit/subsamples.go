package fit

import (
	"fmt"
	"math/rand/v2"
	"sort"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/internal/par"
	"github.com/loadstone-hpc/loadstone/stats"
)

// Subsamples is how often random parts of a sample pass the test that all of
// it, being large, must fail: Lublin and Feitelson (2003), section 3.2.1, draw
// 500 to 1000 jobs. The share of passes is itself no p-value.
type Subsamples struct {
	Samples           int     // parts drawn
	Smallest, Largest int     // jobs in a part, all sizes as likely
	Level             float64 // of the test
	Passed            int     // parts whose asymptotic p-value is at least Level
	Seed              uint64
}

// Share returns the share of the parts that passed.
func (s Subsamples) Share() float64 { return float64(s.Passed) / float64(s.Samples) }

// The parts of Lublin and Feitelson (2003).
const (
	subsampleSmallest = 500
	subsampleLargest  = 1000
	subsampleLevel    = 0.05
)

func newSubsamples(samples int, seed uint64) Subsamples {
	return Subsamples{Samples: samples, Smallest: subsampleSmallest, Largest: subsampleLargest, Level: subsampleLevel, Seed: seed}
}

// Resample draws parts of 500 to 1000 jobs, with replacement, from a
// sample to which a law was fitted, and tests each against the law at 5 %. It
// is an error if samples is below 1 or the sample has none of the jobs that r
// is over. The result does not depend on the number of cores.
func Resample(r Report, s Sample, samples int, seed uint64) (Subsamples, error) {
	out := newSubsamples(samples, seed)
	if samples < 1 {
		return out, fmt.Errorf("fit: %d subsamples, want at least 1", samples)
	}
	t := r.task(s)
	if len(t.x) == 0 {
		return out, fmt.Errorf("fit: subsamples of %s: no jobs", r.Attribute)
	}
	out.Passed = t.passed(r.following(), out)
	return out, nil
}

// passed draws parts of the task's sample and returns how many pass.
func (t task) passed(law dist.Law, s Subsamples) int {
	values, counts, tests := t.x, t.sample.Counts, stats.Tests{Rounded: t.roundedTo()}
	upTo := make([]float64, len(counts))
	total := 0.0
	for i, c := range counts {
		total += c
		upTo[i] = total
	}
	passes := make([]bool, s.Samples)
	par.Each(0, s.Samples, func(i int) {
		rng := rand.New(rand.NewPCG(s.Seed, uint64(i)))
		x := make([]float64, s.Smallest+rng.IntN(s.Largest-s.Smallest+1))
		for j := range x {
			at := sort.SearchFloat64s(upTo, total*(1-rng.Float64()))
			x[j] = values[min(at, len(values)-1)]
		}
		v, c := stats.Distinct(x)
		g, err := tests.Asymptotic(v, c, law)
		passes[i] = err == nil && g.KS.PValue >= s.Level
	})
	n := 0
	for _, p := range passes {
		if p {
			n++
		}
	}
	return n
}
