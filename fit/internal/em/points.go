package em

import "math"

// Points is a sample as the likelihood takes it: distinct values above 0 in ascending order, and how many jobs
// have each.
type Points struct {
	X   []float64 // values
	LnX []float64 // their logarithms
	W   []float64 // jobs
}

// NewPoints returns a sample of values x > 0, ascending.
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
func (s Points) Total() float64 {
	sum := 0.0
	for _, w := range s.W {
		sum += w
	}
	return sum
}

// Quantile returns the value at and below which a share of the jobs lies.
func (s Points) Quantile(share float64) float64 {
	want, sum := s.Total()*share, 0.0
	for i, w := range s.W {
		if sum += w; sum >= want {
			return s.X[i]
		}
	}
	return s.X[len(s.X)-1]
}
