package plan

import (
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/workload"
)

// RunTimes returns the distribution of a program's run time on size processors,
// and false if it is unknown.
type RunTimes func(size int64) (predict.RunTimeDistribution, bool)

// Exactly returns RunTimes for exactly known run times, such as those of
// predict.RunByTable.
func Exactly(run predict.RunBySize) RunTimes {
	return func(size int64) (predict.RunTimeDistribution, bool) {
		x := run(size)
		return Quantiles{levels: []float64{0.5}, seconds: []float64{x}}, x >= 0 && !math.IsInf(x, 1)
	}
}

// Quantiles is a distribution given by some of its quantiles: linear between
// them, with nothing below the first or above the last.
type Quantiles struct{ levels, seconds []float64 }

var _ predict.RunTimeDistribution = Quantiles{}

// NewQuantiles returns the distribution of pairs of a level, in (0, 1), and the seconds
// within which the job ends with that probability. Both ascend; the seconds may stay the
// same. It is a *workload.OptionError if they do not.
func NewQuantiles(levels, seconds []float64) (Quantiles, error) {
	if len(levels) == 0 || len(levels) != len(seconds) {
		return Quantiles{}, workload.OptionFault("run-times", len(seconds), "a run time for each of %d levels, and at least one", len(levels))
	}
	level, before := 0.0, 0.0
	for i, x := range seconds {
		switch {
		case !(levels[i] > level && levels[i] < 1):
			return Quantiles{}, workload.OptionFault("run-times", levels[i], "ascending levels above 0 and below 1")
		case !(x >= before) || math.IsInf(x, 1):
			return Quantiles{}, workload.OptionFault("run-times", x, "ascending seconds, at least 0")
		}
		level, before = levels[i], x
	}
	return Quantiles{slices.Clone(levels), slices.Clone(seconds)}, nil
}

// Quantile implements predict.RunTimeDistribution.
func (d Quantiles) Quantile(q float64) float64 {
	i, _ := slices.BinarySearch(d.levels, q)
	switch {
	case i == 0:
		return d.seconds[0]
	case i == len(d.levels):
		return d.seconds[i-1]
	}
	share := (q - d.levels[i-1]) / (d.levels[i] - d.levels[i-1])
	return d.seconds[i-1] + share*(d.seconds[i]-d.seconds[i-1])
}

// Survival implements predict.RunTimeDistribution.
func (d Quantiles) Survival(t float64) float64 {
	i := 0 // the first that is longer
	for i < len(d.seconds) && d.seconds[i] <= t {
		i++
	}
	switch {
	case i == 0:
		return 1
	case i == len(d.seconds):
		return 0
	}
	share := (t - d.seconds[i-1]) / (d.seconds[i] - d.seconds[i-1])
	return 1 - d.levels[i-1] - share*(d.levels[i]-d.levels[i-1])
}

// runs is a distribution as equally likely run times, ascending, with their sums.
type runs struct{ seconds, sums []float64 }

// runPoints is how many they are.
const runPoints = 1000

func newRuns(d predict.RunTimeDistribution) runs {
	r := runs{make([]float64, runPoints), make([]float64, runPoints+1)}
	for i := range r.seconds {
		x := max(0, d.Quantile((float64(i)+0.5)/runPoints))
		if i > 0 {
			x = max(x, r.seconds[i-1])
		}
		r.seconds[i], r.sums[i+1] = x, r.sums[i]+x
	}
	return r
}

func (r *runs) longest() float64 { return r.seconds[runPoints-1] }

// upTo returns, for a job that runs longer than after, its mean run time up to a
// limit, and the probability that the limit ends it. after is 0 for any job.
func (r *runs) upTo(after, limit float64) (mean, killed float64) {
	longer := func(t float64) int {
		i, _ := slices.BinarySearchFunc(r.seconds, t, func(x, t float64) int {
			if x <= t {
				return -1
			}
			return 1
		})
		return i
	}
	from, to := 0, longer(limit)
	if after > 0 {
		from = longer(after)
	}
	n := float64(runPoints - from)
	if n == 0 {
		return 0, 0
	}
	over := float64(runPoints - to)
	return (r.sums[to] - r.sums[from] + over*limit) / n, over / n
}
