package score

import (
	"math"
	"time"

	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// submission is what is seen of a job in the order of submission.
type submission struct {
	submit, run float64
	class       *part // nil of none
}

// The lags of autocorrelations: of hourly counts an hour, a day and a week, of
// run times in jobs.
var (
	hourLags = []int{1, 24, 168}
	jobLags  = []int{1, 10, 100}
)

// series is what stands on the order of submissions.
type series struct {
	last submission
	jobs int64
	runs *stats.Autocorrelation // of ln of run times above 0
}

func newSeries() series {
	return series{runs: stats.NewAutocorrelation(jobLags...)}
}

// add returns the time since the submission before, in seconds.
func (s *series) add(x submission) (gap float64, ok bool) {
	if x.run > 0 && !math.IsInf(x.run, 1) {
		s.runs.Add(math.Log(x.run))
	}
	s.jobs++
	if s.jobs == 1 {
		s.last = x
		return 0, false
	}
	gap = x.submit - s.last.submit
	s.last = x
	return gap, true
}

// moment is a time by the clock of the site.
type moment struct {
	slot    int // half hour of the day
	weekday time.Weekday
	hour    int64 // number of the log's hour
}

// quarter is the grain at which the clock is asked: every zone's offset is a
// multiple of it, and changes at one.
const quarter = 900

// slotClock remembers the quarter asked last.
type slotClock struct {
	clock workload.Clock
	start float64
	asked float64
	found moment
}

func newSlotClock(clock workload.Clock) slotClock {
	return slotClock{clock: clock, start: float64(clock.Start.Unix()), asked: math.NaN()}
}

func (c *slotClock) at(seconds float64) moment {
	if q := math.Floor((c.start + seconds) / quarter); q != c.asked {
		t := c.clock.At(seconds)
		h, m, _ := t.Clock()
		c.asked = q
		c.found = moment{slot: 2*h + m/30, weekday: t.Weekday()}
	}
	c.found.hour = int64(math.Floor(seconds / 3600))
	return c.found
}
