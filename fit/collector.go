package fit

import (
	"math"
	"time"

	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Collector gathers what fits need to know of jobs, one by one in the order of
// submission: how many have each pair of size and run time, each interarrival
// time, each half hour of the day, each requested time. Its memory grows with the distinct values,
// not with the jobs. Collectors of successive parts of a log merge.
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

// NewCollector returns an empty collector. clock tells peak hours and half
// hours of the day.
func NewCollector(clock workload.Clock) *Collector {
	return &Collector{
		clock:  clock,
		shapes: map[shape]float64{},
		all:    map[float64]float64{},
		peak:   map[float64]float64{},
	}
}

// Jobs returns the number of jobs added.
func (c *Collector) Jobs() int64 { return c.jobs }

// Add adds a job. Jobs come in the order of submission (workload.InOrder):
// the time from a job to an earlier one is unknown.
func (c *Collector) Add(j *workload.Job) {
	c.jobs++
	s := shape{orUnknown(known(j.Size)), orUnknown(j.Run)}
	c.shapes[s]++
	if killedAtLimit(j) {
		c.addKilled(s, 1)
	}
	c.asked.add(j)
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

// Merge adds all that later has seen: jobs submitted after those of c.
func (c *Collector) Merge(later *Collector) {
	c.jobs += later.jobs
	for k, n := range later.shapes {
		c.shapes[k] += n
	}
	c.mergeKilled(later)
	c.asked.merge(&later.asked)
	for d, n := range later.all {
		c.all[d] += n
	}
	for d, n := range later.peak {
		c.peak[d] += n
	}
	for i, n := range later.slots {
		c.slots[i] += n
	}
	for i, n := range later.days {
		c.days[i] += n
	}
	c.noGap += later.noGap
	c.late += later.late
	if !later.first.known {
		return
	}
	c.noGap-- // later's first job, which now has one before it
	c.gap(c.last, later.first)
	c.last = later.last
	if !c.first.known {
		c.first = later.first
	}
}

// Sample returns the values of an attribute.
func (c *Collector) Sample(a Attribute) Sample {
	if a == Interarrival {
		return tally(a, c.all, c.noGap)
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
	return c.withCensored(a, tally(a, counts, int64(missing)))
}

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

// tally makes a sample of counted values.
func tally(a Attribute, counts map[float64]float64, unknown int64) Sample {
	keys := make([]float64, 0, len(counts))
	for v := range counts {
		keys = append(keys, v)
	}
	values, _ := stats.Distinct(keys) // sorted
	n := make([]float64, len(values))
	for i, v := range values {
		n[i] = counts[v]
	}
	return newSample(a, values, n, unknown)
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
