package stats

import (
	"math"

	"github.com/loadstone-hpc/loadstone/internal/num"
)

// Autocorrelation accumulates a series and computes its autocorrelation at chosen lags,
//
//	r(k) = sum (x[t]-m)(x[t+k]-m) / sum (x[t]-m)²,
//
// with m the mean of the whole series: the usual estimate, as in R's and statsmodels' acf.
// Memory grows with the largest lag. The sums have twice the precision of a float64, but are
// of uncentred products. The order of the values matters.
type Autocorrelation struct {
	lags    []int
	most    int // the largest lag
	moments ExactMoments
	cross   []num.Sum // sums of x[t] x[t+lag], one for each lag
	first   []float64 // the first values, up to most
	recent  []float64 // the last values, at least most of them
}

// NewAutocorrelation returns an empty accumulator for lags of 1 or more.
func NewAutocorrelation(lags ...int) *Autocorrelation {
	a := &Autocorrelation{lags: lags, most: 1, cross: make([]num.Sum, len(lags))}
	for _, lag := range lags {
		if lag < 1 {
			panic("stats: NewAutocorrelation of a lag below 1")
		}
		a.most = max(a.most, lag)
	}
	return a
}

// Add adds the next value of the series.
func (a *Autocorrelation) Add(x float64) {
	if len(a.first) < a.most {
		a.first = append(a.first, x)
	}
	a.moments.Add(x)
	for i, lag := range a.lags {
		if at := len(a.recent) - lag; at >= 0 {
			a.cross[i].AddProduct(x, a.recent[at])
		}
	}
	if len(a.recent) == cap(a.recent) && len(a.recent) >= 2*a.most {
		a.recent = a.recent[:copy(a.recent, a.recent[len(a.recent)-a.most:])]
	}
	a.recent = append(a.recent, x)
}

// AddRun adds the same whole number, at most 2^26, count times. The time it takes does not grow
// with count.
func (a *Autocorrelation) AddRun(x, count float64) {
	for i := 0; i < a.most && count > 0; i++ {
		a.Add(x)
		count--
	}
	if count <= 0 {
		return
	}
	// Now the last values are all x.
	for i := range a.cross {
		a.cross[i].AddProduct(x*x, count)
	}
	a.moments.AddCount(x, count)
}

// Moments returns the moments of the values added so far. The caller must not modify them.
func (a *Autocorrelation) Moments() *ExactMoments { return &a.moments }

// N returns the number of values added.
func (a *Autocorrelation) N() float64 { return float64(a.Moments().N()) }

// R returns the autocorrelation at each lag; NaN if the series is constant or not longer
// than the lag.
func (a *Autocorrelation) R() []float64 {
	r := make([]float64, len(a.lags))
	n, sum, squares := a.N(), a.moments.sum.Value(), a.moments.squares.Value()
	mean := sum / n
	spread := squares - n*mean*mean
	for i, lag := range a.lags {
		if n <= float64(lag) || !(spread > 1e-12*squares) {
			r[i] = math.NaN()
			continue
		}
		// Sums of all but the last, and of all but the first, lag values.
		head, tail := sum, sum
		for k := range lag {
			head -= a.recent[len(a.recent)-1-k]
			tail -= a.first[k]
		}
		r[i] = (a.cross[i].Value() - mean*(head+tail) + (n-float64(lag))*mean*mean) / spread
	}
	return r
}

// Lag is the autocorrelation of a series at one lag.
type Lag struct {
	Lag int    `json:"lag"`
	R   Number `json:"r"`
}

// Lags returns each lag with its autocorrelation.
func (a *Autocorrelation) Lags() []Lag {
	out := make([]Lag, len(a.lags))
	for i, r := range a.R() {
		out[i] = Lag{a.lags[i], Number(r)}
	}
	return out
}
