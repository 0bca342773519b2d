package generate

import "fmt"

// RunTimeCounts contains the number of run times between each two adjacent
// estimates. An assignment of estimates needs no more: two run times between
// the same estimates can have the same ones. Its size is a few kilobytes,
// however many run times there are.
type RunTimeCounts struct {
	ladder ladder
	counts []int64 // of the run times up to each estimate that are above the one before
}

// Count returns an empty count of run times by the bins, which must be valid.
func (b Bins) Count() (*RunTimeCounts, error) {
	if err := b.Validate(); err != nil {
		return nil, err
	}
	return &RunTimeCounts{ladder: newLadder(b.times()), counts: make([]int64, len(b))}, nil
}

// Add counts run times, in seconds. A run time above the largest estimate
// counts as that estimate; an unknown one (see Estimator) is left out.
func (c *RunTimeCounts) Add(runs []float64) {
	for _, r := range runs {
		if at, ok := c.ladder.findCut(r); ok {
			c.counts[at]++
		}
	}
}

// Jobs returns the number of run times counted.
func (c *RunTimeCounts) Jobs() (n int64) {
	for _, k := range c.counts {
		n += k
	}
	return n
}

func (c *RunTimeCounts) sameTimes(times []float64) error {
	same := len(times) == len(c.ladder.edges)
	for i := 0; same && i < len(times); i++ {
		same = times[i] == c.ladder.edges[i]
	}
	if !same {
		return estimateError("run times", "a count by the same bins", "counted by other bins")
	}
	return nil
}

// LongRunsError is the error if more jobs run longer than some time than there
// are estimates above it, so that no assignment exists.
type LongRunsError struct {
	Longer    float64 // s
	Runs      float64 // share of the run times that are longer
	Estimates float64 // share of the estimates that are longer
	Max       float64 // the largest estimate, s
}

func (e *LongRunsError) Error() string {
	return fmt.Sprintf("generate: estimates: %.4g %% of the jobs run longer than %g s, but %.4g %% of the estimates are: want a maximum above %g s, or given bins with more jobs, above all at the maximum",
		100*e.Runs, e.Longer, 100*e.Estimates, e.Max)
}
