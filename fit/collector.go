package fit

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Collector collects the data of jobs that fits need. Jobs are added one by one, in the order of
// submission. It counts the jobs with each pair of size and run time, each interarrival time,
// each half hour of the day and each requested time, so its memory grows with the number of
// distinct values, not with the number of jobs.
type Collector struct {
	counts
	clock workload.Clock
	asked asked
	weeks map[int64]*counts // counts by number of the week; nil if weeks are not kept
	// seconds are the seconds of each weekday in a resample of weeks; nil in a log,
	// where they follow from first and last.
	seconds *[model.Weekdays]float64

	first, last moment // first and last known submission
}

// counts holds the counts of a Collector for all jobs or for the jobs of one week.
type counts struct {
	jobs   int64
	shapes map[shape]tally
	all    map[float64]float64 // interarrival times, s
	peak   map[float64]float64 // those between two jobs of the same peak period
	slots  [model.Slots]float64
	days   [model.Weekdays]float64 // jobs by weekday, from Sunday on
	noGap  int64                   // jobs without an interarrival time
	late   int64                   // jobs submitted before the previously added one
}

// shape is a job's size and run time, with unknown in place of NaN, which cannot be
// a map key.
type shape struct{ size, run float64 }

const unknown = -math.MaxFloat64

// tally is a number of jobs, and the number of those that were killed at their limit.
type tally struct{ jobs, killed float64 }

// moment is a submission: its time and its peak period.
type moment struct {
	seconds float64
	at      time.Time
	period  int64 // number of the day; none outside peak hours
	known   bool
}

const none = math.MinInt64

func newCounts() counts {
	return counts{shapes: map[shape]tally{}, all: map[float64]float64{}, peak: map[float64]float64{}}
}

// NewCollector returns an empty collector. clock gives the time of day, for
// half hours and peak hours.
func NewCollector(clock workload.Clock) *Collector {
	return &Collector{counts: newCounts(), clock: clock}
}

// Jobs returns the number of jobs added.
func (c *Collector) Jobs() int64 { return c.jobs }

// Add adds a job. Jobs must be added in the order of submission (workload.InOrder): a job
// submitted before the previous one has no interarrival time.
func (c *Collector) Add(j *workload.Job) {
	c.asked.add(j)
	if math.IsNaN(j.Submit) || math.IsInf(j.Submit, 0) {
		c.add(j, c.last, moment{})
		return
	}
	at := c.clock.At(j.Submit)
	now := moment{j.Submit, at, peakPeriod(at), true}
	c.add(j, c.last, now)
	if c.weeks != nil {
		c.addToWeek(j, c.last, now)
	}
	if !c.first.known {
		c.first = now
	}
	c.last = now
}

// add adds a job with submission now; before is the submission of the previous job.
func (c *counts) add(j *workload.Job, before, now moment) {
	c.jobs++
	s := shapeOf(j)
	n := c.shapes[s]
	n.jobs++
	if killedAtLimit(j) {
		n.killed++
	}
	c.shapes[s] = n
	if now.known {
		c.slots[(now.at.Hour()*60+now.at.Minute())/30]++
		c.days[now.at.Weekday()]++
	}
	switch {
	case !now.known || !before.known:
		c.noGap++
	case now.seconds < before.seconds:
		c.noGap++
		c.late++
	default:
		gap := now.seconds - before.seconds
		c.all[gap]++
		if before.period != none && before.period == now.period {
			c.peak[gap]++
		}
	}
}

// killedAtLimit reports whether a job was killed at its limit: it ran for at least the requested
// time and did not complete. It is false for a job that completed after its limit, or whose
// status or limit is unknown.
func killedAtLimit(j *workload.Job) bool {
	switch j.Status {
	case workload.StatusFailed, workload.StatusLastFailed, workload.StatusCancelled:
		return j.Time > 0 && j.Run >= j.Time
	}
	return false
}

