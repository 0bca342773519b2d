package stats

import "math"

// Autocorrelation accumulates a series for its autocorrelation at chosen lags,
//
//	r(k) = sum (x[t]-m)(x[t+k]-m) / sum (x[t]-m)²,
//
// with m the mean of the whole series: the usual estimate, that of R's and
// statsmodels' acf. Memory goes by the largest lag. Sums are exact, and of plain
// products: of a series whose mean is a thousand times its standard deviation, six
// digits are lost. The values are a series: Append merges in their order.
type Autocorrelation struct {
	lags    []int
	n       float64
	sum     Sum
	squares Sum
	cross   []Sum     // of x[t] x[t+lag], by lag
	first   []float64 // the first values, as many as the largest lag
	recent  []float64 // the last ones, in a ring
	next    int       // where in the ring the next value goes
}

// NewAutocorrelation returns an empty accumulator for lags of 1 or more.
func NewAutocorrelation(lags ...int) *Autocorrelation {
	a := &Autocorrelation{lags: lags, cross: make([]Sum, len(lags))}
	most := 1
	for _, lag := range lags {
		if lag < 1 {
			panic("stats: NewAutocorrelation of a lag below 1")
		}
		most = max(most, lag)
	}
	a.recent = make([]float64, most)
	return a
}

// Add adds the next value of the series.
func (a *Autocorrelation) Add(x float64) {
	size := len(a.recent)
	for i, lag := range a.lags {
		if a.n >= float64(lag) {
			at := a.next - lag
			if at < 0 {
				at += size
			}
			a.cross[i].AddProduct(x, a.recent[at])
		}
	}
	if len(a.first) < size {
		a.first = append(a.first, x)
	}
	a.recent[a.next] = x
	if a.next++; a.next == size {
		a.next = 0
	}
	a.n++
	a.sum.Add(x)
	a.squares.AddProduct(x, x)
}

// AddRun adds the same whole number, up to 2^26, count times, in time that does not
// grow with count: a quiet month of five-minute intervals is as quick as a quiet day.
func (a *Autocorrelation) AddRun(x, count float64) {
	for i := 0; i < len(a.recent) && count > 0; i++ {
		a.Add(x)
		count--
	}
	if count <= 0 {
		return
	}
	// The ring now holds nothing but x.
	for i := range a.cross {
		a.cross[i].AddProduct(x*x, count)
	}
	a.n += count
	a.sum.AddProduct(x, count)
	a.squares.AddProduct(x*x, count)
}

// N returns how many values were added.
func (a *Autocorrelation) N() float64 { return a.n }

// R returns the autocorrelation at each of the lags; NaN where the series is
// not longer than the lag or does not vary.
func (a *Autocorrelation) R() []float64 {
	r := make([]float64, len(a.lags))
	sum, squares := a.sum.Float(), a.squares.Float()
	mean := sum / a.n
	spread := squares - a.n*mean*mean
	for i, lag := range a.lags {
		if a.n <= float64(lag) || !(spread > 1e-12*squares) {
			r[i] = math.NaN()
			continue
		}
		// Sums of all but the last, and of all but the first, lag values.
		head, tail := sum, sum
		for k := 1; k <= lag; k++ {
			at := a.next - k
			if at < 0 {
				at += len(a.recent)
			}
			head -= a.recent[at]
			tail -= a.first[k-1]
		}
		r[i] = (a.cross[i].Float() - mean*(head+tail) + (a.n-float64(lag))*mean*mean) / spread
	}
	return r
}

// Lag is the autocorrelation of a series at one lag.
type Lag struct {
	Lag int    `json:"lag"`
	R   Number `json:"r"`
}

// Lags returns the autocorrelation at each of the lags, with the lags.
func (a *Autocorrelation) Lags() []Lag {
	out := make([]Lag, len(a.lags))
	for i, r := range a.R() {
		out[i] = Lag{a.lags[i], Number(r)}
	}
	return out
}
