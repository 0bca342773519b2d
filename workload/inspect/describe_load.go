package inspect

import (
	"math"
	"time"

	"github.com/loadstone-hpc/loadstone/internal/num"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

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

func (p *loadPart) found(first, last float64, processors int64) *LoadOverTime {
	width := p.spans.width
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
	return l
}

// date gives the intervals their dates.
func (l *LoadOverTime) date(clock workload.Clock) {
	for i := range l.Intervals {
		if at := &l.Intervals[i]; clock.Dates(float64(at.Start)) {
			at.Time = clock.At(float64(at.Start)).Format(time.RFC3339)
		}
	}
}
