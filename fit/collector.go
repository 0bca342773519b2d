package fit

import (
	"math"
	"time"

	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Collector gathers what fits need to know of jobs, one by one in the order of
// submission: the number of jobs with each pair of size and run time, each
// interarrival time, each half hour of the day and each requested time. Its
// memory grows with the distinct values, not with the jobs.
type Collector struct {
	clock  workload.Clock
	jobs   int64
	shapes map[shape]float64
	killed map[shape]float64   // those of them that ended at their limit; nil for none
	all    map[float64]float64 // interarrival times, s
	peak   map[float64]float64 // those between two jobs of one peak period
	slots  [model.Slots]float64
	days   [model.Weekdays]float64 // jobs, by weekday from Sunday on
	asked  asked
	weeks  *weeks // the same week by week; nil where weeks are not kept
	// seconds are those of the weekdays, where they are not those from first
	// to last: of drawn weeks.
	seconds *[model.Weekdays]float64

	first, last moment // of the jobs with a submission time
	noGap       int64  // jobs without one before them, or without a time
	late        int64  // jobs submitted before the one added before them
}

// shape is a job's size and run time; unknown is what stands for a NaN, which
// is no key for a map.
type shape struct{ size, run float64 }

const unknown = -math.MaxFloat64

// moment is a submission: its time, and the peak period it is in.
type moment struct {
	seconds float64
	period  int64 // a day's number; outside peak hours none
	known   bool
}

const none = math.MinInt64

// NewCollector returns an empty collector. clock gives the time of day, for
// half hours and peak hours.
func NewCollector(clock workload.Clock) *Collector {
	return &Collector{
		clock:  clock,
		shapes: map[shape]float64{},
		all:    map[float64]float64{},
		peak:   map[float64]float64{},
	}
}

// NewWeeklyCollector returns an empty collector that keeps the weeks of the
// log apart too, for site.DrawIntervals: its memory grows with the distinct values
// of each week, of at most mostWeeks blocks of weeks.
func NewWeeklyCollector(clock workload.Clock) *Collector {
	c := NewCollector(clock)
	c.weeks = newWeeks()
	return c
}

// Jobs returns the number of jobs added.
func (c *Collector) Jobs() int64 { return c.jobs }

// Add adds a job. Jobs come in the order of submission (workload.InOrder):
// the time from a job to an earlier one is unknown.
func (c *Collector) Add(j *workload.Job) {
	if c.weeks != nil {
		c.weeks.add(c, j)
	}
	c.asked.add(j)
	c.add(j)
}

// add adds a job but for its requested time and its week.
func (c *Collector) add(j *workload.Job) {
	c.jobs++
	s := shapeOf(j)
	c.shapes[s]++
	if killedAtLimit(j) {
		c.addKilled(s, 1)
	}
	if math.IsNaN(j.Submit) || math.IsInf(j.Submit, 0) {
		c.noGap++
		return
	}
	at := c.clock.At(j.Submit)
	c.slots[(at.Hour()*60+at.Minute())/30]++
	c.days[at.Weekday()]++
	now := moment{j.Submit, peakPeriod(at), true}
	if !c.first.known {
		c.first = now
	}
	c.gap(c.last, now)
	c.last = now
}

// gap counts the interarrival time between two submissions.
func (c *Collector) gap(before, now moment) {
	switch {
	case !before.known:
		c.noGap++
		return
	case now.seconds < before.seconds:
		c.noGap++
		c.late++
		return
	}
	d := now.seconds - before.seconds
	c.all[d]++
	if before.period != none && before.period == now.period {
		c.peak[d]++
	}
}

// pool adds what o has counted, so many times over, and knows of no time
// between the jobs of c and those of o. Requested times are not counted.
func (c *Collector) pool(o *Collector, times int64) {
	n := float64(times)
	c.jobs += times * o.jobs
	addTimes(c.shapes, o.shapes, n)
	for k, v := range o.killed {
		c.addKilled(k, n*v)
	}
	addTimes(c.all, o.all, n)
	addTimes(c.peak, o.peak, n)
	for i, v := range o.slots {
		c.slots[i] += n * v
	}
	for i, v := range o.days {
		c.days[i] += n * v
	}
	c.noGap += times * o.noGap
	c.late += times * o.late
}

func addTimes[K comparable](to, from map[K]float64, times float64) {
	for k, n := range from {
		to[k] += times * n
	}
}

// Sample returns the values of an attribute.
func (c *Collector) Sample(a Attribute) Sample {
	if a == Interarrival {
		return SampleOfCounts(a, c.all, c.noGap)
	}
	counts := map[float64]float64{}
	missing := 0.0
	for k, n := range c.shapes {
		v := k.of(a)
		if math.IsNaN(v) {
			missing += n
			continue
		}
		counts[v] += n
	}
	return c.withCensored(a, SampleOfCounts(a, counts, int64(missing)))
}

func shapeOf(j *workload.Job) shape { return shape{orUnknown(known(j.Size)), orUnknown(j.Run)} }

func (s shape) of(a Attribute) float64 {
	size, run := orNaN(s.size), orNaN(s.run)
	switch a {
	case Size:
		return size
	case RunTime:
		return run
	}
	if size < 0 || run < 0 {
		return -1 // the product of two negative ones is no work
	}
	return size * run
}

func orUnknown(v float64) float64 {
	if math.IsNaN(v) {
		return unknown
	}
	return v
}

func orNaN(v float64) float64 {
	if v == unknown {
		return math.NaN()
	}
	return v
}

// Peak hours are 8:00 to 19:00, Monday to Friday, local time. Lublin and
// Feitelson (2003), section 3.3.1.
const (
	peakFrom = 8
	peakTo   = 19
)

// peakPeriod returns a number that only submissions in the same day's peak
// hours share, none outside them.
func peakPeriod(at time.Time) int64 {
	if h := at.Hour(); h < peakFrom || h >= peakTo {
		return none
	}
	if d := at.Weekday(); d == time.Saturday || d == time.Sunday {
		return none
	}
	year, month, day := at.Date()
	return int64(year)*400 + int64(month)*32 + int64(day)
}
