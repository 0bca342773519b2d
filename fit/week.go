package fit

import (
	"time"

	"github.com/loadstone-hpc/loadstone/model"
)

// WeekReport is the weekly cycle: how many jobs come on a day of the week.
type WeekReport struct {
	Jobs    [model.Weekdays]int64   // by weekday, from Sunday on
	Seconds [model.Weekdays]float64 // of the log's span that lie on that weekday
	Weights [model.Weekdays]float64 // jobs over seconds, with mean 1
}

// weekOf is nil for a log whose first and last submission are less than a week
// apart: it does not have every day.
func weekOf(c *Collector) *WeekReport {
	if !c.first.known && c.seconds == nil {
		return nil
	}
	seconds := c.seconds
	if seconds == nil {
		seconds = weekdaySeconds(c.clock.At(c.first.seconds), c.clock.At(c.last.seconds))
	}
	if seconds == nil {
		return nil
	}
	r := &WeekReport{Seconds: *seconds}
	sum := 0.0
	for d, n := range c.days {
		r.Jobs[d] = int64(n)
		r.Weights[d] = n / r.Seconds[d]
		sum += r.Weights[d]
	}
	for d := range r.Weights {
		r.Weights[d] *= model.Weekdays / sum
	}
	return r
}

const week = 7 * 24 * time.Hour

// weekdaySeconds are the seconds of every weekday from one time to another;
// nil if that is not at least a week.
func weekdaySeconds(from, to time.Time) *[model.Weekdays]float64 {
	if to.Sub(from) < week {
		return nil
	}
	seconds := secondsByWeekday(from, to)
	return &seconds
}

// secondsByWeekday is weekdaySeconds of any length of time, of none if to is
// before from.
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
