package fit

import (
	"cmp"
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/dist"
)

// closed is how many values are not censored.
func (p points) closed() int {
	if p.spans == nil {
		return p.len()
	}
	n := 0
	for i, h := range p.spans.halfSquared {
		if !math.IsInf(h, 1) || p.spans.lo[i] == 0 {
			n++
		}
	}
	return n
}

// Len, Less and Swap sort the points by x, with their cells.
func (p points) Len() int           { return len(p.x) }
func (p points) Less(i, j int) bool { return p.x[i] < p.x[j] }
func (p points) Swap(i, j int) {
	for _, v := range [][]float64{p.x, p.lnX, p.w, p.spans.lo, p.spans.hi, p.spans.halfSquared, p.spans.lnWidth} {
		v[i], v[j] = v[j], v[i]
	}
}

// ownCell is the share of the jobs from which a value keeps a cell of its own
// in a pressed sample.
const ownCell = 0.002

// pressCells is press for a sample of cells: neighbours become one wider
// cell. Exact values are pressed as press does it, censored ones to one at
// the mean of where they were censored.
func (p points) pressCells() points {
	lo, width := p.x[0], (p.x[p.len()-1]-p.x[0])/cells
	most := ownCell * p.total()
	out := points{spans: &spans{}}
	var exact, endless GammaSums
	var end float64 // of the endless cells
	var wide struct{ lo, hi, w float64 }
	flush := func() {
		if exact.W > 0 {
			i := len(out.x)
			x := exact.Mean()
			out.add(x, x, exact.W)
			out.lnX[i] = exact.LnX / exact.W
		}
		if wide.w > 0 {
			out.add(wide.lo, wide.hi, wide.w)
		}
		if endless.W > 0 {
			out.addCensored(endless.Mean(), end, endless.W)
		}
		exact, endless, wide.w = GammaSums{}, GammaSums{}, 0
	}
	last := 0
	for i, x := range p.x {
		w, from, to := p.w[i], p.spans.lo[i], p.spans.hi[i]
		cell := min(int((x-lo)/width), cells-1)
		if cell != last || w >= most {
			flush()
			last = cell
		}
		switch {
		case from == to:
			exact.add(x, p.lnX[i], w)
		case math.IsInf(p.spans.halfSquared[i], 1) && from > 0:
			endless.add(from, p.lnX[i], w)
			end = to
		case wide.w == 0:
			wide.lo, wide.hi, wide.w = from, to, w
		default:
			wide.hi = max(wide.hi, to)
			wide.w += w
		}
		if w >= most {
			flush()
		}
	}
	flush()
	return out
}

// mostPeaks is how many peaks peakStarts starts from.
const mostPeaks = 4

// peakStarts are starts with one component, as narrow as is allowed, on one of
// the values around which jobs are packed most densely, such as a common limit
// of the run time, and the others by shares of the jobs. A peak's rank is what
// a component there may gain over its surroundings: n ln(density/density
// around), n being the jobs within a standard deviation, and around up to
// eight.
func (m *mixture) peakStarts(k int) [][]component {
	upTo := make([]float64, m.len()+1)
	for i, w := range m.w {
		upTo[i+1] = upTo[i] + w
	}
	within := func(x, r float64) float64 {
		from, _ := slices.BinarySearch(m.x, x-r)
		to, _ := slices.BinarySearch(m.x, x+r)
		return upTo[to] - upTo[from]
	}
	type peak struct{ x, sd, jobs, gain float64 }
	peaks := make([]peak, m.len())
	for i, x := range m.x {
		sd := x / math.Sqrt(m.maxShape(x))
		r := max(sd, x*math.Sqrt(m.spans.halfSquaredOr0(i)))
		near, around := within(x, 1.0001*r), within(x, 8*r)
		peaks[i] = peak{x, sd, near, near * math.Log(8*near/around)}
	}
	slices.SortStableFunc(peaks, func(a, b peak) int { return cmp.Compare(b.gain, a.gain) })
	var taken []peak
	var list [][]component
	for _, p := range peaks {
		if len(taken) == mostPeaks || !(p.gain > 0) {
			break
		}
		if slices.ContainsFunc(taken, func(q peak) bool { return math.Abs(p.x-q.x) < 4*max(p.sd, q.sd) }) {
			continue
		}
		taken = append(taken, p)
		var cuts []float64
		if k > 2 {
			cuts = m.quantileCuts(k-1, 1)
		}
		rest, ok := m.split(cuts)
		if !ok {
			continue
		}
		share := min(0.9, p.jobs/m.jobs)
		for i := range rest {
			rest[i].weight *= 1 - share
		}
		shape := m.maxShape(p.x)
		list = append(list, append(rest, component{share, dist.Gamma{Shape: shape, Scale: p.x / shape}}))
	}
	return list
}

// halfSquaredOr0 is halfSquared of a closed cell, 0 of others.
func (s *spans) halfSquaredOr0(i int) float64 {
	if h := s.halfSquared[i]; !math.IsInf(h, 1) {
		return h
	}
	return 0
}
