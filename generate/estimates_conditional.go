package generate

import (
	"math"
	"math/rand/v2"
)

// Conditional draws each job's estimate independently, from a law given its run
// time: constant memory, any order, any number of goroutines.
//
// Each range of run times, from the longest down, takes the same proportion of
// every estimate that is still free, so the remaining estimates keep their
// proportions: estimate k has one weight for all the ranges that may have it.
// Only if a range takes all that remain do shorter ranges have no longer
// estimates.
type Conditional struct {
	stream stream
	rows   ladder // the estimates, and the upper ends of the ranges of run times
	end    []int  // of each range: its estimates are from its own up to here
	// above is, for each estimate, the sum of the weights of it and of the
	// longer ones of its range.
	above []float64
}

var _ Estimator = (*Conditional)(nil)

// NewConditional returns the law to which the assignment of Tsafrir, Etsion and
// Feitelson (2005) tends for many jobs with constant shares of the bins and of
// the run times between them. In that assignment each job, from the longest
// down, takes one of the unused estimates that are not below its run time, all
// equally likely. bins and runs may have different numbers of jobs: runs may
// count a sample.
//
// Here jobs are independent, so the number of jobs with an estimate is
// binomial, with the bin's number as its mean and at most the square root of
// that as its standard deviation. The assignment gives exactly the bin's
// number.
//
// Errors are those of Bins.Validate, *workload.OptionError if runs is empty or
// was counted by other bins, and *LongRunsError.
func NewConditional(bins Bins, runs *RunTimeCounts, seed uint64, class string) (*Conditional, error) {
	if err := assignable(bins, runs); err != nil {
		return nil, err
	}
	n := len(bins)
	c := &Conditional{newStream(seed, partEstimates, class), newLadder(bins.times()), make([]int, n), make([]float64, n)}
	all, jobs := float64(bins.Jobs()), float64(runs.Jobs())
	end, sum, kept := n, 0.0, 1.0 // kept is what is left of the first weight of the sum
	for i := n - 1; i >= 0; i-- {
		sum += float64(bins[i].Jobs) / all / kept
		c.end[i], c.above[i] = end, sum
		kept -= float64(runs.counts[i]) / jobs / sum
		if kept < 1e-12 {
			end, sum, kept = i, 0, 1
		}
	}
	return c, nil
}

// assignable checks that the k-th run time is at most the k-th estimate, for
// all shares.
func assignable(bins Bins, runs *RunTimeCounts) error {
	if err := bins.Validate(); err != nil {
		return err
	}
	if runs == nil || runs.Jobs() == 0 {
		return estimateError("run times", "at least one", "none counted")
	}
	if err := runs.sameTimes(bins.times()); err != nil {
		return err
	}
	all, jobs := float64(bins.Jobs()), float64(runs.Jobs())
	n, estimates := 0.0, 0.0
	for i := len(bins) - 1; i >= 0; i-- {
		n += float64(runs.counts[i]) // exact: below 2^53
		estimates += float64(bins[i].Jobs)
		if n/jobs > estimates/all && i > 0 {
			return &LongRunsError{Longer: bins[i-1].Time, Runs: n / jobs, Estimates: estimates / all, Max: bins.Max()}
		}
	}
	return nil
}

// Estimate implements Estimator.
func (c *Conditional) Estimate(jobs []int64, runs, requested []float64) error {
	if err := sameLength(jobs, runs, requested); err != nil {
		return err
	}
	var pcg rand.PCG
	rng := rand.New(&pcg)
	for i, r := range runs {
		row, ok := c.rows.findCut(r)
		if !ok {
			requested[i] = math.NaN()
			continue
		}
		c.stream.seed(&pcg, jobs[i])
		// The longest estimate with a sum of at least u, by halves.
		u := rng.Float64() * c.above[row]
		for n := c.end[row] - row; n > 1; {
			half := n / 2
			if c.above[row+half] > u {
				row += half
			}
			n -= half
		}
		requested[i] = c.rows.edges[row]
	}
	return nil
}
