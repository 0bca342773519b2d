package fit

import (
	"maps"
	"math"
	"slices"
	"time"

	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/workload"
)

// mostWeeks is how many blocks of weeks with jobs are kept apart: ten years of
// weeks. Of a longer log the blocks are of two weeks, of four, and so on, so
// that memory is bounded by as many times the distinct values of a block.
const mostWeeks = 520

// weeks is what a Collector has seen, week by week from Monday to Sunday by the
// log's clock. A job's interarrival time goes with the job: it is that to the
// job before it in the log, be that in the week before. Jobs without a
// submission time are in no week.
type weeks struct {
	length int64                // of a block, in weeks
	blocks map[int64]*Collector // by number of the block; without requested times, first and last
}

func newWeeks() *weeks { return &weeks{1, map[int64]*Collector{}} }

// weekNumber is the number of the week of a time, 0 for that of 1 January 1970.
func weekNumber(at time.Time) int64 {
	year, month, day := at.Date()
	const fromMonday = 3 // 1 January 1970 was a Thursday
	days := floorDiv(time.Date(year, month, day, 0, 0, 0, 0, time.UTC).Unix(), 86400)
	return floorDiv(days+fromMonday, 7)
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// weekStart is the beginning of a week, by the clock on the wall.
func weekStart(number int64, zone *time.Location) time.Time {
	return time.Date(1969, time.December, 29+7*int(number), 0, 0, 0, 0, zone)
}

// block is the one of a time, which is made if need be.
func (w *weeks) block(clock workload.Clock, at time.Time) *Collector {
	number := weekNumber(at)
	b := w.blocks[floorDiv(number, w.length)]
	if b != nil {
		return b
	}
	b = NewCollector(clock)
	w.blocks[floorDiv(number, w.length)] = b
	for len(w.blocks) > mostWeeks {
		*w = *w.longer(clock, 2*w.length)
	}
	return w.blocks[floorDiv(number, w.length)]
}

// add counts a job that c is about to.
func (w *weeks) add(c *Collector, j *workload.Job) {
	if math.IsNaN(j.Submit) || math.IsInf(j.Submit, 0) {
		return
	}
	b := w.block(c.clock, c.clock.At(j.Submit))
	b.last = c.last
	b.add(j)
	b.first, b.last = moment{}, moment{}
}

// longer is w in blocks of so many weeks, a multiple of w's.
func (w *weeks) longer(clock workload.Clock, length int64) *weeks {
	out := &weeks{length, map[int64]*Collector{}}
	for number, b := range w.blocks {
		number = floorDiv(number, length/w.length)
		if out.blocks[number] == nil {
			out.blocks[number] = NewCollector(clock)
		}
		out.blocks[number].pool(b, 1)
	}
	return out
}

// Weeks are the blocks of weeks of a site's classes, the same for all of them.
type Weeks struct {
	Length  int64   // weeks in a block
	Numbers []int64 // of the blocks in which some class has jobs, ascending
}

// WeeksOf returns the weeks of some classes; false if they were not kept
// (CollectOptions.Weeks).
func WeeksOf(classes []Class) (Weeks, bool) {
	s := Weeks{Length: 1}
	for _, c := range classes {
		if c.weeks == nil {
			return s, false
		}
		s.Length = max(s.Length, c.weeks.length)
	}
	seen := map[int64]bool{}
	for _, c := range classes {
		for number := range c.weeks.blocks {
			seen[floorDiv(number, s.Length/c.weeks.length)] = true
		}
	}
	s.Numbers = slices.Sorted(maps.Keys(seen))
	return s, true
}

// ClassWeeks are the weeks of one class, in the order of Weeks.Numbers.
type ClassWeeks struct {
	Class   Class
	blocks  []*Collector // nil where the class has no jobs
	seconds [][model.Weekdays]float64
	Busy    int // blocks with jobs
}

// Of returns the weeks of one of the classes given to WeeksOf.
func (s Weeks) Of(c Class) ClassWeeks {
	w := c.weeks.longer(c.clock, s.Length)
	out := ClassWeeks{Class: c, Busy: len(w.blocks)}
	first, last := c.clock.At(c.first.seconds), c.clock.At(c.last.seconds)
	for _, number := range s.Numbers {
		out.blocks = append(out.blocks, w.blocks[number])
		from, to := weekStart(number*s.Length, first.Location()), weekStart((number+1)*s.Length, first.Location())
		if from.Before(first) {
			from = first
		}
		if to.After(last) {
			to = last
		}
		out.seconds = append(out.seconds, secondsByWeekday(from, to))
	}
	return out
}

// Drawn returns the class made of its weeks, week i repeated times[i] times.
func (w ClassWeeks) Drawn(times []int) Class {
	c := NewCollector(w.Class.clock)
	c.shapes = make(map[shape]float64, len(w.Class.shapes))
	c.all, c.peak = make(map[float64]float64, len(w.Class.all)), make(map[float64]float64, len(w.Class.peak))
	c.seconds = &[model.Weekdays]float64{}
	for i, n := range times {
		if n == 0 {
			continue
		}
		if b := w.blocks[i]; b != nil {
			c.pool(b, int64(n))
		}
		for d, s := range w.seconds[i] {
			c.seconds[d] += float64(n) * s
		}
	}
	class := w.Class
	class.Collector = c
	return class
}

const week = 7 * 24 * time.Hour

// secondsByWeekday are the seconds of every weekday from one time to another,
// none if to is before from.
func secondsByWeekday(from, to time.Time) (seconds [model.Weekdays]float64) {
	length := max(0, to.Sub(from))
	// A week has a day of each, but for summer time, which is an hour a year.
	weeks := length / week
	for d := range seconds {
		seconds[d] = float64(weeks) * 24 * 3600
	}
	for at := to.Add(-(length % week)); at.Before(to); {
		year, month, day := at.Date()
		next := time.Date(year, month, day+1, 0, 0, 0, 0, at.Location())
		if !next.After(at) || next.After(to) {
			next = to
		}
		seconds[at.Weekday()] += next.Sub(at).Seconds()
		at = next
	}
	return seconds
}
