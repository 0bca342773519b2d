package capacity

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// Level is the level of intervals and bands.
const Level = 0.9

const (
	replicates = 399
	kernel     = 7 // number of equally likely deviations of the work of a week
)

// site contains the weeks that a site might have had, as drawn by one replicate.
type site []siteWeek

// siteWeek is a week of the log with its work multiplied by a factor.
type siteWeek struct {
	week  int
	times float64 // factor of its work; waits on a machine are those of the log's week on one smaller by this factor
	count float64 // number of times that it occurs
}

// same returns the site with the weeks of the log.
func (s *study) same() (weeks site) {
	for w := range s.weeks {
		weeks = append(weeks, siteWeek{w, 1, 1})
	}
	return weeks
}

// replicate draws a site from the work of a log's weeks. A few weeks contain little information
// on the busiest weeks of a site, which determine how long users wait, so a bootstrap of the weeks
// alone gives intervals that are too short and machines that are too small. In a replicate
//
//   - weeks are drawn with replacement, in blocks if busy weeks follow each other;
//   - the deviations of the logarithms of their work from the mean are multiplied by a random
//     factor, for the uncertainty of the site's standard deviation given that of the log, as
//     for normal values with as many degrees of freedom;
//   - each is smoothed by a normal kernel of Silverman's width, and shrunk so that the variance
//     remains the same (Silverman and Young 1987).
//
// The waits of a week with r times the work on a machine of N processors are assumed to be those of
// the log's week on a machine of N/r.
func replicate(work []float64, block int, rng *rand.Rand) (drawn site) {
	logs := logarithms(work)
	n := float64(len(logs))
	mean, deviation := stat.MeanStdDev(logs, nil)
	free := max(1, n/float64(block)-1)
	spread := math.Sqrt(free / (distuv.ChiSquared{K: free, Src: rng}).Rand() * (n / max(1, n-float64(block))))
	width := silverman(logs, deviation)
	shrink := 1 / math.Hypot(1, width/deviation)
	if deviation == 0 {
		width, shrink = 0, 1
	}
	counts := make([]float64, len(work))
	at := 0
	for i := range work {
		if at++; i%block == 0 {
			at = rng.IntN(len(work)) // a block that reaches the end continues at the beginning
		}
		counts[at%len(work)]++
	}
	for w, count := range counts {
		switch {
		case count == 0:
		case work[w] == 0:
			drawn = append(drawn, siteWeek{w, 1, count})
		default:
			off := (shrink*spread - 1) * (math.Log(work[w]) - mean)
			for i := range kernel {
				z := distuv.UnitNormal.Quantile((float64(i) + 0.5) / kernel)
				times := math.Exp(off + shrink*width*z)
				drawn = append(drawn, siteWeek{w, times, count / kernel})
			}
		}
	}
	return drawn
}

// logarithms returns the natural logarithms of the values above 0.
func logarithms(values []float64) (logs []float64) {
	for _, x := range values {
		if x > 0 {
			logs = append(logs, math.Log(x))
		}
	}
	return logs
}

// silverman returns the width of a kernel by Silverman's rule: 0.9 times the standard deviation,
// or that of a normal sample with the same quartiles if it is smaller, divided by the fifth root of
// the number of values.
func silverman(values []float64, deviation float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	quartiles := stat.Quantile(0.75, stat.LinInterp, sorted, nil) - stat.Quantile(0.25, stat.LinInterp, sorted, nil)
	return 0.9 * min(deviation, quartiles/1.34) * math.Pow(float64(len(values)), -0.2)
}

// blockOf returns the number of successive weeks that are drawn together: the cube root of the
// number of weeks if the work of successive weeks is correlated (by the criterion of Politis and
// White 2004), else 1.
func blockOf(work []float64) int {
	n := float64(len(work))
	if r := stat.Correlation(work[1:], work[:len(work)-1], nil); r > 2*math.Sqrt(math.Log10(n)/n) {
		return int(math.Round(math.Cbrt(n)))
	}
	return 1
}

// excess returns the mean Target.excess of a site's jobs on a machine of a size; NaN if the site
// has no jobs of the target.
func (c curve) excess(s site, size float64) float64 {
	var jobs, excess float64
	for _, w := range s {
		n := w.count * w.times * c[0].weeks[w.week].jobs
		jobs += n
		excess += n * c.between(size/w.times, func(o *outcome) float64 {
			return o.weeks[w.week].excess / max(1, o.weeks[w.week].jobs)
		})
	}
	return excess / jobs
}

// between returns the value at a size: interpolated linearly in the logarithm of the size between
// simulated sizes, and that of the nearest beyond them.
func (c curve) between(size float64, value func(*outcome) float64) float64 {
	i, _ := slices.BinarySearchFunc(c, size, func(o *outcome, size float64) int { return cmp.Compare(float64(o.size), size) })
	if i == 0 || i == len(c) {
		return value(c[min(i, len(c)-1)])
	}
	low, high := float64(c[i-1].size), float64(c[i].size)
	part := math.Log(size/low) / math.Log(high/low)
	return (1-part)*value(c[i-1]) + part*value(c[i])
}

// meeting returns the smallest size, within the simulated range, at which a site meets a target;
// NaN if the site has no jobs of the target.
func (c curve) meeting(t Target, s site) float64 {
	if math.IsNaN(c.excess(s, float64(c[0].size))) {
		return math.NaN()
	}
	low, high := float64(c[0].size), float64(c[len(c)-1].size)
	for high > 1.001*low {
		if middle := math.Sqrt(low * high); c.excess(s, middle) > t.most() {
			low = middle
		} else {
			high = middle
		}
	}
	return high
}

// spread returns the interval of the number that value computes from a workload and the weeks of
// a site. Each replicate draws weeks for one of the workloads in turn. The ratio of its number to
// that of the workload's own weeks multiplies the number of the log's jobs, as recorded or with
// eager users, also in turn. Replicates whose number is NaN, for example without jobs of the
// target in the drawn weeks, are ignored; if all are, the interval is NaN.
func (s *study) spread(value func(workload int, weeks site) float64, workloads int) (low, high float64) {
	block := blockOf(s.sets[0].work)
	rng := rand.New(rand.NewPCG(s.o.Seed, 0)) // the same for all policies
	own := make([]float64, workloads)
	for w := range own {
		own[w] = value(w, s.same())
	}
	var values []float64
	for i := range replicates {
		w := i % workloads
		drawn := replicate(s.sets[w].work, block, rng)
		if x := own[i/workloads%s.behaviours] * value(w, drawn) / own[w]; !math.IsNaN(x) {
			values = append(values, x)
		}
	}
	if len(values) == 0 {
		return math.NaN(), math.NaN()
	}
	slices.Sort(values)
	tail := max(1, int(math.Round((1-Level)/2*float64(len(values)+1))))
	return values[tail-1], values[len(values)-tail]
}
