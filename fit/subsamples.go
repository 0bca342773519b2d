package fit

import (
	"fmt"
	"math"
	"math/rand/v2"
	"sort"

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

// Resample draws parts of 500 to 1000 jobs, with replacement, from a
// sample to which a law was fitted, and tests each against the law at 5 %. It
// is an error if samples is below 1 or the sample has none of the jobs that r
// is over. The result does not depend on the number of cores.
func Resample(r Report, s Sample, samples int, seed uint64) (Subsamples, error) {
	out := Subsamples{Samples: samples, Smallest: subsampleSmallest, Largest: subsampleLargest, Level: subsampleLevel, Seed: seed}
	if samples < 1 {
		return out, fmt.Errorf("fit: %d subsamples, want at least 1", samples)
	}
	if r.Transform != None {
		s, _ = s.above(r.Transform.least())
	}
	if s.Jobs() == 0 {
		return out, fmt.Errorf("fit: subsamples of %s: no jobs", r.Attribute)
	}
	upTo := make([]float64, len(s.Counts))
	total := 0.0
	for i, c := range s.Counts {
		total += c
		upTo[i] = total
	}
	passed := make([]bool, samples)
	par.Each(0, samples, func(i int) {
		rng := rand.New(rand.NewPCG(seed, uint64(i)))
		x := make([]float64, subsampleSmallest+rng.IntN(subsampleLargest-subsampleSmallest+1))
		for j := range x {
			at := sort.SearchFloat64s(upTo, total*(1-rng.Float64()))
			x[j] = r.Transform.Apply(s.Values[min(at, len(s.Values)-1)])
		}
		values, counts := stats.Distinct(x)
		if ks, err := stats.KolmogorovSmirnov(values, counts, r.Law); err == nil && !math.IsNaN(ks.PValue) {
			passed[i] = ks.PValue >= subsampleLevel
		}
	})
	for _, p := range passed {
		if p {
			out.Passed++
		}
	}
	return out, nil
}
