package stats

import "sort"

// ECDF is the empirical distribution function of a sample.
type ECDF struct {
	values []float64 // distinct, ascending
	upTo   []float64 // upTo[i] is how many are <= values[i]
}

// NewECDF returns the distribution function of distinct ascending values with
// counts, as Distinct returns them. The slice of values is kept.
func NewECDF(values, counts []float64) ECDF {
	e := ECDF{values: values, upTo: make([]float64, len(values))}
	sum := 0.0
	for i, c := range counts {
		sum += c
		e.upTo[i] = sum
	}
	return e
}

// N returns the size of the sample.
func (e ECDF) N() float64 {
	if len(e.upTo) == 0 {
		return 0
	}
	return e.upTo[len(e.upTo)-1]
}

// At returns the share of the sample that is <= x; 0 of an empty sample.
func (e ECDF) At(x float64) float64 {
	return e.share(sort.Search(len(e.values), func(i int) bool { return e.values[i] > x }))
}

// Before returns the share of the sample that is < x: the limit of At from
// the left.
func (e ECDF) Before(x float64) float64 {
	return e.share(sort.SearchFloat64s(e.values, x))
}

// share is the share of the first k distinct values.
func (e ECDF) share(k int) float64 {
	if k == 0 {
		return 0
	}
	return e.upTo[k-1] / e.N()
}
