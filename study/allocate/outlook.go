package allocate

import (
	"fmt"
	"math"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/predict"
)

// outlook predicts as predict.DowneyBenefactors, but is faster for many predictions at one
// moment: the parameters of a running job's law at its age are computed once, and the
// time is searched for iteratively from the last answer (see earliest). A test compares the
// two.
type outlook struct {
	law     dist.UniformLog // of lifetimes
	all     []resident      // by descending size
	medians []float64       // by the number of jobs each of which frees enough processors; 0 if not computed yet
	last    float64         // ln of the last answer, from which the next search starts
}

// resident is a running job with the law of its remaining lifetime.
type resident struct {
	size float64
	age  float64
	old  bool    // older than TMax, see predict.OneLaw
	from float64 // ln of the age from which on it may end
	w    float64 // 1 / (ln TMax - from)
	// The times from now after which it may end, and by which it has ended. Between them
	// its survival is smooth.
	first, last float64
}

// lawOf returns the uniform-log law from the shortest to the longest run time of a schedule, which
// is its fit by maximum likelihood and reproduces the paper's figures of bias (section 5.4). (The
// paper does not say that lifetimes are run times on the processors given under AVG instead of
// sequential times; this is inferred.) It returns an error if all run times are equal.
func lawOf(placed []Placement) (dist.UniformLog, error) {
	law := dist.UniformLog{TMin: placed[0].Run, TMax: placed[0].Run}
	for i := range placed {
		law.TMin, law.TMax = min(law.TMin, placed[i].Run), max(law.TMax, placed[i].Run)
	}
	if !(law.TMax/law.TMin > 1+1e-9) {
		return dist.UniformLog{}, fmt.Errorf("cannot fit a distribution of lifetimes to the jobs' run times (%d, from %g to %g s): want at least two different ones", len(placed), law.TMin, law.TMax)
	}
	return law, nil
}

// reset sets the moment from which to predict.
func (o *outlook) reset(v *view) {
	o.all = o.all[:0]
	for i := range v.running {
		r := &v.running[i]
		x := resident{size: float64(r.size), age: v.now - r.start}
		if o.law.Outlived(x.age) {
			x.old, x.last = true, math.Inf(1)
		} else {
			from := max(x.age, o.law.TMin)
			x.first, x.last = from-x.age, o.law.TMax-x.age
			x.from, x.w = math.Log(from), 1/math.Log(o.law.TMax/from)
		}
		o.all = append(o.all, x)
		for k := len(o.all) - 1; k > 0 && o.all[k-1].size < x.size; k-- {
			o.all[k-1], o.all[k] = o.all[k], o.all[k-1]
		}
	}
	if cap(o.medians) < len(o.all)+1 {
		o.medians = make([]float64, 2*len(o.all)+1)
	}
	o.medians = o.medians[:len(o.all)+1]
	clear(o.medians)
	o.last = math.Log(600)
}

// survival returns the probability s that the job runs more than t seconds longer, its density
// -ds/dt, and the derivative of the density.
func (r *resident) survival(t float64) (s, density, slope float64) {
	at := r.age + t
	if r.old {
		s = r.age / at
		return s, s / at, -2 * s / at / at
	}
	passed := math.Log(at) - r.from
	if passed <= 0 { // younger than TMin until then
		return 1, 0, 0
	}
	if s = 1 - float64(passed*r.w); s <= 0 {
		return 0, 0, 0
	}
	density = r.w / at
	return s, density, -density / at
}

// alone returns the largest number of processors for which predictor A predicts: the size of
// the second largest running job, so that each of two jobs holds as many; 0 if fewer run.
func (o *outlook) alone() int {
	if len(o.all) < 2 {
		return 0
	}
	return int(o.all[1].size)
}

// wait predicts the seconds until the needed number of additional processors is free. If at
// least two running jobs each hold as many, it is the median of the time until the first of them
// ends (predictor A); else it is the time by which the expected number of freed processors
// reaches the number (predictor B), +Inf if there is none. Downey (1997), sections 3.1 to 3.3.
func (o *outlook) wait(needed int) float64 {
	if needed > o.alone() {
		o.last = earliest(o.last, func(t float64) point { return o.freed(float64(needed), t) })
		if t := math.Exp(o.last); t < predict.Longest*(1-1e-8) {
			return t
		}
		return math.Inf(1)
	}
	n := 2
	for n < len(o.all) && o.all[n].size >= float64(needed) {
		n++
	}
	if o.medians[n] == 0 {
		o.last = earliest(o.last, func(t float64) point { return ended(o.all[:n], t) })
		o.medians[n] = math.Exp(o.last)
	}
	return o.medians[n]
}

// point is the value of a function of time, its first two derivatives, and the interval of
// times around it in which the function is smooth.
type point struct{ f, f1, f2, from, to float64 }

// within narrows the smooth interval around t to that of one job's survival.
func (p *point) within(r *resident, t float64) {
	switch {
	case t < r.first:
		p.to = min(p.to, r.first)
	case t < r.last:
		p.from, p.to = max(p.from, r.first), min(p.to, r.last)
	default:
		p.from = max(p.from, r.last)
	}
}

// ended returns -ln p - ln 2 as a function of t, where p is the probability that none of the
// jobs has ended within t: it is 0 at the median of the time until the first end.
func ended(jobs []resident, t float64) point {
	p := point{to: math.Inf(1)}
	none := 1.0
	for i := range jobs {
		s, d, d1 := jobs[i].survival(t)
		none *= s
		hazard := d / s
		p.f1 += hazard
		p.f2 += d1/s + float64(hazard*hazard)
		p.within(&jobs[i], t)
	}
	if none == 0 {
		return point{f: math.Inf(1)}
	}
	p.f = -math.Ln2 - math.Log(none)
	return p
}

// freed returns the expected number of processors freed within t minus the needed number, as a
// function of t.
func (o *outlook) freed(needed, t float64) point {
	p := point{f: -needed, to: math.Inf(1)}
	for i := range o.all {
		r := &o.all[i]
		s, d, d1 := r.survival(t)
		p.f += float64(r.size * (1 - s))
		p.f1 += float64(r.size * d)
		p.f2 += float64(r.size * d1)
		p.within(r, t)
	}
	return p
}

// earliest returns ln of the smallest time, from predict.Shortest to
// predict.Longest, at which the nondecreasing function f is at least 0. It uses
// Halley's method in ln t, starting at x, and bisection where a step would leave the
// bracket.
func earliest(x float64, f func(t float64) point) float64 {
	low, high := math.Log(predict.Shortest), math.Log(predict.Longest)
	lowest := low // f may be at least 0 even here
	for range 200 {
		t := math.Exp(x)
		y := f(t)
		if y.f < 0 {
			low = x
		} else {
			high = x
		}
		y1 := float64(t * y.f1) // in ln t
		y2 := y1 + float64(float64(t*t)*y.f2)
		next := x - 2*float64(y.f*y1)/(2*float64(y1*y1)-float64(y.f*y2))
		if low == lowest && next <= low {
			if f(predict.Shortest).f >= 0 {
				return lowest
			}
			lowest = math.Inf(-1)
		}
		switch step := math.Abs(next - x); {
		case high-low < 1e-9:
			return high
		case !(next > low && next < high):
			next = low + (high-low)/2
		case step < 1e-9, step < 1e-4 && t*(1-step) > y.from && t*(1+2*step) < y.to:
			return next // accurate to about 1e-12, since a step cubes the error
		}
		x = next
	}
	return high
}
