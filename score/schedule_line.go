package score

import (
	"math"

	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// ScheduleLine accumulates the numbers of waiting jobs and of busy processors over time,
// in at most lineParts parts of equal length: when more time passes, pairs of neighbouring
// parts are joined. The zero value is empty.
type ScheduleLine struct {
	origin, width float64 // start of the first part and length of a part, s
	parts         []linePart
	at            float64 // time of the last Add, s
	queued        int     // since at
	busy          int64   // since at
	some          bool    // Add has been called
	most          int
	mostAt        float64
}

// lineParts is the largest number of parts. It is even, since pairs are joined.
const lineParts = 256

type linePart struct {
	queued, busy, seconds float64 // job seconds, processor seconds, seconds
	most                  int
}

// SchedulePart is the state of a schedule over a stretch of time.
type SchedulePart struct {
	From       float64      `json:"from_s"`
	To         float64      `json:"to_s"`
	QueuedMean stats.Number `json:"queued_mean"` // jobs
	QueuedMost int          `json:"queued_most"`
	BusyMean   float64      `json:"-"` // processors, or the other resource reported to Queue
}

// Add sets the numbers of waiting jobs and of busy processors from a time on,
// in seconds. It ignores a time earlier than the last.
func (l *ScheduleLine) Add(at float64, queued int, busy int64) {
	if !finite(at) || (l.some && at < l.at) {
		return
	}
	if !l.some {
		*l = ScheduleLine{origin: at, width: 1, at: at, some: true, most: -1}
	}
	if at > l.at {
		l.extend(at)
		if l.queued > l.most {
			l.most, l.mostAt = l.queued, l.at
		}
	}
	l.at, l.queued, l.busy = at, queued, busy
}

// extend adds the last state up to a time.
func (l *ScheduleLine) extend(to float64) {
	for (to-l.origin)/l.width > lineParts {
		for i := 0; 2*i < len(l.parts); i++ {
			p := l.parts[2*i]
			if 2*i+1 < len(l.parts) {
				q := l.parts[2*i+1]
				p = linePart{p.queued + q.queued, p.busy + q.busy, p.seconds + q.seconds, max(p.most, q.most)}
			}
			l.parts[i] = p
		}
		l.parts = l.parts[:(len(l.parts)+1)/2]
		l.width *= 2
	}
	for from := l.at; from < to; {
		i := min(int((from-l.origin)/l.width), lineParts-1)
		for len(l.parts) <= i {
			l.parts = append(l.parts, linePart{})
		}
		end := min(to, l.origin+float64(i+1)*l.width)
		if !(end > from) { // because of rounding, or in the last part
			end = to
		}
		p := &l.parts[i]
		p.queued += float64(l.queued) * (end - from)
		p.busy += float64(l.busy) * (end - from)
		p.seconds += end - from
		p.most = max(p.most, l.queued)
		from = end
	}
}

// Most returns the largest number of jobs that waited at once, for longer than
// an instant, and the first time in seconds at which they did; workload.Unknown and NaN
// if the line is empty.
func (l *ScheduleLine) Most() (workload.Integer, float64) {
	if !l.some || l.most < 0 {
		return workload.Integer(workload.Unknown), math.NaN()
	}
	return workload.Integer(l.most), l.mostAt
}

// Parts returns the state of the schedule by part, up to the last call of Add.
func (l *ScheduleLine) Parts() []SchedulePart {
	var all []SchedulePart
	for i, p := range l.parts {
		from := l.origin + float64(i)*l.width
		all = append(all, SchedulePart{from, min(l.at, from+l.width), stats.Number(p.queued / p.seconds), p.most, p.busy / p.seconds})
	}
	return all
}

// Coarser joins neighbouring parts so that at most n remain, for n above 0.
func Coarser(parts []SchedulePart, n int) []SchedulePart {
	each := (len(parts) + n - 1) / max(n, 1)
	var all []SchedulePart
	for i := 0; i < len(parts); i += max(each, 1) {
		group := parts[i:min(i+each, len(parts))]
		sum := SchedulePart{From: group[0].From, To: group[len(group)-1].To}
		for _, p := range group {
			share := (p.To - p.From) / (sum.To - sum.From)
			sum.QueuedMean += stats.Number(share) * p.QueuedMean
			sum.BusyMean += share * p.BusyMean
			sum.QueuedMost = max(sum.QueuedMost, p.QueuedMost)
		}
		all = append(all, sum)
	}
	return all
}
