package stats

import "slices"

// Append adds all values of later, which follow those of a in the series. later
// has the same lags, and is not changed.
func (a *Autocorrelation) Append(later *Autocorrelation) {
	if !slices.Equal(a.lags, later.lags) {
		panic("stats: Append of an Autocorrelation with other lags")
	}
	if a.n == 0 {
		a.n, a.next = later.n, later.next
		a.addSums(later)
		copy(a.recent, later.recent)
		a.first = slices.Clone(later.first)
		return
	}
	last := a.tail()
	for i, lag := range a.lags {
		// Pairs of a value of a and one of later.
		for k, x := range later.first[:min(lag, len(later.first))] {
			if at := len(last) - lag + k; at >= 0 {
				a.cross[i].AddProduct(last[at], x)
			}
		}
	}
	size := len(a.recent)
	if room := size - len(a.first); room > 0 {
		a.first = append(a.first, later.first[:min(room, len(later.first))]...)
	}
	last = append(last, later.tail()...)
	last = last[max(0, len(last)-size):]
	a.next = copy(a.recent, last) % size
	a.n += later.n
	a.addSums(later)
}

// addSums adds the sums of another series, without the pairs across the border.
func (a *Autocorrelation) addSums(o *Autocorrelation) {
	a.sum.Merge(&o.sum)
	a.squares.Merge(&o.squares)
	for i := range a.cross {
		a.cross[i].Merge(&o.cross[i])
	}
}

// tail are the last values, as many as the largest lag, in their order.
func (a *Autocorrelation) tail() []float64 {
	if len(a.first) < len(a.recent) {
		return slices.Clone(a.first) // these are all
	}
	return slices.Concat(a.recent[a.next:], a.recent[:a.next])
}
