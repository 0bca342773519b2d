package stats

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/internal/par"
)

// Replicates says how many samples a parametric bootstrap draws. The result does not depend
// on Workers.
type Replicates struct {
	N          int    // samples drawn, at least 1
	Sequential int    // stop once every test has exceeded this often; 0 to draw all N
	Seed       uint64 // seeds each replicate, together with its number
	Workers    int    // goroutines; 0 means one per core
}

// Significances returns the p-values of the statistics of a sample, and the laws refitted
// to the replicates, in order. replicate draws a sample, refits the law and computes the
// same statistics; it is called from several goroutines. A replicate that cannot be
// refitted counts as failed. It is an error if all fail.
func (b Replicates) Significances(of []float64, replicate func(rng *rand.Rand) (dist.Law, []float64, error)) ([]Significance, []dist.Law, error) {
	type drawn struct {
		law dist.Law
		of  []float64
		err error
	}
	replicates := par.Map(b.Workers, par.Numbers(context.Background(), b.N), func(i int) (d drawn, _ error) {
		d.law, d.of, d.err = replicate(rand.New(rand.NewPCG(b.Seed, uint64(i))))
		return d, nil
	}, nil)
	out := make([]Significance, len(of))
	for i := range out {
		out[i] = Significance{Method: ParametricBootstrap, Seed: b.Seed}
	}
	var laws []dist.Law
	var lastErr error
	for r := range replicates {
		if r.err != nil {
			lastErr = r.err
		} else {
			laws = append(laws, r.law)
		}
		done := true
		for i := range out {
			out[i].count(r.err != nil, func() bool { return r.of[i] >= of[i] }, b.Sequential)
			done = done && out[i].Stopped
		}
		if done {
			break
		}
	}
	if len(laws) == 0 {
		return nil, nil, fmt.Errorf("stats: bootstrap: none of %d replicates could be refitted: %w", out[0].Replicates, lastErr)
	}
	for i := range out {
		out[i].finish()
	}
	return out, laws, nil
}

// count takes in a replicate, unless the test has stopped.
func (s *Significance) count(failed bool, exceeds func() bool, sequential int) {
	switch {
	case s.Stopped:
		return
	case failed:
		s.Failed++
	case exceeds():
		s.Exceeded++
		s.Stopped = s.Exceeded == sequential
	}
	s.Replicates++
}

// finish turns the counts into the p-value.
func (s *Significance) finish() {
	drawn := s.Replicates - s.Failed
	if s.Stopped {
		s.PValue = float64(s.Exceeded) / float64(drawn)
	} else {
		s.PValue = float64(1+s.Exceeded) / float64(1+drawn)
	}
}

// DrawTimes draws len(times) of len(times) items with replacement, and sets times[i] to how
// often item i was drawn.
func DrawTimes(rng *rand.Rand, times []int) {
	clear(times)
	for range times {
		times[rng.IntN(len(times))]++
	}
}
