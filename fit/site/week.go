package site

import (
	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/model"
)

// WeekReport is the weekly cycle: the number of jobs submitted on each day of
// the week.
type WeekReport struct {
	Jobs    [model.Weekdays]int64   `json:"jobs"`    // by weekday, from Sunday on
	Seconds [model.Weekdays]float64 `json:"span_s"`  // seconds of the log that lie on that weekday
	Weights [model.Weekdays]float64 `json:"weights"` // jobs over seconds, with mean 1
}

// weekOf is nil for a log whose first and last submission are less than a week
// apart: it does not have every day.
func weekOf(c *fit.Collector) *WeekReport {
	jobs, seconds, ok := c.Weekdays()
	if !ok {
		return nil
	}
	r := &WeekReport{Seconds: seconds}
	sum := 0.0
	for d, n := range jobs {
		r.Jobs[d] = int64(n)
		r.Weights[d] = n / r.Seconds[d]
		sum += r.Weights[d]
	}
	for d := range r.Weights {
		r.Weights[d] *= model.Weekdays / sum
	}
	return r
}
