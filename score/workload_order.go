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
	// units is the model's own time, in which its interarrival times have one
	// law; nil without a model. gaps are those, and slack is by how much
	// rounding to whole seconds can alter one.
	units func(seconds float64) float64
	slack float64
	gaps  *stats.DistinctCounts
	mean  stats.Moments // of gaps
}

func newSeries(units func(float64) float64, slack float64) series {
	s := series{runs: stats.NewAutocorrelation(jobLags...), units: units, slack: slack}
	if units != nil {
		s.gaps = &stats.DistinctCounts{}
	}
	return s
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
	if s.units != nil {
		// max is for rounding, between two of one instant.
		gap := max(0, s.units(x.submit)-s.units(s.last.submit))
		s.gaps.Add(gap)
		s.mean.Add(gap)
	}
	gap, s.last = x.submit-s.last.submit, x
	return gap, true
}

// moment is a time by the clock of the site.
type moment struct {
	slot    int // half hour of the day
	weekday time.Weekday
	hour    int64 // number of the log's hour
	day     int64 // number of the day, by the clock
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
		y, month, d := t.Date()
		c.asked = q
		c.found = moment{slot: 2*h + m/30, weekday: t.Weekday(), day: time.Date(y, month, d, 0, 0, 0, 0, time.UTC).Unix() / 86400}
	}
	c.found.hour = int64(math.Floor(seconds / 3600))
	return c.found
}
