package reshape

import (
	"fmt"
	"math"
	"sort"

	"github.com/loadstone-hpc/loadstone/workload"
)

const (
	// weeklyFrom is the span in seconds from which a log's cycle is that of
	// its weeks. In a shorter one each half hour of the week has been seen too
	// rarely, and the cycle is that of its days.
	weeklyFrom  = 4 * cycleWeek
	slotsOfDay  = 86400 / cycleSlot
	slotsOfWeek = 7 * slotsOfDay
	// maxSpan bounds the memory of a Warp, which is 8 bytes for each half hour
	// (s).
	maxSpan = 200 * 365.25 * 86400
)

// Cycle is the rate at which a log's jobs are submitted in each half hour of the week, in
// local time.
type Cycle struct {
	// Rates are jobs per second, from Sunday 0:00 on. Where Weekly is false
	// all days have the same.
	Rates  [slotsOfWeek]float64
	Weekly bool
	First  float64 // s, first submission
	Last   float64 // s, last submission

	clock workload.Clock
	zero  float64 // begin of the half hour in which First is
}

// MeasureCycle reads a log once. l is the result of MeasureLoad for the same log, for its
// first and last submission. A half hour that is only partly within the log counts in
// proportion.
func MeasureCycle(jobs workload.JobSeq, l *Load, clock workload.Clock) (*Cycle, error) {
	span := l.Last - l.First
	if !(span > 0) || span > maxSpan || math.Abs(l.First) > maxSpan {
		return nil, fmt.Errorf("submissions from %g s to %g s, want a span of more than nothing and at most 200 years", l.First, l.Last)
	}
	c := &Cycle{First: l.First, Last: l.Last, Weekly: span >= weeklyFrom, clock: clock}
	_, offset := clock.At(l.First).Zone()
	local := l.First + float64(clock.Start.Unix()+int64(offset))
	c.zero = l.First - (local - math.Floor(local/cycleSlot)*cycleSlot)

	var counts, seconds [slotsOfWeek]float64
	last, slot := -1, 0
	for j, err := range jobs {
		if err != nil {
			return nil, err
		}
		if math.IsNaN(j.Submit) {
			continue
		}
		if j.Submit < l.First || j.Submit > l.Last {
			return nil, ErrChanged
		}
		if i := c.index(j.Submit); i != last {
			last, slot = i, c.slot(i)
		}
		counts[slot]++
	}
	for i := 0; c.begin(i) <= l.Last; i++ {
		seconds[c.slot(i)] += min(c.begin(i+1), l.Last) - max(c.begin(i), l.First)
	}
	if !c.Weekly {
		for s := slotsOfDay; s < slotsOfWeek; s++ {
			counts[s%slotsOfDay] += counts[s]
			seconds[s%slotsOfDay] += seconds[s]
		}
		for s := slotsOfDay; s < slotsOfWeek; s++ {
			counts[s], seconds[s] = counts[s%slotsOfDay], seconds[s%slotsOfDay]
		}
	}
	for s := range c.Rates {
		// A lone job at the span's very end has seen no time of its slot.
		if counts[s] > 0 {
			c.Rates[s] = counts[s] / max(seconds[s], 1)
		}
	}
	return c, nil
}

// index is the half hour of a moment, counted from the one of First; begin is
// where it begins.
func (c *Cycle) index(t float64) int     { return int(math.Floor((t - c.zero) / cycleSlot)) }
func (c *Cycle) begin(index int) float64 { return c.zero + float64(index)*cycleSlot }

// slot is which half hour of the week, from Sunday 0:00, that is. Its middle
// decides, so that time zones may change at odd seconds.
func (c *Cycle) slot(index int) int {
	t := c.clock.At(c.begin(index) + cycleSlot/2)
	return int(t.Weekday())*slotsOfDay + t.Hour()*2 + t.Minute()/30
}

