package runtime

import (
	"math"
	"slices"
	"sort"

	"github.com/loadstone-hpc/loadstone/stats"
)

// Distribution is a predictive distribution of one job's run time: the run
// times of like jobs, each with its weight, and a tail at either end. With an
// effective number n of like jobs, half of 1/(n+1) lies below the shortest,
// down to 0, and as much above the longest, up to twice the request or the
// longest run time met; both are uniform in ln(1+t).
//
// Quantile and Survival are corrected by what happened to earlier jobs (see kernelAim); Point is
// not.
type Distribution struct {
	values, weights []float64             // ascending; the weights add up to 1
	cumulative      []float64             // weights up to each, without the tails
	mean            float64               // s, without the tails
	tail            float64               // probability of either tail
	top             float64               // s, where the upper one ends
	logs            [3]float64            // ln(1+t) of the first value, the last one and the top
	logits          [kernelLevelN]float64 // of levels before correction, by kernelProbabilities
}

// setTails finds the tails, where most is the request or the longest run time.
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

// raw returns the quantile before correction, of a level in (0, 1).
func (d *Distribution) raw(level float64) float64 {
	switch {
	case level <= d.tail:
		return math.Expm1(d.logs[0] * level / d.tail)
	case level >= 1-d.tail:
		return math.Expm1(d.logs[1] + (d.logs[2]-d.logs[1])*(1-(1-level)/d.tail))
	}
	return d.sample((level - d.tail) / (1 - 2*d.tail))
}

// sample returns the quantile of the like jobs alone.
func (d *Distribution) sample(level float64) float64 {
	share := level * d.cumulative[len(d.cumulative)-1]
	return d.values[min(sort.SearchFloat64s(d.cumulative, share), len(d.values)-1)]
}

// Quantile returns the time in seconds within which the job ends with probability q, in
// (0, 1). The logit of the level is corrected evenly between those that are tracked, and
// beyond them by what the last one is corrected by.
func (d *Distribution) Quantile(q float64) float64 {
	return d.raw(logistic(between(kernelLogits[:], d.logits[:], logit(q))))
}

// between maps x by a line through pairs of ascending numbers, with slope 1
// beyond the ends.
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

// rawCDF returns the probability of up to t seconds before correction.
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

// Point returns the time in seconds that is best for an objective.
func (d *Distribution) Point(o stats.Objective) float64 { return o.Best(d.values, d.weights) }

// said are the quantiles of kernelProbabilities, which a Kernel corrects by what happens.
func (d *Distribution) said() (quantiles [kernelLevelN]float64) {
	for i, x := range d.logits {
		quantiles[i] = d.raw(logistic(x))
	}
	return quantiles
}
