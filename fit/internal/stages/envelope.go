package stages

import "math"

// piece is a quadratic a v² + b v + c of the height v at a knot, on [lo, hi]: the least sum of
// squares to the left of the knot, for one choice of the knots there.
type piece struct {
	lo, hi  float64
	a, b, c float64
	from    int32 // the previous knot, as an index of candidates
	parent  int32 // index of the piece of the previous knot
	flat    bool  // whether the height is that of the previous knot
}

func (p *piece) at(v float64) float64 { return (p.a*v+p.b)*v + p.c }

// same reports whether two pieces are parts of the same piece.
func (p *piece) same(q *piece) bool {
	return p.from == q.from && p.parent == q.parent && p.flat == q.flat
}

// below restricts the piece to the heights at which it is at most limit; false if there are none.
func (p *piece) below(limit float64) bool {
	if math.IsInf(limit, 1) {
		return p.lo < p.hi
	}
	if p.a > 0 {
		v := -p.b / (2 * p.a)
		room := limit - p.at(v)
		if room < 0 {
			return false
		}
		r := math.Sqrt(room / p.a)
		p.lo, p.hi = max(p.lo, v-r), min(p.hi, v+r)
	}
	return p.lo < p.hi
}

// after returns the two pieces that follow from p at the next knot, by a segment s: the minimum
// over the height u at this knot of p(u) + s(u, v), with u free and less than v, and with u = v.
// A piece that is valid nowhere has lo >= hi.
//
// With u free, the minimum is at u = (d - b_p/2 - b v) / (a_p + a), which decreases with v. The
// result is valid where that u is in p's [lo, hi]; elsewhere another piece of the envelope has
// the minimum.
func (p *piece) after(s *segment) (free, flat piece) {
	a := p.a + s.a
	h := s.d - p.b/2
	equal := h / (a + s.b) // the height at which the free u is v
	lo, hi := equal, math.Inf(1)
	if s.b > 0 {
		lo, hi = max(lo, (h-a*p.hi)/s.b), (h-a*p.lo)/s.b
	} else if u := h / a; u < p.lo || u > p.hi {
		hi = math.Inf(-1)
	}
	free = piece{lo: lo, hi: hi, a: max(0, s.c-s.b*s.b/a), b: 2 * (s.b*h/a - s.e), c: p.c + s.g - h*h/a}
	flat = piece{
		lo: p.lo, hi: min(p.hi, equal), flat: true,
		a: a + 2*s.b + s.c, b: p.b - 2*s.d - 2*s.e, c: p.c + s.g,
	}
	return free, flat
}

// envelope is the minimum of pieces at each height: disjoint pieces in ascending order of height,
// with gaps where there is none.
type envelope []piece

// add adds q to the envelope. scratch is working memory; add returns the working memory for the
// next call.
func (e *envelope) add(q piece, scratch envelope) envelope {
	if !e.above(&q) {
		return scratch
	}
	out := scratch[:0]
	emit := func(p *piece, lo, hi float64) {
		if !(lo < hi) {
			return
		}
		if n := len(out); n > 0 && out[n-1].hi == lo && out[n-1].same(p) {
			out[n-1].hi = hi
			return
		}
		out = append(out, *p)
		out[len(out)-1].lo, out[len(out)-1].hi = lo, hi
	}
	next := q.lo // q has been dealt with below next
	for i := range *e {
		p := &(*e)[i]
		if p.hi <= q.lo {
			out = append(out, *p)
			continue
		}
		if to := min(p.lo, q.hi); next < to { // a gap
			emit(&q, next, to)
			next = to
		}
		if p.lo >= q.hi {
			out = append(out, *p)
			continue
		}
		lo, hi := max(p.lo, q.lo), min(p.hi, q.hi)
		emit(p, p.lo, lo)
		cuts, n := crossings(p, &q, lo, hi)
		for k := 1; k < n; k++ {
			if mid := cuts[k-1] + (cuts[k]-cuts[k-1])/2; q.at(mid) < p.at(mid) {
				emit(&q, cuts[k-1], cuts[k])
			} else {
				emit(p, cuts[k-1], cuts[k])
			}
		}
		emit(p, hi, p.hi)
		next = hi
	}
	emit(&q, next, q.hi)
	*e, out = out, *e
	return out
}

// above reports whether the envelope has a gap or is above q somewhere on q's interval. Most
// pieces are nowhere the minimum, and this is a cheaper test than adding them.
func (e envelope) above(q *piece) bool {
	next := q.lo
	i, j := 0, len(e) // the first piece that ends above q.lo
	for i < j {
		if m := (i + j) / 2; e[m].hi > q.lo {
			j = m
		} else {
			i = m + 1
		}
	}
	for ; i < len(e) && next < q.hi; i++ {
		p := &e[i]
		if p.lo > next {
			return true
		}
		lo, hi := next, min(p.hi, q.hi)
		a, b, c := q.a-p.a, q.b-p.b, q.c-p.c
		if (a*lo+b)*lo+c < 0 || (a*hi+b)*hi+c < 0 {
			return true
		}
		if a > 0 && b*b > 4*a*c { // q is below p in between, if the difference has its minimum there
			if v := -b / (2 * a); v > lo && v < hi {
				return true
			}
		}
		next = hi
	}
	return next < q.hi
}

// crossings returns lo, the heights in between at which the pieces are equal, and hi.
func crossings(p, q *piece, lo, hi float64) (cuts [4]float64, n int) {
	a, b, c := q.a-p.a, q.b-p.b, q.c-p.c
	cuts[0], n = lo, 1
	take := func(v float64) {
		if v > cuts[n-1] && v < hi {
			cuts[n] = v
			n++
		}
	}
	if disc := b*b - 4*a*c; disc > 0 {
		r := -(b + math.Copysign(math.Sqrt(disc), b)) / 2
		x, y := c/r, r/a // r is not 0 where disc is above 0
		if x > y {
			x, y = y, x
		}
		take(x)
		take(y)
	}
	cuts[n] = hi
	return cuts, n + 1
}
