package stats

import "math"

// Autocorrelation accumulates a series and computes its autocorrelation at chosen lags,
//
//	r(k) = sum (x[t]-m)(x[t+k]-m) / sum (x[t]-m)²,
//
// with m the mean of the whole series: the usual estimate, as in R's and statsmodels' acf.
// Memory grows with the largest lag. The sums are exact, but of uncentred products: if the
// mean is a thousand times the standard deviation, six digits are lost. The order of the
// values matters; Append joins two parts in order.
type Autocorrelation struct {
	lags    []int
	most    int // the largest lag
	moments ExactMoments
	cross   []Sum     // of x[t] x[t+lag], by lag
	first   []float64 // the first values, up to most
	recent  []float64 // the last ones, up to most of those in the sums, then the others
	summed  int       // of recent, that are in the sums
	whole   block     // of recent, while these are summed
}

// NewAutocorrelation returns an empty accumulator for lags of 1 or more.
func NewAutocorrelation(lags ...int) *Autocorrelation {
	a := &Autocorrelation{lags: lags, most: 1, cross: make([]Sum, len(lags))}
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
	a.recent = append(a.recent, x)
	if len(a.recent)-a.summed == blockSize {
		a.settle()
	}
}

// settle adds the values that wait, blockSize at the most, to the sums: many at once are
// quicker.
func (a *Autocorrelation) settle() {
	if a.summed == len(a.recent) {
		return
	}
	b := &a.whole
	whole := b.fill(a.recent)
	if whole {
		a.moments.addWhole(b.at[a.summed:], b.bits)
	} else {
		a.moments.AddAll(a.recent[a.summed:])
	}
	for i, lag := range a.lags {
		from := max(a.summed, lag)
		if from >= len(a.recent) {
			continue
		}
		if whole {
			a.cross[i].addProducts(b.at[from:], b.at[from-lag:], b.bits)
			continue
		}
		for k, x := range a.recent[from:] {
			a.cross[i].AddProduct(x, a.recent[from-lag+k])
		}
	}
	if more := len(a.recent) - a.most; more > 0 {
		a.recent = a.recent[:copy(a.recent, a.recent[more:])]
	}
	a.summed = len(a.recent)
}

// AddRun adds the same whole number, at most 2^26, count times. Its time does not grow with
// count.
func (a *Autocorrelation) AddRun(x, count float64) {
	for i := 0; i < a.most && count > 0; i++ {
		a.Add(x)
		count--
	}
	if count <= 0 {
		return
	}
	a.settle() // the last values are x now
	for i := range a.cross {
		a.cross[i].AddProduct(x*x, count)
	}
	a.moments.AddCount(x, count)
}

// Moments returns the moments of the values added so far. The caller must not modify them.
func (a *Autocorrelation) Moments() *ExactMoments {
	a.settle()
	return &a.moments
}

// N returns how many values were added.
func (a *Autocorrelation) N() float64 { return float64(a.Moments().N()) }

// R returns the autocorrelation at each lag; NaN if the series is constant or not longer
// than the lag.
func (a *Autocorrelation) R() []float64 {
	a.settle()
	r := make([]float64, len(a.lags))
	n, sum, squares := a.N(), a.moments.sum.Float(), a.moments.squares.Float()
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
		r[i] = (a.cross[i].Float() - mean*(head+tail) + (n-float64(lag))*mean*mean) / spread
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
