package generate

import "math"

// The load of the jobs that are made is brought between the one asked for and
// loadAbove times it; a search ends after mostDraws draws.
const (
	loadAbove = 1.001
	mostDraws = 40
)

// meet finds the stretch of the interarrival times at which the jobs that are
// made, and not only the mean of many such draws, have the load asked for from
// the first submission to the last: of a month, one large job may be 5 % of the
// work. A number of days is filled by the first jobs, of those of the stretch that the mean asks
// for, whose work at that load takes no longer.
//
// Jobs are drawn again and not kept. Where no stretch gives the load (of a few
// jobs, or where the last would be submitted in a night that has none), that with
// the nearest stays.
func (w *Workload) meet(stretch float64) float64 {
	days := w.until
	until := days
	best, least, jobs, quotas := stretch, math.Inf(1), w.jobs, w.quotas
	for range 4 { // shorter logs, where the last job would have to come in a night without any
		w.arrive(stretch)
		w.until, w.quotas = math.Inf(1), nil
		d := w.draw(until)
		if d.jobs < 2 || !(d.load() > 0) {
			break
		}
		w.jobs = d.jobs
		w.quotas = w.jobsOfClasses()
		short, long := 0.0, math.Inf(1) // stretches with too much load, and with too little
		last := d.last                  // submission at short
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
			// The mean rate tells where to go on, but not across a night: every
			// other step halves what is left.
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

// drawn is what a draw of the jobs comes to.
type drawn struct {
	jobs        int64
	area        float64 // processor seconds
	first, last float64 // s, submissions
	capacity    float64 // processors
}

// load is from the first submission to the last; NaN or infinite without a span.
func (d drawn) load() float64 { return d.area / (d.last - d.first) / d.capacity }

// draw draws the jobs: as many as their number says or, of days, as have no more
// work than those have room for.
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

// jobsOfClasses are how many of the jobs are of each class.
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

// redraw draws the submissions of the same jobs at another stretch.
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
