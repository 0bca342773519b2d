package em

import (
	"math"

	"gonum.org/v1/gonum/floats"
)

// Points is a sample in the form that the likelihood uses: distinct values above 0 in ascending
// order, with the number of jobs of each.
type Points struct {
	X   []float64 // values
	LnX []float64 // their logarithms
	W   []float64 // jobs
}

// NewPoints returns a sample of ascending values x > 0 with w jobs each.
func NewPoints(x, w []float64) Points {
	lnX := make([]float64, len(x))
	for i, v := range x {
		lnX[i] = math.Log(v)
	}
	return Points{X: x, LnX: lnX, W: w}
}

// Len returns the number of distinct values.
func (s Points) Len() int { return len(s.X) }

// Total returns the number of jobs.
func (s Points) Total() float64 { return floats.Sum(s.W) }

// Quantile returns the smallest value such that at least the given share of the jobs is at or
// below it.
func (s Points) Quantile(share float64) float64 {
	want, sum := s.Total()*share, 0.0
	for i, w := range s.W {
		if sum += w; sum >= want {
			return s.X[i]
		}
	}
	return s.X[len(s.X)-1]
}

// Pressed is the number of equal intervals of x into which Press divides a long sample.
const Pressed = 1024

// mostJoined is the largest share of the jobs that are joined into one point. With equal
// intervals alone, one far outlier would leave all other values in a single one.
const mostJoined = 1. / 256

// Press returns the sample with at most 1.25 times Pressed points: neighbours in one interval are
// joined, up to the share mostJoined of the jobs, into one point with the jobs' means of x and ln
// x, so that only likelihoods within an interval are approximate. A shorter sample is returned
// unchanged.
func (s Points) Press() Points {
	if s.Len() <= Pressed {
		return s
	}
	first, width := s.X[0], (s.X[s.Len()-1]-s.X[0])/Pressed
	limit := mostJoined * s.Total()
	var (
		out  Points
		last int
		m    GammaSums
	)
	flush := func() {
		if m.W > 0 {
			out.X, out.LnX, out.W = append(out.X, m.X/m.W), append(out.LnX, m.LnX/m.W), append(out.W, m.W)
		}
		m = GammaSums{}
	}
	for i, x := range s.X {
		if at := min(int((x-first)/width), Pressed-1); at != last || m.W+s.W[i] > limit {
			flush()
			last = at
		}
		m.add(s.X[i], s.LnX[i], s.W[i])
	}
	flush()
	return out
}

// histogramCells is the number of equal cells of x in the histogram in which ModeCut looks for
// modes, and mostSmoothings is the largest number of times that it is smoothed.
const (
	histogramCells = 128
	mostSmoothings = 20 * histogramCells
)

// ModeCut returns the value of x at the minimum between the two modes of the sample's histogram
// (Lublin and Feitelson 2003, section 3.2); false if it does not have two.
//
// A raw histogram of rounded logarithms has dozens of modes. So it is
// smoothed with the weights 1/4, 1/2, 1/4 until no more than two are left.
// Outside its ends the histogram is zero.
func (s Points) ModeCut() (cut float64, ok bool) {
	lo, hi := s.X[0], s.X[s.Len()-1]
	width := (hi - lo) / histogramCells
	if !(width > 0) {
		return 0, false
	}
	h := make([]float64, histogramCells)
	for i, x := range s.X {
		h[min(int((x-lo)/width), histogramCells-1)] += s.W[i]
	}
	smooth := make([]float64, len(h))
	for range mostSmoothings {
		modes := modesOf(h)
		switch {
		case len(modes) < 2:
			return 0, false
		case len(modes) == 2:
			low := modes[0]
			for j := modes[0]; j <= modes[1]; j++ {
				if h[j] < h[low] {
					low = j
				}
			}
			return lo + (float64(low)+0.5)*width, true
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
	return 0, false
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
