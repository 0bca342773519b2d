package series

import (
	"slices"

	"gonum.org/v1/gonum/mathext"
)

// lagWindow is how many of the last waits the autocorrelation is of.
const lagWindow = 100

// Autocorrelation computes the lag-1 autocorrelation of the last waits of a
// history, and keeps the memory for it.
type Autocorrelation struct {
	scores [lagWindow + 1][]float64 // by length: the normal scores of the ranks
	order  []ranked
	series []float64
}

// ranked is a wait and its place in time.
type ranked struct {
	wait float64
	at   int32
}

// Of returns the lag-1 autocorrelation of the normal scores of the last
// lagWindow waits, or of all if there are fewer; 0 for fewer than 3. The score
// of the wait with rank r of m is the normal quantile of r/(m+1); equal waits
// rank by time. The covariance at each lag has the means of its own two
// sub-series, and their length as divisor.
func (a *Autocorrelation) Of(waits []float64) float64 {
	m := min(len(waits), lagWindow)
	if m < 3 {
		return 0
	}
	a.order = a.order[:0]
	for i, w := range waits[len(waits)-m:] {
		a.order = append(a.order, ranked{w, int32(i)})
	}
	slices.SortFunc(a.order, func(x, y ranked) int {
		switch {
		case x.wait < y.wait:
			return -1
		case x.wait > y.wait:
			return 1
		}
		return int(x.at - y.at)
	})
	if a.scores[m] == nil {
		a.scores[m] = make([]float64, m)
		for r := range a.scores[m] {
			a.scores[m][r] = mathext.NormalQuantile(float64(r+1) / float64(m+1))
		}
	}
	a.series = slices.Grow(a.series[:0], m)[:m]
	for r, o := range a.order {
		a.series[o.at] = a.scores[m][r]
	}
	return covariance(a.series[:m-1], a.series[1:]) / covariance(a.series, a.series)
}

// covariance is that of two series of one length, with the length as divisor.
func covariance(x, y []float64) float64 {
	n := float64(len(x))
	var sx, sy, sxy float64
	for i := range x {
		sx += x[i]
		sy += y[i]
		sxy += x[i] * y[i]
	}
	return sxy/n - sx/n*(sy/n)
}
