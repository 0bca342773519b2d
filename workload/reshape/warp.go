package reshape

import (
	"fmt"
	"math"
	"sort"

	"github.com/loadstone-hpc/loadstone/workload"
)

const (
	halfHour    = 1800 // s
	slotsOfDay  = 86400 / halfHour
	slotsOfWeek = 7 * slotsOfDay
	// weeklyFrom is the span in seconds from which a log's cycle is that of its weeks. A shorter
	// log has too few weeks for a rate in each half hour of the week, so its cycle is that of its
	// days.
	weeklyFrom = 4 * 7 * 86400
	// maxSpan is the longest span of a log, in seconds. A warp holds two numbers for each half
	// hour, and a count for each half hour with jobs.
	maxSpan = 200 * 365.25 * 86400
)

// arrivals counts the jobs submitted in each half hour of a log.
type arrivals struct {
	clock workload.Clock
	shift float64         // s, from the beginning of a half hour of the clock to the log's start
	jobs  map[int]float64 // by half hour of the log
}

func newArrivals(h *workload.Header) arrivals {
	clock, _ := h.Clock()
	_, offset := clock.Start.Zone()
	local := clock.Start.Unix() + int64(offset)
	return arrivals{clock, float64(((local % halfHour) + halfHour) % halfHour), map[int]float64{}}
}

func (a *arrivals) add(submit float64) {
	// A warp begins within maxSpan of the log's second 0 and ends within as much after that.
	if math.Abs(submit) <= 2*maxSpan {
		a.jobs[a.index(submit)]++
	}
}

// index returns the half hour of a moment, and begin the moment at which a half hour begins.
func (a *arrivals) index(t float64) int     { return int(math.Floor((t + a.shift) / halfHour)) }
func (a *arrivals) begin(index int) float64 { return float64(index)*halfHour - a.shift }

// slot returns the half hour of the week, from Sunday 0:00, in which the middle of half hour index
// lies. The middle is used because time zones may change at odd seconds.
func (a *arrivals) slot(index int) int {
	t := a.clock.At(a.begin(index) + halfHour/2)
	return int(t.Weekday())*slotsOfDay + t.Hour()*2 + t.Minute()/30
}

// warp scales the time between jobs and keeps the cycle. It works in the cycle's own time, which
// runs at the rate at which jobs are submitted and stops when none ever are: in that time jobs come
// evenly, whatever the hour. In that time, it multiplies the time since the first job by a factor,
// and converts the result back to the clock. So a busy hour stays busy, because more of the scaled
// log falls into it, and the order of jobs stays.
//
// This is the arrival method of Lublin and Feitelson (2003), section 3.3.2, in which a slot lasts
// as many virtual seconds as its weight, applied to a log in place of a model, with the log's own
// weights by half hour of the week.
type warp struct {
	load *Load
	// times holds the first submission and the half hours that begin after it; mass holds the
	// cycle's time that has passed by then, as the number of jobs expected.
	times, mass []float64
	scale       float64 // factor of the cycle's time: below 1 makes interarrival times shorter
}

// newWarp returns the warp that shortens a log to a span of to seconds.
func newWarp(l *Load, a *arrivals, to float64) (*warp, error) {
	span := l.Last - l.First
	if !(span > 0) || span > maxSpan || math.Abs(l.First) > maxSpan {
		return nil, fmt.Errorf("submissions from %g s to %g s, want a span of more than nothing and at most 200 years", l.First, l.Last)
	}
	cycle := slotsOfWeek
	if span < weeklyFrom {
		cycle = slotsOfDay
	}
	// A half hour that is only partly within the log counts in proportion.
	var jobs, seconds [slotsOfWeek]float64
	for i := a.index(l.First); i <= a.index(l.Last); i++ {
		slot := a.slot(i) % cycle
		jobs[slot] += a.jobs[i]
		seconds[slot] += min(a.begin(i+1), l.Last) - max(a.begin(i), l.First)
	}
	w := &warp{load: l, times: []float64{l.First}, mass: []float64{0}}
	// Continue until after the last moment, and until some of the cycle's time has passed.
	for i, rate := a.index(l.First), 0.0; rate == 0 || w.times[len(w.times)-1] <= max(l.Last, l.First+to)+halfHour; i++ {
		slot, last := a.slot(i)%cycle, len(w.times)-1
		// For a lone job at the very end of the span, no time of its slot has passed.
		rate = jobs[slot] / max(seconds[slot], 1)
		w.times = append(w.times, a.begin(i+1))
		w.mass = append(w.mass, w.mass[last]+rate*(a.begin(i+1)-w.times[last]))
	}
	if w.scale = interpolate(w.times, w.mass, l.First+to) / interpolate(w.times, w.mass, l.Last); !(w.scale > 0) {
		return nil, fmt.Errorf("%.4g s for all jobs would squeeze them into hours in which no job ever came, want a lower load", to)
	}
	return w, nil
}

// interpolate returns the value of y at x, where xs and ys ascend together. The result stays within
// the step of x despite rounding.
func interpolate(xs, ys []float64, x float64) float64 {
	i := sort.Search(len(xs)-2, func(i int) bool { return xs[i+1] > x })
	y := ys[i] + (x-xs[i])/(xs[i+1]-xs[i])*(ys[i+1]-ys[i])
	return min(y, math.Nextafter(ys[i+1], ys[i]))
}

// move moves the submission of a job. Submissions at whole seconds stay so, and an unknown
// submission stays unknown. The error is ErrChanged for a submission outside the log's span.
func (w *warp) move(j *workload.Job) (bool, error) {
	if math.IsNaN(j.Submit) {
		return true, nil
	}
	if j.Submit < w.load.First || j.Submit > w.load.Last {
		return false, ErrChanged
	}
	t := interpolate(w.mass, w.times, w.scale*interpolate(w.times, w.mass, j.Submit))
	if w.load.Whole {
		t = math.Floor(t)
	}
	j.MoveTo(t)
	return true, nil
}
