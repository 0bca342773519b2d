package inspect

import (
	"math"
	"time"

	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// UsageInterval is an interval of hours, days or weeks, aligned to midnight on the site's
// clock.
type UsageInterval struct {
	Start   stats.Number `json:"start_s"`          // from the log's second 0
	Time    string       `json:"start,omitempty"`  // its date, as in RFC 3339, where it has one
	Covered stats.Number `json:"covered_s"`        // the part of it between the first and the last submission
	Jobs    int64        `json:"jobs" show:"jobs"` // submitted
	// Load is the work submitted and Utilisation the processor time used, both as a
	// fraction of the machine's capacity in Covered seconds. NaN stands for unknown.
	Load        stats.Number `json:"offered_load" show:"offered load,share"`
	Utilisation stats.Number `json:"utilisation" show:"utilisation,share"`
	// JobsWaiting and ProcessorsWaiting are the number of jobs in the queue and the
	// processors that they request, averaged over Covered seconds.
	JobsWaiting       stats.Number `json:"jobs_waiting" show:"jobs waiting"`
	ProcessorsWaiting stats.Number `json:"processors_waiting" show:"processors waiting"`
}

// mostUsageIntervals is up to how many stretches are measured: a chart shows no more.
const mostUsageIntervals = 200

// usageWidths are the stretches from which the least that makes no more is taken, s.
var usageWidths = []float64{3600, 3 * 3600, 6 * 3600, 12 * 3600, 86400, 7 * 86400, 28 * 86400, 84 * 86400, 364 * 86400}

type usageStretch struct {
	jobs             int64
	work, busy       float64 // processor s
	queue, requested float64 // job s and processor s waiting
}

type usageSeries struct {
	width       float64
	edges       edges
	first, last float64
	all         []usageStretch
	waits       bool // some job has one
}

func newUsageSeries(d *Description) *usageSeries {
	s := &usageSeries{}
	s.first, s.last = d.submissions()
	if !(s.last >= s.first) {
		return s
	}
	s.width = usageWidth(s.last - s.first)
	s.edges = wallEdges(d.Clock, s.width, 0, s.first, s.last)
	s.all = make([]usageStretch, len(s.edges)-1)
	return s
}

// usageWidth is how long the intervals of a log of so many seconds are.
func usageWidth(seconds float64) float64 {
	for _, w := range usageWidths {
		if seconds/w <= mostUsageIntervals-2 {
			return w
		}
	}
	width := usageWidths[len(usageWidths)-1]
	for seconds/width > mostUsageIntervals-2 {
		width *= 2
	}
	return width
}

// wallEdges are the ends of equal stretches by the clock of the site that cover two
// times; one of them begins shift seconds after the midnight before second 0.
func wallEdges(clock workload.Clock, width, shift, first, last float64) edges {
	w := newWall(clock, width)
	k := math.Floor((w.shows(first) - shift) / width)
	var e edges
	for {
		e = append(e, w.second(k*width+shift))
		if n := len(e); n > 1 && e[n-1] > last {
			return e
		}
		k++
	}
}

func (s *usageSeries) submitted(submit, work float64) {
	if k := s.edges.at(submit); k >= 0 {
		s.all[k].jobs++
		s.all[k].work += work
	}
}

func (s *usageSeries) waiting(submit, start, size float64) {
	if math.IsNaN(start) {
		return
	}
	s.waits = true
	s.edges.overlaps(submit, min(start, s.last), func(k int, seconds float64) {
		s.all[k].queue += seconds
		if size > 0 {
			s.all[k].requested += seconds * size
		}
	})
}

func (s *usageSeries) found(u *user) []UsageInterval {
	out := []UsageInterval{}
	nan := stats.Number(math.NaN())
	for k, x := range s.all {
		covered := s.edges.covered(k, s.first, s.last)
		i := UsageInterval{Start: stats.Number(s.edges[k]), Covered: stats.Number(covered), Jobs: x.jobs, Load: nan, Utilisation: nan, JobsWaiting: nan, ProcessorsWaiting: nan}
		if u.d.Clock.Dates(s.edges[k]) {
			i.Time = u.d.Clock.At(s.edges[k]).Format(time.RFC3339)
		}
		if covered > 0 {
			if u.d.Work > 0 {
				i.Load = stats.Number(x.work / (u.processors * covered))
			}
			if u.placed > 0 {
				i.Utilisation = stats.Number(x.busy / (u.processors * covered))
			}
			if s.waits {
				i.JobsWaiting, i.ProcessorsWaiting = stats.Number(x.queue/covered), stats.Number(x.requested/covered)
			}
		}
		out = append(out, i)
	}
	return out
}
