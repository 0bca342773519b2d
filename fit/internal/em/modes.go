package em

// histogramCells is the number of equal cells of x in which modes are looked
// for, and mostSmoothings how often they may be smoothed.
const (
	histogramCells = 128
	mostSmoothings = 20 * histogramCells
)

// ModeCuts returns the k-1 values of x at the minima between the k modes of
// the sample's histogram (Lublin and Feitelson 2003, section 3.2), or nil.
//
// A raw histogram of rounded logarithms has dozens of modes. So it is
// smoothed with the weights 1/4, 1/2, 1/4 until no more than k are left; nil
// if there are then fewer. Outside its ends the histogram is zero.
func (s Points) ModeCuts(k int) []float64 {
	lo, hi := s.X[0], s.X[s.Len()-1]
	width := (hi - lo) / histogramCells
	if !(width > 0) {
		return nil
	}
	h := make([]float64, histogramCells)
	for i, x := range s.X {
		h[min(int((x-lo)/width), histogramCells-1)] += s.W[i]
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
