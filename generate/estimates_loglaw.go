package generate

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/loadstone-hpc/loadstone/model"
)

// runTimeSteps is how many ranges of run times an octave has, beside those that
// the estimates themselves bound.
const runTimeSteps = 8

// LogLaw draws each job's estimate independently, from the estimates of a log
// given the run time: constant memory, any order, any number of goroutines.
type LogLaw struct {
	stream stream
	times  []float64
	rows   ladder // upper ends of the ranges of run times with one law each
	laws   []cumulated
}

var _ Estimator = (*LogLaw)(nil)

// NewLogLaw returns the law of estimates given a run time, for a seed and the
// name of the jobs' class. By Bayes' rule, the probability of an estimate is
// proportional to its share in the log times the share of its jobs that ran for
// about as long. Within a cell of the accuracy, run times are uniform; the law
// is constant within ranges of run times of an eighth of an octave, divided at
// the estimates.
//
// If run times follow the log's distribution, so do the estimates and the
// accuracy. If no job of the log with an estimate of at least the run time ran
// for about as long, the law is the distribution of those estimates. Errors are
// those of model.LogEstimates.Validate.
func NewLogLaw(l model.LogEstimates, seed uint64, class string) (*LogLaw, error) {
	if err := l.Validate(); err != nil {
		return nil, err
	}
	c := &LogLaw{stream: newStream(seed, partEstimates, class), times: distribution(l).times()}
	edges := slices.Clone(c.times)
	most := c.times[len(c.times)-1]
	for k := 0; ; k++ {
		e := math.Ldexp(math.Exp(float64(k%runTimeSteps)*(math.Ln2/runTimeSteps)), k/runTimeSteps)
		if e >= most {
			break
		}
		edges = append(edges, e)
	}
	slices.Sort(edges)
	edges = slices.Compact(edges)
	c.rows = newLadder(edges)
	c.laws = make([]cumulated, len(edges))
	below := 0.0
	for row, edge := range edges {
		first, _ := slices.BinarySearch(c.times, edge)
		weights := make([]float64, len(l.Bins)-first)
		sum := 0.0
		for i, b := range l.Bins[first:] {
			weights[i] = b.Between(below, edge)
			sum += weights[i]
		}
		if sum == 0 {
			for i, b := range l.Bins[first:] {
				weights[i] = float64(b.Jobs)
			}
		}
		c.laws[row] = cumulate(weights)
		below = edge
	}
	return c, nil
}

// Estimate implements Estimator.
func (l *LogLaw) Estimate(jobs []int64, runs, requested []float64) error {
	if err := sameLength(jobs, runs, requested); err != nil {
		return err
	}
	var pcg rand.PCG
	rng := rand.New(&pcg)
	for i, r := range runs {
		row, ok := l.rows.findCut(r)
		if !ok {
			requested[i] = math.NaN()
			continue
		}
		l.stream.seed(&pcg, jobs[i])
		law := &l.laws[row]
		requested[i] = l.times[len(l.times)-len(law.sums)+law.draw(rng.Float64())]
	}
	return nil
}

// cumulated is a law of the last estimates, as many as are not below the upper
// end of its range of run times.
type cumulated struct {
	sums []float64 // of the weights
	// start is the estimate at which equal parts of the last sum begin, so
	// that a search is a step or two.
	start []int16
}

func cumulate(weights []float64) cumulated {
	c := cumulated{make([]float64, len(weights)), make([]int16, len(weights))}
	sum := 0.0
	for i, w := range weights {
		sum += w
		c.sums[i] = sum
	}
	at := 0
	for i := range c.start {
		for at < len(c.sums)-1 && c.sums[at] <= sum*(float64(i)/float64(len(c.start))) {
			at++
		}
		c.start[i] = int16(at)
	}
	return c
}

// draw takes x, uniform on [0, 1).
func (c *cumulated) draw(x float64) int {
	at := int(c.start[int(x*float64(len(c.start)))])
	u := x * c.sums[len(c.sums)-1]
	for at > 0 && c.sums[at-1] > u {
		at-- // start was rounded
	}
	for at < len(c.sums)-1 && c.sums[at] <= u {
		at++
	}
	return at
}

// distribution is the estimates of a log alone.
func distribution(l model.LogEstimates) Bins {
	bins := make(Bins, len(l.Bins))
	for i, b := range l.Bins {
		bins[i] = Bin{b.Time, b.Jobs}
	}
	return bins
}
