package inspect

import (
	"math"
	"time"

	"github.com/loadstone-hpc/loadstone/internal/num"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// period finds when the log begins and ends, and the work in it. gpus are those of a machine of
// which no processors are known; 0 for none.
func period(gpus int64) measure {
	first, last, end := math.Inf(1), math.Inf(-1), math.Inf(-1)
	var work, gpuWork num.Sum
	return measure{func(s *slab) {
		for i, at := range s.submit {
			if !math.IsNaN(at) {
				first, last = min(first, at), max(last, at)
				if run := s.run[i]; run >= 0 {
					if wait := s.wait[i]; wait > 0 {
						at += wait
					}
					end = max(end, at+run)
				}
			}
			work.Add(s.work[i])
			if gpus > 0 {
				gpuWork.Add(workOf(s.GPUs(i), s.run[i]))
			}
		}
	}, func(d *Description) {
		known := func(x float64) stats.Number {
			if math.IsInf(x, 0) {
				x = math.NaN()
			}
			return stats.Number(x)
		}
		l := &d.Log
		l.FirstSubmit, l.LastSubmit, l.LastEnd = known(first), known(last), known(end)
		d.Months = (l.LastSubmit - l.FirstSubmit) / secondsInMonth
		d.Work = work.Value()
		d.OfferedLoad = loadOf(d.Work, int64(l.Processors), last-first)
		if gpus > 0 {
			d.OfferedLoad, d.OfferedLoadOf = loadOf(gpuWork.Value(), gpus, last-first), "gpus"
		}
	}}
}

// submissions are the times of the first and the last.
func (d *Description) submissions() (first, last float64) {
	return float64(d.Log.FirstSubmit), float64(d.Log.LastSubmit)
}

// loadOf is the work over what the machine could do in a span of seconds, NaN
// where the machine or the span is unknown, or there is no work.
func loadOf(work float64, processors int64, span float64) stats.Number {
	if processors > 0 && span > 0 && work > 0 {
		return stats.Number(work / (float64(processors) * span))
	}
	return stats.Number(math.NaN())
}

// Interval is the work of the jobs submitted in an interval of time.
type Interval struct {
	Start   stats.Number `json:"start_s" show:"start,moment"` // from the log's second 0
	Time    string       `json:"start,omitempty"`             // its date, as in RFC 3339, where it has one
	Covered stats.Number `json:"covered_s"`                   // the part of it between the first and the last submission
	Share   float64      `json:"-" show:"covered,share"`      // Covered as a fraction of the interval
	Jobs    int64        `json:"jobs" show:"jobs"`
	Work    stats.Number `json:"work_processor_s" show:"processor hours,hours"`
	// Load is Work as a fraction of what the machine could do in Covered seconds; NaN if
	// the size of the machine is unknown or Covered is 0.
	Load stats.Number `json:"offered_load" show:"load,%.3f"`
}

// LoadOverTime is the offered load in consecutive intervals of equal length, aligned to the
// midnight before the log's second 0. Intervals of whole days always begin at midnight on
// the site's clock, so one of them may be an hour longer or shorter when daylight saving
// time begins or ends.
type LoadOverTime struct {
	Asked     stats.Number `json:"interval_asked_s"` // the width asked for
	Width     stats.Number `json:"interval_s"`       // the width used: Asked, or a multiple of it if there would be more than 4096 intervals
	Intervals []Interval   `json:"intervals"`
}

// mostIntervals bounds LoadOverTime: beyond it, neighbours are joined.
const mostIntervals = 4096

func loadOverTime(width float64, clock workload.Clock) measure {
	// By what the clock shows.
	all := spans[amount]{width: width, limit: mostIntervals, join: func(a *amount, b amount) {
		a.jobs += b.jobs
		a.work.Merge(b.work)
	}}
	w := newWall(clock, width)
	return measure{func(s *slab) {
		for i, at := range s.submit {
			if !math.IsNaN(at) {
				all.at(w.shows(at)).add(s, i)
			}
		}
	}, func(d *Description) {
		first, last := d.submissions()
		processors, used := int64(d.Log.Processors), all.width
		l := &LoadOverTime{Asked: stats.Number(width), Width: stats.Number(used), Intervals: []Interval{}}
		for i, a := range all.values {
			shows := (all.first + float64(i)) * used
			start, end := w.second(shows), w.second(shows+used)
			seconds, work := max(0, min(end, last)-max(start, first)), a.work.Value()
			x := Interval{Start: stats.Number(start), Covered: stats.Number(seconds), Share: seconds / (end - start), Jobs: a.jobs,
				Work: stats.Number(work), Load: loadOf(work, processors, seconds)}
			if work == 0 && processors > 0 && seconds > 0 {
				x.Load = 0
			}
			l.Intervals = append(l.Intervals, x)
		}
		d.Load = l
	}}
}

// date gives the intervals their dates.
func (l *LoadOverTime) date(clock workload.Clock) {
	for i := range l.Intervals {
		if at := &l.Intervals[i]; clock.Dates(float64(at.Start)) {
			at.Time = clock.At(float64(at.Start)).Format(time.RFC3339)
		}
	}
}

// spans holds a value for each stretch of time of one width, for no more than
// limit stretches: where a log is longer, neighbours are joined and the width
// doubles. Times come in any order. The limit is 2 or more, because stretches
// on both sides of second 0 never meet.
type spans[T any] struct {
	width  float64 // s
	limit  int
	join   func(a *T, b T) // adds b to a; the zero T, of an empty stretch, changes nothing
	first  float64         // number of values[0]; stretch k is [k width, (k+1) width)
	values []T
}

// at is the place of the stretch that a finite time is in.
func (s *spans[T]) at(t float64) *T {
	for {
		k := math.Floor(t / s.width)
		if len(s.values) == 0 {
			s.first = k
		}
		low, last := min(k, s.first), max(k, s.first+float64(len(s.values)-1))
		if last-low < float64(s.limit) {
			if low < s.first {
				s.values, s.first = append(make([]T, int(s.first-low)), s.values...), low
			}
			if short := int(last-low) + 1 - len(s.values); short > 0 {
				s.values = append(s.values, make([]T, short)...)
			}
			return &s.values[int(k-low)]
		}
		half := math.Floor(s.first / 2) // each even stretch is joined with the odd one after it
		odd := int(s.first - 2*half)
		joined := make([]T, (odd+len(s.values)+1)/2)
		for i, v := range s.values {
			s.join(&joined[(odd+i)/2], v)
		}
		s.first, s.values, s.width = half, joined, 2*s.width
	}
}

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

func arrivals(clock workload.Clock) measure {
	var jobs [7][24]int64
	start := float64(clock.Start.Unix())
	asked, day, hour := math.NaN(), time.Sunday, 0 // the quarter asked last, and its answer
	return measure{func(s *slab) {
		for _, at := range s.submit {
			if math.IsNaN(at) {
				continue
			}
			if q := math.Floor((start + at) / quarter); q != asked {
				t := clock.At(at)
				asked, day, hour = q, t.Weekday(), t.Hour()
			}
			jobs[day][hour]++
		}
	}, func(d *Description) {
		a := &Arrivals{ByHour: make([]HourJobs, 24)}
		for i := range jobs {
			day := time.Weekday((i + 1) % 7)
			on := WeekdayJobs{Weekday: day.String()}
			for hour, n := range jobs[day] {
				on.Jobs += n
				a.ByHour[hour].Jobs += n
			}
			a.Jobs += on.Jobs
			a.ByWeekday = append(a.ByWeekday, on)
			a.ByWeekdayHour = append(a.ByWeekdayHour, DayHours{on.Weekday, jobs[day]})
		}
		for i := range a.ByWeekday {
			a.ByWeekday[i].Pct = percent(a.ByWeekday[i].Jobs, a.Jobs)
		}
		for hour := range a.ByHour {
			h := &a.ByHour[hour]
			h.Hour, h.Pct = hour, percent(h.Jobs, a.Jobs)
		}
		d.Arrivals = a
	}}
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

// wall counts the seconds that a site's clock shows since the midnight before second
// 0 of the log, so that days begin at midnight. Where the log's start is not known,
// second 0 is that midnight.
type wall struct {
	clock  workload.Clock
	phase  float64 // s, what the clock shows at second 0
	offset int     // s, the zone's at second 0
	saving bool    // follow changes to and from summer time; else hours are all 3600 s
	asked  float64 // the quarter asked last, and by how much the clock is ahead of second 0's
	ahead  float64
}

// newWall returns the clock for stretches of a width, s. Those of whole days follow
// summer time.
func newWall(clock workload.Clock, width float64) wall {
	w := wall{clock: clock, asked: math.NaN(), saving: math.Mod(width, 86400) == 0}
	if clock.Known {
		at := clock.Start
		_, w.offset = at.Zone()
		w.phase = at.Sub(time.Date(at.Year(), at.Month(), at.Day(), 0, 0, 0, 0, time.FixedZone("", w.offset))).Seconds()
	}
	return w
}

// shows is what the clock shows at a second of the log.
func (w *wall) shows(t float64) float64 { return t + w.phase + w.change(t) }

// second is the inverse of shows.
func (w *wall) second(shows float64) float64 {
	t := shows - w.phase
	return t - w.change(t-w.change(t))
}

// change is by how much the zone's offset at a second differs from that at second 0.
func (w *wall) change(t float64) float64 {
	if !w.saving || !w.clock.Dates(t) {
		return 0
	}
	if q := math.Floor((float64(w.clock.Start.Unix()) + t) / quarter); q != w.asked {
		_, offset := w.clock.At(t).Zone()
		w.asked, w.ahead = q, float64(offset-w.offset)
	}
	return w.ahead
}
