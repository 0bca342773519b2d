package stats

import "slices"

// Append adds all values of later, which follow those of a in the series. later
// has the same lags, and is the same series afterwards.
func (a *Autocorrelation) Append(later *Autocorrelation) {
	if !slices.Equal(a.lags, later.lags) {
		panic("stats: Append of an Autocorrelation with other lags")
	}
	a.settle()
	later.settle()
	for i, lag := range a.lags {
		// Pairs of a value of a and one of later.
		for k, x := range later.first[:min(lag, len(later.first))] {
			if at := len(a.recent) - lag + k; at >= 0 {
				a.cross[i].AddProduct(a.recent[at], x)
			}
		}
		a.cross[i].Merge(&later.cross[i])
	}
	a.moments.Merge(&later.moments)
	a.first = append(a.first, later.first[:min(a.most-len(a.first), len(later.first))]...)
	a.recent = append(a.recent, later.recent...)
	a.recent = slices.Delete(a.recent, 0, max(0, len(a.recent)-a.most))
	a.summed = len(a.recent)
}
