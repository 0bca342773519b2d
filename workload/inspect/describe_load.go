package inspect

import "math"

// Interval is the work that the jobs submitted in a stretch of time bring.
type Interval struct {
	Start   float64 // s, from the log's second 0
	Seconds float64 // of it that lie between the first and the last submission
	Jobs    int64
	Work    float64 // processor seconds
	// Load is Work over what the machine could do in these Seconds; NaN where
	// the machine is unknown or nothing can be said of it.
	Load float64
}

// LoadOverTime is the offered load in equal intervals, which begin at whole
// multiples of their width from the log's second 0.
type LoadOverTime struct {
	Asked     float64 // s, the width asked for
	Width     float64 // s; more than Asked where the log would make too many
	Intervals []Interval
}

// mostIntervals bounds LoadOverTime: beyond it, neighbours are joined.
const mostIntervals = 4096

type arrived struct {
	jobs int64
	work float64
}

type loadPart struct {
	asked float64
	spans spans[arrived]
}

func newLoadPart(width float64) *loadPart {
	return &loadPart{asked: width, spans: spans[arrived]{width: width, limit: mostIntervals,
		join: func(a, b arrived) arrived { return arrived{a.jobs + b.jobs, a.work + b.work} }}}
}

func (p *loadPart) add(s *slab) {
	for i, at := range s.submit {
		if math.IsNaN(at) {
			continue
		}
		to := p.spans.at(at)
		to.jobs++
		to.work += workOf(s.size[i], s.run[i])
	}
}

func (p *loadPart) found(first, last float64, processors int64) *LoadOverTime {
	l := &LoadOverTime{Asked: p.asked, Width: p.spans.width}
	for i, a := range p.spans.values {
		start := (p.spans.first + float64(i)) * l.Width
		seconds := max(0, min(start+l.Width, last)-max(start, first))
		load := loadOf(a.work, processors, seconds)
		if a.work == 0 && processors > 0 && seconds > 0 {
			load = 0
		}
		l.Intervals = append(l.Intervals, Interval{start, seconds, a.jobs, a.work, load})
	}
	return l
}
