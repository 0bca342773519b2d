package lifetimes

import (
	"cmp"
	"math"
)

// count adds jobs of one run time to a class.
func (c *Collector) count(l *counted, run, jobs float64) {
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
func (c *Collector) coarsen() {
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

// compare orders classes by their columns, then by period.
func (k classKey) compare(other classKey) int {
	return cmp.Or(k.class.Compare(other.class), cmp.Compare(k.period, other.period))
}
