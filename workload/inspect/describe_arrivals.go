package inspect

import (
	"math"
	"time"

	"github.com/loadstone-hpc/loadstone/workload"
)

// Arrivals are submissions by the clock of the site.
type Arrivals struct {
	Jobs          int64        // with a known time of submission
	ByWeekdayHour [7][24]int64 // by time.Weekday and hour
	ByHour        [24]int64    // from hour:00 up to the next hour
	ByWeekday     [7]int64     // by time.Weekday: 0 is Sunday
}

// quarter is the grain at which the clock is asked: every zone's offset is a
// multiple of it, and changes at one.
const quarter = 900

type arrivalsPart struct {
	clock workload.Clock
	start float64 // Unix time of the clock's second 0
	jobs  [7][24]int64
	at    float64 // the quarter asked last, and its answer
	day   time.Weekday
	hour  int
}

func newArrivalsPart(clock workload.Clock) *arrivalsPart {
	return &arrivalsPart{clock: clock, start: float64(clock.Start.Unix()), at: math.NaN()}
}

func (p *arrivalsPart) add(s *slab) {
	for _, at := range s.submit {
		if math.IsNaN(at) {
			continue
		}
		if q := math.Floor((p.start + at) / quarter); q != p.at {
			t := p.clock.At(at)
			p.at, p.day, p.hour = q, t.Weekday(), t.Hour()
		}
		p.jobs[p.day][p.hour]++
	}
}

func (p *arrivalsPart) found() *Arrivals {
	a := &Arrivals{ByWeekdayHour: p.jobs}
	for day := range p.jobs {
		for hour, n := range p.jobs[day] {
			a.Jobs += n
			a.ByHour[hour] += n
			a.ByWeekday[day] += n
		}
	}
	return a
}
