package predict

import "math"

// MeanFreed returns the mean time until the running jobs have freed what the
// head needs, in seconds, from the distribution of freed: the integral of its
// complement. It is 0 if nothing is needed, and +Inf if the mean does not exist
// (a job that must end is older than its law allows, see OneLaw) or the running
// jobs hold less than is needed.
//
// The integral is taken in ln t by Simpson's rule, refined to a relative error
// of 1e-6.
func MeanFreed(h *Head, l Lifetimes) float64 {
	if h.Needed <= 0 {
		return 0
	}
	if h.held() < h.Needed {
		return math.Inf(1)
	}
	f := newFreed(h, l)
	late := func(t float64) float64 { return max(0, 1-f.by(t)) }
	// A tail that still counts at Longest has a mean that is not finite, or is
	// beyond what anyone can use.
	const tail = 1e-3
	first := 1e-3 // s: before it the complement is taken to be that at 0
	in := func(u float64) float64 { t := math.Exp(u); return t * late(t) }
	low, high := math.Log(first), math.Log(Longest)
	sum := first * late(first)
	const parts = 64
	step := (high - low) / parts
	var pieces [parts]float64
	for i := range parts {
		a := low + float64(i)*step
		fa, fm, fb := in(a), in(a+step/2), in(a+step)
		pieces[i] = step / 6 * (fa + 4*fm + fb)
		sum += pieces[i]
	}
	if in(high) > tail*sum {
		return math.Inf(1)
	}
	tolerance := 1e-7 * sum
	total := first * late(first)
	for i := range parts {
		a := low + float64(i)*step
		total += simpson(in, a, in(a), a+step/2, in(a+step/2), a+step, in(a+step), pieces[i], tolerance/parts, 30)
	}
	return total
}

// simpson is adaptive Simpson quadrature of one piece whose rough value is
// known.
func simpson(f func(float64) float64, a, fa, m, fm, b, fb, whole, tolerance float64, depth int) float64 {
	l, r := (a+m)/2, (m+b)/2
	fl, fr := f(l), f(r)
	left, right := (m-a)/6*(fa+4*fl+fm), (b-m)/6*(fm+4*fr+fb)
	if off := left + right - whole; depth == 0 || math.Abs(off) <= 15*tolerance {
		return left + right + off/15
	}
	return simpson(f, a, fa, l, fl, m, fm, left, tolerance/2, depth-1) + simpson(f, m, fm, r, fr, b, fb, right, tolerance/2, depth-1)
}