// pool adds the counts of o multiplied by times. It adds no interarrival time between the jobs of
// c and of o.
func (c *counts) pool(o *counts, times int64) {
	n := float64(times)
	c.jobs += times * o.jobs
	for k, v := range o.shapes {
		was := c.shapes[k]
		c.shapes[k] = tally{was.jobs + n*v.jobs, was.killed + n*v.killed}
	}
	for d, v := range o.all {
		c.all[d] += n * v
	}
	for d, v := range o.peak {
		c.peak[d] += n * v
	}
	for i, v := range o.slots {
		c.slots[i] += n * v
	}
	for i, v := range o.days {
		c.days[i] += n * v
	}
	c.noGap += times * o.noGap
	c.late += times * o.late
}

// Pool adds the counts of other, without an interarrival time between the jobs
// of the two. Weeks are not pooled.
func (c *Collector) Pool(other *Collector) {
	c.pool(&other.counts, 1)
	c.asked.pool(&other.asked)
}

// Sample returns the values of an attribute.
func (c *Collector) Sample(a Attribute) Sample {
	if a == Interarrival {
		return SampleOfCounts(a, c.all, c.noGap)
	}
	jobs, killed, missing := map[float64]float64{}, map[float64]float64{}, 0.0
	for k, n := range c.shapes {
		v := k.of(a)
		if math.IsNaN(v) {
			missing += n.jobs
			continue
		}
		jobs[v] += n.jobs
		if n.killed > 0 {
			killed[v] += n.killed
		}
	}
	s := SampleOfCounts(a, jobs, int64(missing))
	if len(killed) > 0 && (a == RunTime || a == Work) {
		for _, v := range s.Values {
			s.Censored = append(s.Censored, killed[v])
		}
	}
	return s
}

// Gaps returns the interarrival times, of all jobs and between two jobs of the
// same peak period.
func (c *Collector) Gaps() (all, peak Sample) {
	return c.Sample(Interarrival), SampleOfCounts(Interarrival, c.peak, 0)
}

// Late returns the number of jobs that were added after a job submitted later.
func (c *Collector) Late() int64 { return c.late }

// Slots returns the number of jobs submitted in each half hour of the site's day, from midnight
// on; all 0 if the log's start time is unknown.
func (c *Collector) Slots() [model.Slots]float64 { return c.slots }

// Span returns the times of the first and the last submission, in seconds of
// the log; known is false if there is none.
func (c *Collector) Span() (first, last float64, known bool) {
	return c.first.seconds, c.last.seconds, c.first.known
}

// Weekdays returns the number of jobs submitted on each day of the week, from Sunday on, and the
// seconds of the log on that day. It is false if the first and the last submission are less than
// a week apart.
func (c *Collector) Weekdays() (jobs, seconds [model.Weekdays]float64, ok bool) {
	switch {
	case c.seconds != nil:
		return c.days, *c.seconds, true
	case !c.first.known || c.last.at.Sub(c.first.at) < week:
		return jobs, seconds, false
	}
	return c.days, secondsByWeekday(c.first.at, c.last.at), true
}

// Shape is a size and a run time in seconds, NaN if unknown, and the number of
// jobs that have both.
type Shape struct{ Size, Run, Jobs float64 }

// Shapes returns the jobs by size, then run time, unknown ones first.
func (c *Collector) Shapes() []Shape {
	shapes := make([]Shape, 0, len(c.shapes))
	for k, n := range c.shapes {
		shapes = append(shapes, Shape{orNaN(k.size), orNaN(k.run), n.jobs})
	}
	slices.SortFunc(shapes, func(a, b Shape) int {
		return cmp.Or(cmp.Compare(a.Size, b.Size), cmp.Compare(a.Run, b.Run)) // NaN is first
	})
	return shapes
}

func shapeOf(j *workload.Job) shape {
	s := shape{float64(j.Size), j.Run}
	if j.Size == workload.Unknown {
		s.size = unknown
	}
	if math.IsNaN(j.Run) {
		s.run = unknown
	}
	return s
}

func orNaN(v float64) float64 {
	if v == unknown {
		return math.NaN()
	}
	return v
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

// Peak hours are 8:00 to 19:00, Monday to Friday, local time. Lublin and
// Feitelson (2003), section 3.3.1.
const (
	peakFrom = 8
	peakTo   = 19
)

// peakPeriod returns a number that identifies the peak hours of a day; none outside peak hours.
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
