package fit

import (
	"fmt"
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/workload"
)

// EstimateCounter counts the estimates of a log. Its memory is that of
// model.MaxEstimateBins estimates.
type EstimateCounter struct {
	log  model.LogEstimates // without bins
	bins map[float64]*model.LogEstimate
}

// NewEstimateCounter returns an empty counter. Estimates are rounded up to
// multiples of roundTo seconds, such as 60 for logs whose users request odd
// times; 0 means no rounding.
func NewEstimateCounter(roundTo float64) (*EstimateCounter, error) {
	if !(roundTo >= 0 && roundTo <= model.MaxEstimateRound) {
		return nil, fmt.Errorf("requested times are to be rounded up to multiples of %g s, want 0, or a number above 0 and at most %d", roundTo, model.MaxEstimateRound)
	}
	return &EstimateCounter{model.LogEstimates{RoundTo: roundTo}, map[float64]*model.LogEstimate{}}, nil
}

// Add counts jobs by run time and requested time, in seconds; NaN is unknown.
// It is an error if there are more than model.MaxEstimateBins distinct
// estimates; the counter cannot be used then.
func (c *EstimateCounter) Add(runs, requested []float64) error {
	if len(runs) != len(requested) {
		return fmt.Errorf("%d run times and %d requested times, want as many of both", len(runs), len(requested))
	}
	for i, e := range requested {
		if err := c.add(runs[i], e); err != nil {
			return err
		}
	}
	return nil
}

func (c *EstimateCounter) add(r, e float64) error {
	if c.log.RoundTo > 0 {
		e = math.Ceil(e/c.log.RoundTo) * c.log.RoundTo
	}
	if !usable(r, e) {
		c.log.LeftOut++
		return nil
	}
	b, err := c.bin(e)
	if err != nil {
		return err
	}
	if r > e {
		c.log.Overrun++
	}
	b.Jobs++
	b.Accuracy[model.AccuracyCell(r, e)]++
	return nil
}

// usable says whether a job's run time and estimate are known.
func usable(r, e float64) bool {
	return r >= 0 && r <= math.MaxFloat64 && e > 0 && e <= model.MaxEstimateTime
}

func (c *EstimateCounter) bin(e float64) (*model.LogEstimate, error) {
	b, ok := c.bins[e]
	if !ok {
		if len(c.bins) == model.MaxEstimateBins {
			return nil, fmt.Errorf("more than %d different requested times, want them rounded to more than %g s", model.MaxEstimateBins, c.log.RoundTo)
		}
		b = &model.LogEstimate{Time: e}
		c.bins[e] = b
	}
	return b, nil
}

// merge adds the counts of another counter with the same rounding. Errors are
// those of Add.
func (c *EstimateCounter) merge(other *EstimateCounter) error {
	if c.log.RoundTo != other.log.RoundTo {
		return fmt.Errorf("requested times counted by multiples of %g s and of %g s, want one for both", c.log.RoundTo, other.log.RoundTo)
	}
	c.log.LeftOut += other.log.LeftOut
	c.log.Overrun += other.log.Overrun
	for e, o := range other.bins {
		b, err := c.bin(e)
		if err != nil {
			return err
		}
		b.Jobs += o.Jobs
		for k, n := range o.Accuracy {
			b.Accuracy[k] += n
		}
	}
	return nil
}

// Result returns the counted estimates. It is an error if no job had one.
func (c *EstimateCounter) Result() (model.LogEstimates, error) {
	l := c.log
	for _, b := range c.bins {
		l.Bins = append(l.Bins, *b)
	}
	slices.SortFunc(l.Bins, func(a, b model.LogEstimate) int {
		if a.Time < b.Time {
			return -1
		}
		return 1
	})
	if len(l.Bins) == 0 {
		return model.LogEstimates{}, fmt.Errorf("none of %d jobs has both a requested time above 0 and a run time", l.LeftOut)
	}
	return l, nil
}

// estimateRounds are the multiples, in seconds, to which requested times are
// rounded up: the first of which no more than model.MaxEstimateBins are left.
var estimateRounds = [...]float64{0, 60, 900}

// asked counts the requested times of a class with every rounding, since which
// one will do is known at the end only. Its memory is that of three counters,
// however many jobs and different times there are. The zero value is empty.
type asked struct {
	counters [len(estimateRounds)]*EstimateCounter // nil where there are too many times
	some     bool
}

func (a *asked) begin() {
	if a.some {
		return
	}
	a.some = true
	for i, round := range estimateRounds {
		a.counters[i], _ = NewEstimateCounter(round) // in range
	}
}

func (a *asked) add(j *workload.Job) {
	if !usable(j.Run, j.Time) {
		return
	}
	a.begin()
	for i, c := range a.counters {
		if c != nil && c.add(j.Run, j.Time) != nil {
			a.counters[i] = nil
		}
	}
}

func (a *asked) merge(later *asked) {
	if !later.some {
		return
	}
	a.begin()
	for i, c := range a.counters {
		if c != nil && (later.counters[i] == nil || c.merge(later.counters[i]) != nil) {
			a.counters[i] = nil
		}
	}
}

// Estimates returns the requested times of the jobs, rounded up as little as
// possible; nil, and no error, if no job has one.
func (c *Collector) Estimates() (*model.LogEstimates, error) {
	if !c.asked.some {
		return nil, nil
	}
	for _, counter := range c.asked.counters {
		if counter == nil {
			continue
		}
		l, err := counter.Result()
		if err != nil {
			return nil, err
		}
		l.LeftOut = c.Jobs() - l.Jobs()
		return &l, nil
	}
	return nil, fmt.Errorf("there are more than %d of them, even in multiples of %g s", model.MaxEstimateBins, estimateRounds[len(estimateRounds)-1])
}
