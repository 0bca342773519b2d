package fit

import (
	"cmp"
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/model"
)

// Shape is a size and a run time in seconds, NaN if unknown, and the number of
// jobs that have both.
type Shape struct{ Size, Run, Jobs float64 }

// Shapes returns the jobs by size, then run time, unknown ones first.
func (c *Collector) Shapes() []Shape {
	list := make([]shape, 0, len(c.shapes))
	for k := range c.shapes {
		list = append(list, k)
	}
	slices.SortFunc(list, func(a, b shape) int {
		return cmp.Or(cmp.Compare(a.size, b.size), cmp.Compare(a.run, b.run))
	})
	shapes := make([]Shape, len(list))
	for i, k := range list {
		shapes[i] = Shape{orNaN(k.size), orNaN(k.run), c.shapes[k]}
	}
	return shapes
}

// SizeRange is the sizes from From to To, both included.
type SizeRange struct {
	From int64 `json:"smallest"`
	To   int64 `json:"largest"`
}

// Has reports whether a size is in the range.
func (r SizeRange) Has(size float64) bool {
	return size >= float64(r.From) && size <= float64(r.To)
}

// SampleOfSizes is Sample restricted to the jobs in a range of sizes.
func (c *Collector) SampleOfSizes(a Attribute, r SizeRange) Sample {
	counts := map[float64]float64{}
	missing := 0.0
	for k, n := range c.shapes {
		if !r.Has(k.size) {
			continue
		}
		if v := k.of(a); math.IsNaN(v) {
			missing += n
		} else {
			counts[v] += n
		}
	}
	return SampleOfCounts(a, counts, int64(missing))
}

// Gaps returns the interarrival times, of all jobs and between two jobs of the
// same peak period.
func (c *Collector) Gaps() (all, peak Sample) {
	return SampleOfCounts(Interarrival, c.all, c.noGap), SampleOfCounts(Interarrival, c.peak, 0)
}

// Late returns how many jobs came after one submitted later.
func (c *Collector) Late() int64 { return c.late }

// Slots returns how many jobs were submitted in each half hour of the site's
// day, from midnight on; all 0 if the log's start time is unknown.
func (c *Collector) Slots() [model.Slots]float64 { return c.slots }

// Span returns the times of the first and the last submission, in seconds of
// the log; known is false if there is none.
func (c *Collector) Span() (first, last float64, known bool) {
	return c.first.seconds, c.last.seconds, c.first.known
}

// Weekdays returns the number of jobs submitted on each day of the week, from
// Sunday on, and the seconds of the log that lie on it. It is false if the
// first and the last submission are less than a week apart.
func (c *Collector) Weekdays() (jobs, seconds [model.Weekdays]float64, ok bool) {
	switch {
	case c.seconds != nil:
		return c.days, *c.seconds, true
	case !c.first.known:
		return jobs, seconds, false
	}
	from, to := c.clock.At(c.first.seconds), c.clock.At(c.last.seconds)
	if to.Sub(from) < week {
		return jobs, seconds, false
	}
	return c.days, secondsByWeekday(from, to), true
}

// Pool adds the counts of other, without an interarrival time between the jobs
// of the two. Weeks are not pooled.
func (c *Collector) Pool(other *Collector) {
	c.pool(other, 1)
	c.asked.merge(&other.asked)
}
