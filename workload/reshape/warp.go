package reshape

import (
	"context"
	"fmt"
	"math"
	"sort"

	"github.com/loadstone-hpc/loadstone/workload"
)

const (
	halfHour    = 1800 // s
	slotsOfDay  = 86400 / halfHour
	slotsOfWeek = 7 * slotsOfDay
	// weeklyFrom is the span in seconds from which a log's cycle is that of
	// its weeks. In a shorter one each half hour of the week has been seen too
	// rarely, and the cycle is that of its days.
	weeklyFrom = 4 * 7 * 86400
	// maxSpan bounds the memory of a warp, which is 8 bytes for each half hour
	// (s).
	maxSpan = 200 * 365.25 * 86400
)

// warp scales the time between jobs with the cycle held. It works in the
// cycle's own time, which runs at the rate at which jobs come and stands still
// where none ever come: in that time jobs come evenly, whatever the hour. There
// the time from the first job on is multiplied by a factor, and the result is
// taken back to the clock. So a busy hour stays busy, because more of the
// scaled log falls into it, and the order of jobs stays.
//
// It is the arrival method of Lublin and Feitelson (2003), section 3.3.2, in
// which a slot lasts as many virtual seconds as its weight says, applied to a
// log in place of a model, with the log's own weights by half hour of the week.
type warp struct {
	rates       [slotsOfWeek]float64 // jobs per second, local time, from Sunday 0:00 on
	first, last float64              // s, submissions
	clock       workload.Clock
	cycle       int     // half hours after which the rates repeat: those of a week, or of a day
	zero        float64 // begin of the half hour in which first is
	whole       bool    // submissions are at whole seconds

	mass  []float64 // cycle's time passed at begin(i), from first on
	scale float64   // of the cycle's time: below 1 makes interarrival times shorter
}

// newWarp reads a log once for its rates. A half hour that is only partly within the log counts in
// proportion.
func newWarp(ctx context.Context, open func() (*workload.Log, error), l *Load, clock workload.Clock) (*warp, error) {
	span := l.Last - l.First
	if !(span > 0) || span > maxSpan || math.Abs(l.First) > maxSpan {
		return nil, fmt.Errorf("submissions from %g s to %g s, want a span of more than nothing and at most 200 years", l.First, l.Last)
	}
	w := &warp{first: l.First, last: l.Last, clock: clock, whole: l.Whole, cycle: slotsOfWeek}
	if span < weeklyFrom {
		w.cycle = slotsOfDay
	}
	_, offset := clock.At(l.First).Zone()
	local := l.First + float64(clock.Start.Unix()+int64(offset))
	w.zero = l.First - (local - math.Floor(local/halfHour)*halfHour)

	var counts, seconds [slotsOfWeek]float64
	last, slot := -1, 0
	if _, err := read(ctx, open, func(j *workload.Job) error {
		switch {
		case math.IsNaN(j.Submit):
			return nil
		case j.Submit < l.First || j.Submit > l.Last:
			return ErrChanged
		}
		if i := w.index(j.Submit); i != last {
			last, slot = i, w.slot(i)
		}
		counts[slot]++
		return nil
	}); err != nil {
		return nil, err
	}
	for i := 0; w.begin(i) <= l.Last; i++ {
		seconds[w.slot(i)] += min(w.begin(i+1), l.Last) - max(w.begin(i), l.First)
	}
	for s := range w.cycle {
		// A lone job at the span's very end has seen no time of its slot.
		w.rates[s] = counts[s] / max(seconds[s], 1)
	}
	return w, nil
}

// index is the half hour of a moment, counted from the one of the first submission; begin is
// where it begins.
func (w *warp) index(t float64) int     { return int(math.Floor((t - w.zero) / halfHour)) }
func (w *warp) begin(index int) float64 { return w.zero + float64(index)*halfHour }

// slot is which half hour of the cycle, from Sunday 0:00, that is. Its middle
// decides, so that time zones may change at odd seconds.
func (w *warp) slot(index int) int {
	t := w.clock.At(w.begin(index) + halfHour/2)
	return (int(t.Weekday())*slotsOfDay + t.Hour()*2 + t.Minute()/30) % w.cycle
}

// scaleTo makes it the warp that gives the log the target offered load, above its own, on a
// machine with the given processors.
func (w *warp) scaleTo(l *Load, processors int64, target float64) error {
	span := l.Work / (float64(processors) * target)
	// Add up the cycle's time until after the last moment, and on until some has passed.
	w.mass = []float64{0}
	for i := 0; ; i++ {
		rate := w.rates[w.slot(i)]
		w.mass = append(w.mass, w.mass[i]+rate*(w.begin(i+1)-max(w.begin(i), w.first)))
		if w.begin(i) > max(w.last, w.first+span) && rate > 0 {
			break
		}
	}
	w.scale = w.to(w.first+span) / w.to(w.last)
	if !(w.scale > 0) {
		return fmt.Errorf("a load of %.4g would squeeze the log into hours in which no job ever came", target)
	}
	return nil
}

// to takes a moment of the clock to the cycle's time since the first submission.
func (w *warp) to(t float64) float64 {
	i := w.index(t)
	return w.mass[i] + w.rates[w.slot(i)]*(t-max(w.begin(i), w.first))
}

// from is the inverse of to: a moment at which jobs come.
func (w *warp) from(m float64) float64 {
	i := sort.Search(len(w.mass)-2, func(i int) bool { return w.mass[i+1] > m })
	begin := max(w.begin(i), w.first)
	t := begin + (m-w.mass[i])/w.rates[w.slot(i)]
	// Rounding is not to push it into the next half hour.
	return min(t, math.Nextafter(w.begin(i+1), begin))
}

// at returns where a submission of the log goes. Logs of whole seconds stay so.
func (w *warp) at(submit float64) float64 {
	t := w.from(w.to(submit) * w.scale)
	if w.whole {
		t = math.Floor(t)
	}
	return t
}

// jobs moves the submissions of the log's jobs. Unknown ones stay unknown.
func (w *warp) jobs(jobs workload.JobSeq) workload.JobSeq {
	return workload.Pass(jobs, func(j *workload.Job) (bool, error) {
		switch {
		case j.Submit < w.first || j.Submit > w.last:
			return false, ErrChanged
		case !math.IsNaN(j.Submit):
			j.MoveTo(w.at(j.Submit))
		}
		return true, nil
	})
}
