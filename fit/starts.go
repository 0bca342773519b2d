package fit

import (
	"math"
	"slices"
)

// cells is how many equal cells of x a long sample is pressed into, each with
// its jobs' own means of x and ln x, before starts are tried on it.
const cells = 1024

// press returns p with at most cells points: neighbours share a cell. Sums of
// x and of ln x are those of p; only likelihoods inside a cell are blurred.
func (p points) press() points {
	if p.len() <= cells {
		return p
	}
	if p.spans != nil {
		return p.pressCells()
	}
	lo, width := p.x[0], (p.x[p.len()-1]-p.x[0])/cells
	var out points
	var sum GammaSums
	flush := func() {
		if sum.W > 0 {
			out.x = append(out.x, sum.Mean())
			out.lnX = append(out.lnX, sum.LnX/sum.W)
			out.w = append(out.w, sum.W)
		}
		sum = GammaSums{}
	}
	last := 0
	for i, x := range p.x {
		if cell := min(int((x-lo)/width), cells-1); cell != last {
			flush()
			last = cell
		}
		sum.add(x, p.lnX[i], p.w[i])
	}
	flush()
	return out
}

// histogramCells is the number of equal cells of x in which modes are looked
// for, and mostSmoothings how often they may be smoothed.
const (
	histogramCells = 128
	mostSmoothings = 20 * histogramCells
)

// modeCuts returns the k-1 values of x at the minima between the k modes of
// the sample's histogram (Lublin and Feitelson 2003, section 3.2), or nil.
//
// A raw histogram of rounded logarithms has dozens of modes. So it is
// smoothed with the weights 1/4, 1/2, 1/4 until no more than k are left; nil
// if there are then fewer. Outside its ends the histogram is zero.
func (p points) modeCuts(k int) []float64 {
	lo, hi := p.x[0], p.x[p.len()-1]
	width := (hi - lo) / histogramCells
	if !(width > 0) {
		return nil
	}
	h := make([]float64, histogramCells)
	for i, x := range p.x {
		h[min(int((x-lo)/width), histogramCells-1)] += p.w[i]
	}
	smooth := make([]float64, len(h))
	for range mostSmoothings {
		modes := modesOf(h)
		if len(modes) < k {
			return nil
		}
		if len(modes) == k {
			cuts := make([]float64, k-1)
			for i := range cuts {
				low := modes[i]
				for j := modes[i]; j <= modes[i+1]; j++ {
					if h[j] < h[low] {
						low = j
					}
				}
				cuts[i] = lo + (float64(low)+0.5)*width
			}
			return cuts
		}
		for i := range h {
			s := h[i] / 2
			if i > 0 {
				s += h[i-1] / 4
			}
			if i+1 < len(h) {
				s += h[i+1] / 4
			}
			smooth[i] = s
		}
		h, smooth = smooth, h
	}
	return nil
}

// modesOf returns the cells that are higher than their neighbours; a plateau
// counts once, at its first cell.
func modesOf(h []float64) []int {
	var modes []int
	rising, from := true, 0
	for i := range h {
		switch {
		case i > 0 && h[i] > h[i-1]:
			rising, from = true, i
		case i > 0 && h[i] < h[i-1]:
			if rising {
				modes = append(modes, from)
			}
			rising = false
		}
	}
	if rising {
		modes = append(modes, from)
	}
	return modes
}

// quantileCuts returns k-1 values of x that split the jobs so that the share
// below the i-th is (i/k)^power: for k = 2, any share.
func (p points) quantileCuts(k int, power float64) []float64 {
	total := p.total()
	cuts := make([]float64, 0, k-1)
	sum, i := 0.0, 0
	for c := 1; c < k; c++ {
		want := total * math.Pow(float64(c)/float64(k), power)
		for i < p.len()-1 && sum+p.w[i] < want {
			sum += p.w[i]
			i++
		}
		cuts = append(cuts, p.x[i])
	}
	return cuts
}

// split returns the components that fit the parts of the sample between the
// cuts (a value at a cut belongs below it); false if a part is empty.
func (m *mixture) split(cuts []float64) ([]component, bool) {
	sums := make([]GammaSums, len(cuts)+1)
	for i, x := range m.x {
		k := 0
		for k < len(cuts) && x > cuts[k] {
			k++
		}
		sums[k].add(x, m.lnX[i], m.w[i])
	}
	start := make([]component, len(sums))
	for k, s := range sums {
		if !(s.W > 0) {
			return nil, false
		}
		start[k].weight = s.W / m.jobs
		start[k].law, _ = m.bounded(s)
	}
	return start, true
}

// splitShares are the shares below the cut, for two components, of the
// restarts: where the histogram has no two modes, or its minimum is a bad
// place to start from.
var splitShares = [...]float64{0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9}

// starts returns the starts of EM with k components, without repetitions:
// the split at the histogram's minima, where there is one, comes first, and
// byModes says so. Where the likelihood is of cells, starts with a component
// on each of the sample's sharpest peaks come last.
func (m *mixture) starts(k int) (list [][]component, byModes bool) {
	if k == 1 {
		c, _ := m.split(nil)
		return [][]component{c}, true
	}
	list, byModes = splitStarts(m.points, k, m.split)
	if m.spans != nil && !m.shaped && !m.fixed {
		list = append(list, m.peakStarts(k)...)
	}
	return list, byModes
}

// splitStarts are the components of a sample cut at the minima between its
// modes, if there are as many, which byModes says, and at shares of its jobs.
func splitStarts[C any](p points, k int, split func(cuts []float64) ([]C, bool)) (list [][]C, byModes bool) {
	var seen [][]float64
	add := func(cuts []float64) bool {
		if cuts == nil || slices.ContainsFunc(seen, func(c []float64) bool { return slices.Equal(c, cuts) }) {
			return false
		}
		seen = append(seen, cuts)
		c, ok := split(cuts)
		if ok {
			list = append(list, c)
		}
		return ok
	}
	byModes = add(p.modeCuts(k))
	for _, share := range splitShares {
		add(p.quantileCuts(k, math.Log(share)/math.Log(0.5)))
	}
	return list, byModes
}