// Warp scales the time between jobs with the cycle held. It works in the
// cycle's own time, which runs at the rate at which jobs come and stands still
// where none ever come: in that time jobs come evenly, whatever the hour. There
// the time from the first job on is multiplied by a factor, and the result is
// taken back to the clock. So a busy hour stays busy, because more of the
// scaled log falls into it, and the order of jobs stays.
//
// It is the arrival method of Lublin and Feitelson (2003), section 3.3.2, in
// which a slot lasts as many virtual seconds as its weight says, applied to a
// log in place of a model, with the log's own weights by half hour of the week.
type Warp struct {
	Scale float64 // of the cycle's time: below 1 makes interarrival times shorter

	cycle *Cycle
	mass  []float64 // cycle's time passed at begin(i), from First on
	whole bool
}

// WarpTo returns the warp that gives the log the target offered load on a machine with the
// given processors.
func (c *Cycle) WarpTo(l *Load, processors int64, target float64) (*Warp, error) {
	if _, err := l.checkOffered(processors, target); err != nil {
		return nil, err
	}
	span := l.Work / (float64(processors) * target)
	switch {
	case span > maxSpan:
		return nil, fmt.Errorf("a load of %.4g would take %.4g years of submissions, want at most 200", target, span/(365.25*86400))
	case span < 86400:
		return nil, fmt.Errorf("a load of %.4g would leave %.4g hours of submissions, want at least a day, so that there is a cycle to hold: replicate the log instead", target, span/3600)
	}
	w := &Warp{cycle: c, whole: l.Whole}
	w.extend(max(c.Last, c.First+span))
	w.Scale = w.to(c.First+span) / w.to(c.Last)
	if !(w.Scale > 0) {
		return nil, fmt.Errorf("a load of %.4g would squeeze the log into hours in which no job ever came", target)
	}
	return w, nil
}

// extend adds up the cycle's time until after a moment, and on until it has
// passed some.
func (w *Warp) extend(until float64) {
	c := w.cycle
	w.mass = []float64{0}
	for i := 0; ; i++ {
		rate := c.Rates[c.slot(i)]
		w.mass = append(w.mass, w.mass[i]+rate*(c.begin(i+1)-max(c.begin(i), c.First)))
		if c.begin(i) > until && rate > 0 {
			return
		}
	}
}

// to takes a moment of the clock to the cycle's time since First.
func (w *Warp) to(t float64) float64 {
	i := w.cycle.index(t)
	return w.mass[i] + w.cycle.Rates[w.cycle.slot(i)]*(t-max(w.cycle.begin(i), w.cycle.First))
}

// from is the inverse of to: a moment at which jobs come.
func (w *Warp) from(m float64) float64 {
	i := sort.Search(len(w.mass)-2, func(i int) bool { return w.mass[i+1] > m })
	begin := max(w.cycle.begin(i), w.cycle.First)
	t := begin + (m-w.mass[i])/w.cycle.Rates[w.cycle.slot(i)]
	// Rounding is not to push it into the next half hour.
	return min(t, math.Nextafter(w.cycle.begin(i+1), begin))
}

// At returns where a submission of the log goes. Logs of whole seconds stay so.
func (w *Warp) At(submit float64) float64 {
	t := w.from(w.to(submit) * w.Scale)
	if w.whole {
		t = math.Floor(t)
	}
	return t
}

// Jobs moves the submissions of the log's jobs. Unknown ones stay unknown.
func (w *Warp) Jobs(jobs workload.JobSeq) workload.JobSeq {
	return func(yield func(workload.Job, error) bool) {
		for j, err := range jobs {
			if err == nil && (j.Submit < w.cycle.First || j.Submit > w.cycle.Last) {
				err = ErrChanged
			}
			if err != nil {
				yield(workload.Job{}, err)
				return
			}
			if !math.IsNaN(j.Submit) {
				j.MoveTo(w.At(j.Submit))
			}
			if !yield(j, nil) {
				return
			}
		}
	}
}
