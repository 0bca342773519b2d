package runtime

import (
	"math"
	"slices"
	"sort"

	"github.com/loadstone-hpc/loadstone/stats"
)

// Distribution is a predictive distribution of one job's run time: the run
// times of similar jobs, each with a weight, and a tail at either end. With an
// effective number n of similar jobs, the probability is 0.5/(n+1) from 0 to the
// shortest run time, and as much from the longest to twice the request or, without one,
// twice the longest run time of any job so far. Both tails are uniform in ln(1+t).
//
// Quantile and Survival are calibrated by the run times of earlier jobs (see kernelAim); Point
// is not.
type Distribution struct {
	values, weights []float64             // run times, s, ascending, and their weights, whose sum is 1
	cumulative      []float64             // sum of the weights up to each value, without the tails
	mean            float64               // s, without the tails
	tail            float64               // probability of each tail
	top             float64               // s, upper end of the upper tail
	logs            [3]float64            // ln(1+t) of the first value, the last value and top
	logits          [kernelLevelN]float64 // uncorrected levels at which kernelProbabilities are read
}

// setTails computes the fields after weights from values and weights. most is the request or,
// without one, the longest run time so far.
func (d *Distribution) setTails(most float64) {
	first, last := d.values[0], d.values[len(d.values)-1]
	sum, squares, work := 0.0, 0.0, 0.0
	d.cumulative = d.cumulative[:0]
	for i, w := range d.weights {
		squares += w * w
		work += w * d.values[i]
		sum += w
		d.cumulative = append(d.cumulative, sum)
	}
	d.mean = work / sum
	d.tail = 0.5 / (sum*sum/squares + 1)
	d.top = 2 * max(most, last, 1)
	d.logs = [3]float64{math.Log1p(first), math.Log1p(last), math.Log1p(d.top)}
}

// raw returns the uncorrected quantile of a level in (0, 1).
func (d *Distribution) raw(level float64) float64 {
	switch {
	case level <= d.tail:
		return math.Expm1(d.logs[0] * level / d.tail)
	case level >= 1-d.tail:
		return math.Expm1(d.logs[1] + (d.logs[2]-d.logs[1])*(1-(1-level)/d.tail))
	}
	return d.sample((level - d.tail) / (1 - 2*d.tail))
}

// sample returns the quantile of the similar jobs, without the tails.
func (d *Distribution) sample(level float64) float64 {
	share := level * d.cumulative[len(d.cumulative)-1]
	return d.values[min(sort.SearchFloat64s(d.cumulative, share), len(d.values)-1)]
}

// Quantile returns the time in seconds within which the job ends with probability q, in
// (0, 1). The correction of the logit of q is interpolated between the levels of
// kernelProbabilities, and is constant beyond them.
func (d *Distribution) Quantile(q float64) float64 {
	return d.raw(logistic(between(kernelLogits[:], d.logits[:], logit(q))))
}

// between maps x by linear interpolation through the points (from[i], to[i]), with slope 1
// beyond the ends. Both slices are ascending.
func between(from, to []float64, x float64) float64 {
	last := len(from) - 1
	switch i, _ := slices.BinarySearch(from, x); {
	case i == 0:
		return to[0] + x - from[0]
	case i > last:
		return to[last] + x - from[last]
	default:
		width := from[i] - from[i-1]
		if !(width > 0) {
			return to[i]
		}
		return to[i-1] + (to[i]-to[i-1])*(x-from[i-1])/width
	}
}

// Survival returns the probability that the job runs longer than t seconds.
func (d *Distribution) Survival(t float64) float64 {
	return logistic(-between(d.logits[:], kernelLogits[:], logit(d.rawCDF(t))))
}

// rawCDF returns the uncorrected probability of a run time of at most t seconds.
func (d *Distribution) rawCDF(t float64) float64 {
	first, last := d.values[0], d.values[len(d.values)-1]
	switch {
	case !(t >= 0):
		return 0
	case t < first:
		return d.tail * math.Log1p(t) / d.logs[0]
	case t >= d.top:
		return 1
	case t >= last:
		return 1 - d.tail*(1-(math.Log1p(t)-d.logs[1])/(d.logs[2]-d.logs[1]))
	}
	i := sort.Search(len(d.values), func(i int) bool { return d.values[i] > t }) // at least 1
	return d.tail + (1-2*d.tail)*d.cumulative[i-1]/d.cumulative[len(d.cumulative)-1]
}

// Point returns the time in seconds that is the best prediction for an objective.
func (d *Distribution) Point(o stats.Objective) float64 { return o.Best(d.values, d.weights) }

// said returns the quantiles of kernelProbabilities. A Kernel adjusts its correction by them
// when the job ends.
func (d *Distribution) said() (quantiles [kernelLevelN]float64) {
	for i, x := range d.logits {
		quantiles[i] = d.raw(logistic(x))
	}
	return quantiles
}
