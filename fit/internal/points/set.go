package points

import (
	"math"
	"sort"
)

// Set is a sample: distinct values in ascending order, and how many jobs have
// each. Where the values are not exact, Cells has the cell of each; it is nil
// otherwise.
type Set struct {
	X   []float64 // values; of a cell, one that stands for it
	LnX []float64 // their logarithms; nil if Linear
	W   []float64 // jobs
	*Cells
	// Linear says that values may have any sign, such as logarithms: cells
	// are measured in x itself, and begin at -Inf at the least. Otherwise
	// values are above 0, and cells are measured in ln x and begin at 0.
	Linear bool
}

// New returns a sample of exact values x > 0, ascending.
func New(x, w []float64) Set {
	lnX := make([]float64, len(x))
	for i, v := range x {
		lnX[i] = math.Log(v)
	}
	return Set{X: x, LnX: lnX, W: w}
}

// Len returns the number of distinct values or cells.
func (s Set) Len() int { return len(s.X) }

// Total returns the number of jobs.
func (s Set) Total() float64 {
	sum := 0.0
	for _, w := range s.W {
		sum += w
	}
	return sum
}

// Places returns the values on the scale on which cells are measured: ln x, or
// x if the set is Linear.
func (s Set) Places() []float64 {
	if s.Linear {
		return s.X
	}
	return s.LnX
}

// Quantile returns the value at and below which a share of the jobs lies.
func (s Set) Quantile(share float64) float64 {
	want, sum := s.Total()*share, 0.0
	for i, w := range s.W {
		if sum += w; sum >= want {
			return s.X[i]
		}
	}
	return s.X[len(s.X)-1]
}

// Sort puts the values in ascending order, with their cells; equal ones keep
// their order.
func (s Set) Sort() { sort.Stable(ascending(s)) }

// ascending sorts a set.
type ascending Set

func (a ascending) Len() int           { return len(a.X) }
func (a ascending) Less(i, j int) bool { return a.X[i] < a.X[j] }
func (a ascending) Swap(i, j int) {
	swap := func(v []float64) { v[i], v[j] = v[j], v[i] }
	swap(a.X)
	swap(a.W)
	if !a.Linear {
		swap(a.LnX)
	}
	if c := a.Cells; c != nil {
		swap(c.Lo)
		swap(c.Hi)
		swap(c.HalfSquared)
		swap(c.LnWidth)
	}
}
