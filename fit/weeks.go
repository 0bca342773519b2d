package fit

import (
	"maps"
	"slices"
	"time"

	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/workload"
)

// mostWeeks is the largest number of weeks with jobs that are kept separately: ten years. For a
// longer log none are kept, so that memory is bounded by mostWeeks times the distinct values of a
// week.
const mostWeeks = 520

// addToWeek adds a job to its week, from Monday to Sunday by the log's clock. Its interarrival
// time, since the previous job in the log, belongs to this week even if that job is in an earlier
// one. Jobs without a submission time are in no week.
func (c *Collector) addToWeek(j *workload.Job, before, now moment) {
	number := weekNumber(now.at)
	w := c.weeks[number]
	if w == nil {
		if len(c.weeks) == mostWeeks {
			c.weeks = nil
			return
		}
		made := newCounts()
		w = &made
		c.weeks[number] = w
	}
	w.add(j, before, now)
}

// weekNumber returns the number of the week of a time, 0 for the week of 1 January 1970.
func weekNumber(at time.Time) int64 {
	const fromMonday = 3 // 1 January 1970 was a Thursday
	year, month, day := at.Date()
	days := time.Date(year, month, day, 0, 0, 0, 0, time.UTC).Unix()/86400 + fromMonday
	if days < 0 {
		days -= 6
	}
	return days / 7
}

// weekStart returns the beginning of a week in local time.
func weekStart(number int64, zone *time.Location) time.Time {
	return time.Date(1969, time.December, 29+7*int(number), 0, 0, 0, 0, zone)
}

// Weeks are the numbers of the weeks in which some class of a site has jobs, ascending.
type Weeks []int64

// WeeksOf returns the weeks of some classes; false if weeks were not kept (CollectOptions.Weeks)
// or if a class has jobs in more than 520 weeks.
func WeeksOf(classes []Class) (Weeks, bool) {
	seen := map[int64]bool{}
	for _, c := range classes {
		if c.weeks == nil {
			return nil, false
		}
		for number := range c.weeks {
			seen[number] = true
		}
	}
	return slices.Sorted(maps.Keys(seen)), true
}

// ClassWeeks are the weeks of one class.
type ClassWeeks struct {
	Class   Class
	Busy    int // number of weeks with jobs
	numbers Weeks
	seconds [][model.Weekdays]float64
}

// Of returns the weeks of one of the classes given to WeeksOf.
func (s Weeks) Of(c Class) ClassWeeks {
	out := ClassWeeks{Class: c, Busy: len(c.weeks), numbers: s}
	first, last := c.clock.At(c.first.seconds), c.clock.At(c.last.seconds)
	for _, number := range s {
		from, to := weekStart(number, first.Location()), weekStart(number+1, first.Location())
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

// Drawn returns the class that consists of these weeks, with week i repeated times[i] times.
func (w ClassWeeks) Drawn(times []int) Class {
	whole := w.Class.Collector
	c := &Collector{clock: whole.clock, seconds: &[model.Weekdays]float64{}, counts: counts{
		shapes: make(map[shape]tally, len(whole.shapes)),
		all:    make(map[float64]float64, len(whole.all)), peak: make(map[float64]float64, len(whole.peak)),
	}}
	for i, n := range times {
		if n == 0 {
			continue
		}
		if of := whole.weeks[w.numbers[i]]; of != nil {
			c.pool(of, int64(n))
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

// secondsByWeekday returns the seconds of every weekday between two times, all 0 if to is before
// from.
func secondsByWeekday(from, to time.Time) (seconds [model.Weekdays]float64) {
	length := max(0, to.Sub(from))
	// A week has 24 hours of each weekday. Changes to and from summer time, which are one hour,
	// are ignored.
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
