package points

import "math"

// Cells are the intervals that the values of a Set are known to lie in. A job
// that was rounded lies in a cell, one that was killed in a cell that begins
// where it was killed; lo = hi is an exact value.
type Cells struct {
	Lo, Hi []float64
	// HalfSquared is the square of half of the cell's width in ln x, or in x
	// if the set is Linear: 0 for an exact value, and +Inf where there is no
	// width or where the cell is too wide for a series.
	HalfSquared []float64
	// LnWidth is the logarithm of the cell's width in x; for a cell that is
	// measured in ln x, that of its middle times its width in ln x. 0 where
	// HalfSquared is 0 or +Inf.
	LnWidth []float64
}

// Add adds w jobs of a cell. The value that stands for it is the middle of a
// closed cell, lo of one without an end, and half of hi, or a Linear set's hi
// less ln 2, of one without a beginning.
func (s *Set) Add(lo, hi, w float64) {
	switch endless := math.IsInf(hi, 1); {
	case lo == hi:
		s.add(lo, math.Log(lo), 0, 0)
	case lo == 0 && !s.Linear:
		x := hi / 2
		if endless {
			x = 1 // all values: it tells nothing
		}
		s.add(x, math.Log(x), math.Inf(1), 0)
	case math.IsInf(lo, -1):
		x := hi - math.Ln2
		if endless {
			x = 0
		}
		s.add(x, 0, math.Inf(1), 0)
	case endless:
		s.add(lo, math.Log(lo), math.Inf(1), 0)
	case s.Linear:
		half := (hi - lo) / 2
		s.add((lo+hi)/2, 0, half, math.Log(2*half))
	default:
		half := math.Log1p((hi-lo)/lo) / 2
		lnX := math.Log(lo) + half
		s.add(math.Exp(lnX), lnX, half, lnX+math.Log(2*half))
	}
	s.W = append(s.W, w)
	s.Lo, s.Hi = append(s.Lo, lo), append(s.Hi, hi)
}

func (s *Set) add(x, lnX, half, lnWidth float64) {
	s.X = append(s.X, x)
	if !s.Linear {
		s.LnX = append(s.LnX, lnX)
	}
	s.HalfSquared, s.LnWidth = append(s.HalfSquared, half*half), append(s.LnWidth, lnWidth)
}

// AddCensored adds w jobs that would have ended between lo and hi. The cell is
// no place of theirs, however narrow: Press does not join it with others.
func (s *Set) AddCensored(lo, hi, w float64) {
	s.Add(lo, hi, w)
	i := len(s.X) - 1
	s.HalfSquared[i], s.LnWidth[i] = math.Inf(1), 0
	if lo > s.Bottom() {
		s.X[i] = lo
		if !s.Linear {
			s.LnX[i] = math.Log(lo)
		}
	}
}

// Bottom returns where the first cell may begin: 0, or -Inf.
func (s *Set) Bottom() float64 {
	if s.Linear {
		return math.Inf(-1)
	}
	return 0
}

// Censored says whether the jobs of cell i are known to be at or above its
// beginning, and no more.
func (s *Set) Censored(i int) bool {
	return s.Cells != nil && math.IsInf(s.HalfSquared[i], 1) && s.Lo[i] > s.Bottom()
}

// Closed returns how many values are not censored.
func (s *Set) Closed() int {
	n := 0
	for i := range s.X {
		if !s.Censored(i) {
			n++
		}
	}
	return n
}

// Ends returns the ends of cell i; of an exact value, itself.
func (s *Set) Ends(i int) (lo, hi float64) {
	if s.Cells == nil {
		return s.X[i], s.X[i]
	}
	return s.Lo[i], s.Hi[i]
}

// HalfWidth returns half of the width of cell i on the scale of Places, +Inf
// for a cell without one; 0 for an exact value.
func (s *Set) HalfWidth(i int) float64 {
	if s.Cells == nil {
		return 0
	}
	return math.Sqrt(s.HalfSquared[i])
}
