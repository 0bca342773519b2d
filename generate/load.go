package generate

import "math"

// The load of the generated jobs must be from the requested load to loadAbove times that. A
// search ends after mostDraws draws.
const (
	loadAbove = 1.001
	mostDraws = 40
)

// meet returns the stretch of the interarrival times at which the generated jobs, and not only
// the mean of many draws, have the requested load from the first submission to the last: one
// large job may be 5 % of the work of a month. With Days, the jobs are the first ones, drawn at
// the stretch that is right for the mean, whose work at the requested load fits into the days.
//
// Jobs are not kept but drawn again. If no stretch gives the load (with few jobs, or if the last
// job would be submitted in a night without arrivals), meet returns the one with the nearest
// load.
func (w *Workload) meet(stretch float64) float64 {
	days := w.until
	until := days
	best, least, jobs, quotas := stretch, math.Inf(1), w.jobs, w.quotas
	for range 4 { // shorter logs, if the last job would have to be submitted in a night without arrivals
		w.arrive(stretch)
		w.until, w.quotas = math.Inf(1), nil
		d := w.draw(until)
		if d.jobs < 2 || !(d.load() > 0) {
			break
		}
		w.jobs = d.jobs
		w.quotas = w.jobsOfClasses()
		short, long := 0.0, math.Inf(1) // stretches with too much and with too little load
		last := d.last                  // last submission at short
		for step := range mostDraws {
			over := d.load() / w.options.Load
			if off := math.Abs(over - (1+loadAbove)/2); off < least {
				best, least, jobs, quotas = stretch, off, d.jobs, w.quotas
			}
			switch {
			case over >= 1 && over <= loadAbove:
				return best
			case over < 1:
				long = stretch
			default:
				short, last = stretch, d.last
			}
			// The mean rate gives the next stretch, but not across a night. So every other step
			// bisects the range that is left.
			next := stretch * over / ((1 + loadAbove) / 2)
			if middle := math.Sqrt(short * long); !math.IsInf(middle, 1) && middle > 0 && (step%2 == 1 || !(next > short && next < long)) {
				next = middle
			}
			if !(next > short*(1+1e-12) && next < long) || math.IsInf(next, 1) {
				break
			}
			stretch = next
			w.arrive(stretch)
			d = w.redraw(d)
		}
		if math.IsInf(until, 1) || !(last < until) {
			break
		}
		until = last
	}
	w.until, w.jobs, w.quotas = days, jobs, quotas
	w.arrive(best)
	return best
}

// drawn holds the totals of a draw of the jobs.
type drawn struct {
	jobs        int64
	area        float64 // processor seconds
	first, last float64 // s, submissions
	capacity    float64 // processors
}

// load returns the offered load from the first submission to the last; NaN or infinite if they
// are simultaneous.
func (d drawn) load() float64 { return d.area / (d.last - d.first) / d.capacity }

// draw draws the jobs: the requested number or, with a finite until, as many as have work that
// fits before the second until at the requested load.
func (w *Workload) draw(until float64) drawn {
	d := drawn{capacity: float64(w.Site.Processors)}
	for j := range w.Jobs() {
		area := area(&j)
		if d.jobs == 0 {
			d.first = j.Submit
		} else if d.first+(d.area+area)/d.capacity/w.options.Load > until {
			break
		}
		d.jobs++
		d.area += area
		d.last = j.Submit
	}
	return d
}

// jobsOfClasses returns the number of jobs of each class; nil if there is only one class.
func (w *Workload) jobsOfClasses() []int64 {
	if len(w.classes) == 1 {
		return nil
	}
	counts := make([]int64, len(w.classes))
	for b := range w.blocks() {
		for _, class := range b.classes {
			counts[class]++
		}
	}
	return counts
}

// redraw returns d with the submissions of the same jobs at the stretch set last.
func (w *Workload) redraw(d drawn) drawn {
	d.first = math.NaN()
	for b := range w.blocks() {
		if math.IsNaN(d.first) {
			d.first = b.submits[0]
		}
		d.last = b.submits[len(b.submits)-1]
	}
	return d
}
