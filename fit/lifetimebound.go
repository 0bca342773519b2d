package fit

import (
	"cmp"
	"math"

	"github.com/loadstone-hpc/loadstone/workload"
)

// count adds jobs of one run time to a class.
func (c *LifetimeCollector) count(l *lifetimes, run, jobs float64) {
	run = rounded(run, c.digits)
	if _, ok := l.counts[run]; !ok {
		for c.values >= c.options.MaxValues {
			if c.digits <= fewestDigits {
				l.jobs -= int64(jobs)
				c.crowded += int64(jobs)
				return
			}
			c.coarsen()
			run = rounded(run, c.digits)
			if _, ok := l.counts[run]; ok {
				l.counts[run] += jobs
				return
			}
		}
		c.values++
	}
	l.counts[run] += jobs
}

// coarsen rounds all run times to fewer digits.
func (c *LifetimeCollector) coarsen() {
	c.digits = max(fewestDigits, min(c.digits, 14)-2)
	c.values = 0
	for _, l := range c.classes {
		counts := map[float64]float64{}
		for v, n := range l.counts {
			counts[rounded(v, c.digits)] += n
		}
		l.counts = counts
		c.values += len(counts)
	}
}

// rounded is v to so many binary digits.
func rounded(v float64, digits int) float64 {
	if digits >= exactDigits {
		return v
	}
	part, exponent := math.Frexp(v)
	return math.Ldexp(math.Round(math.Ldexp(part, digits)), exponent-digits)
}

// compare orders classes by their columns, those without a value last, then
// by period.
func (k classKey) compare(other classKey) int {
	for i, v := range k.cells {
		w := other.cells[i]
		switch {
		case v == w:
		case v == workload.Unknown:
			return 1
		case w == workload.Unknown:
			return -1
		default:
			return cmp.Compare(v, w)
		}
	}
	return cmp.Compare(k.period, other.period)
}
