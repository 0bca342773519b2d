package inspect

import (
	"math"
	"time"

	"github.com/loadstone-hpc/loadstone/internal/num"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// periodPart finds when the log begins and ends, and the work in it.
type periodPart struct {
	first, last, end float64
	work             num.Sum
	gpus             int64   // of a machine of which no processors are known; 0 for none
	gpuWork          num.Sum // GPU seconds, where gpus is not 0
}

func newPeriodPart(gpus int64) *periodPart {
	return &periodPart{gpus: gpus, first: math.Inf(1), last: math.Inf(-1), end: math.Inf(-1)}
}

func (p *periodPart) add(s *slab) {
	for i, at := range s.submit {
		if !math.IsNaN(at) {
			p.first, p.last = min(p.first, at), max(p.last, at)
			if run := s.run[i]; run >= 0 {
				p.end = max(p.end, at+run+nonNegative(s.wait[i]))
			}
		}
		p.work.Add(workOf(s.size[i], s.run[i]))
		if p.gpus > 0 {
			p.gpuWork.Add(workOf(s.GPUs(i), s.run[i]))
		}
	}
}

// workOf is a job's processor seconds, or GPU seconds, 0 where size or run time is unknown.
func workOf(size int64, run float64) float64 {
	if size == workload.Unknown || !(run > 0) {
		return 0
	}
	return float64(size) * run
}

// nonNegative is x, or 0 where x is negative or unknown.
func nonNegative(x float64) float64 {
	if x > 0 {
		return x
	}
	return 0
}

func (p *periodPart) into(d *Description) {
	d.Work = p.work.Value()
	l := &d.Log
	l.FirstSubmit, l.LastSubmit, l.LastEnd = stats.Number(math.NaN()), stats.Number(math.NaN()), stats.Number(math.NaN())
	if p.last >= p.first {
		l.FirstSubmit, l.LastSubmit = stats.Number(p.first), stats.Number(p.last)
	}
	if !math.IsInf(p.end, 0) {
		l.LastEnd = stats.Number(p.end)
	}
	d.Months = (l.LastSubmit - l.FirstSubmit) / secondsInMonth
	d.OfferedLoad = stats.Number(loadOf(d.Work, int64(l.Processors), p.last-p.first))
	if p.gpus > 0 {
		d.OfferedLoad, d.OfferedLoadOf = stats.Number(loadOf(p.gpuWork.Value(), p.gpus, p.last-p.first)), "gpus"
	}
}

// loadOf is the work over what the machine could do in a span of seconds, NaN
// where the machine or the span is unknown, or there is no work.
func loadOf(work float64, processors int64, span float64) float64 {
	if processors > 0 && span > 0 && work > 0 {
		return work / (float64(processors) * span)
	}
	return math.NaN()
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

type arrived struct {
	jobs int64
	work num.Sum
}

// and returns the jobs and work of two stretches.
func (a arrived) and(b arrived) arrived {
	sum := arrived{jobs: a.jobs + b.jobs}
	sum.work.Merge(a.work)
	sum.work.Merge(b.work)
	return sum
}

type loadPart struct {
	asked float64
	spans spans[arrived] // by what the clock shows
	wall  wall
}

func newLoadPart(width float64, clock workload.Clock) *loadPart {
	return &loadPart{asked: width, wall: newWall(clock, width), spans: spans[arrived]{width: width, limit: mostIntervals, join: arrived.and}}
}

func (p *loadPart) add(s *slab) {
	for i, at := range s.submit {
		if math.IsNaN(at) {
			continue
		}
		to := p.spans.at(p.wall.shows(at))
		to.jobs++
		to.work.Add(workOf(s.size[i], s.run[i]))
	}
}

func (p *loadPart) into(d *Description) {
	first, last := d.submissions()
	processors, width := int64(d.Log.Processors), p.spans.width
	l := &LoadOverTime{Asked: stats.Number(p.asked), Width: stats.Number(width), Intervals: []Interval{}}
	for i, a := range p.spans.values {
		start := p.wall.second((p.spans.first + float64(i)) * width)
		end := p.wall.second((p.spans.first + float64(i) + 1) * width)
		seconds := max(0, min(end, last)-max(start, first))
		work := a.work.Value()
		load := loadOf(work, processors, seconds)
		if work == 0 && processors > 0 && seconds > 0 {
			load = 0
		}
		l.Intervals = append(l.Intervals, Interval{Start: stats.Number(start), Covered: stats.Number(seconds), Share: seconds / (end - start), Jobs: a.jobs, Work: stats.Number(work), Load: stats.Number(load)})
	}
	d.Load = l
}

// date gives the intervals their dates.
func (l *LoadOverTime) date(clock workload.Clock) {
	for i := range l.Intervals {
		if at := &l.Intervals[i]; clock.Dates(float64(at.Start)) {
			at.Time = clock.At(float64(at.Start)).Format(time.RFC3339)
		}
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

func (p *arrivalsPart) into(d *Description) {
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
	d.Arrivals = a
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
