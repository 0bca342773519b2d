package inspect

import (
	"math"
	"time"

	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Arrivals counts submissions by hour and weekday on the site's clock. Weeks begin on
// Monday.
type Arrivals struct {
	Jobs          int64         `json:"jobs"`  // with a known submission time
	Clock         string        `json:"clock"` // the time zone, or what was assumed about it, in words
	ByHour        []HourJobs    `json:"by_hour"`
	ByWeekday     []WeekdayJobs `json:"by_weekday"`
	ByWeekdayHour []DayHours    `json:"by_weekday_and_hour"`
}

// HourJobs counts the submissions from Hour:00 up to the next hour. Hour is from 0 to 23.
type HourJobs struct {
	Hour int          `json:"hour" show:"hour"`
	Jobs int64        `json:"jobs" show:"jobs"`
	Pct  stats.Number `json:"share_pct" show:"share,%"`
}

// WeekdayJobs counts the submissions on one day of the week.
type WeekdayJobs struct {
	Weekday string       `json:"weekday" show:"weekday"`
	Jobs    int64        `json:"jobs" show:"jobs"`
	Pct     stats.Number `json:"share_pct" show:"share,%"`
}

// DayHours counts the submissions in each hour of one day of the week.
type DayHours struct {
	Weekday string    `json:"weekday"`
	Hours   [24]int64 `json:"jobs_by_hour"`
}

// WeekHour counts the submissions in an hour of one day of the week.
type WeekHour struct {
	Weekday string `json:"weekday"`
	HourJobs
}

// WeekHours returns the hours of the week, from which both other counts follow.
func (a *Arrivals) WeekHours() []WeekHour {
	var all []WeekHour
	for _, day := range a.ByWeekdayHour {
		for hour, n := range day.Hours {
			all = append(all, WeekHour{day.Weekday, HourJobs{hour, n, percent(n, a.Jobs)}})
		}
	}
	return all
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
	a := &Arrivals{}
	var byHour [24]int64
	for i := range p.jobs {
		day := time.Weekday((i + 1) % 7)
		hours := DayHours{Weekday: day.String(), Hours: p.jobs[day]}
		on := WeekdayJobs{Weekday: day.String()}
		for hour, n := range hours.Hours {
			on.Jobs += n
			byHour[hour] += n
		}
		a.Jobs += on.Jobs
		a.ByWeekday = append(a.ByWeekday, on)
		a.ByWeekdayHour = append(a.ByWeekdayHour, hours)
	}
	for i := range a.ByWeekday {
		a.ByWeekday[i].Pct = percent(a.ByWeekday[i].Jobs, a.Jobs)
	}
	for hour, n := range byHour {
		a.ByHour = append(a.ByHour, HourJobs{hour, n, percent(n, a.Jobs)})
	}
	return a
}

// clockWords says which clock hours are by.
func clockWords(clock workload.Clock, note string) string {
	zone := clock.Start.Location().String()
	switch {
	case note != "":
		return note
	case zone == "":
		zone = "UTC" + clock.Start.Format("-07:00")
	}
	return "the site's clock, " + zone
}
