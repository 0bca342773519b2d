package stats

import (
	"errors"
	"fmt"
	"math"
)

// DickeyFuller is an augmented Dickey-Fuller test of a series for a unit root,
// with a constant and no trend. A small p-value says that the series is
// stationary: that it keeps returning to one mean.
type DickeyFuller struct {
	Length    int     // values in the series
	MaxLags   int     // the most lagged differences tried
	Lags      int     // the number chosen: the smallest Akaike criterion
	Used      int     // observations in the regression
	Statistic float64 // t of the level's coefficient
	PValue    float64 // asymptotic, by MacKinnon's response surface
}

// The ways in which a series can be of no use to the test.
var (
	ErrShortSeries    = errors.New("the series is too short")
	ErrConstantSeries = errors.New("the series does not vary")
	ErrExactSeries    = errors.New("the series follows its own past without an error")
)

// SchwertLags is the usual maximum of lagged differences, ceil(12 (n/100)^¼) by
// Schwert (1989), and at most what n values can bear: n/2 - 2. It is negative
// where n is too small for a test.
func SchwertLags(n int) int {
	return min(int(math.Ceil(12*math.Pow(float64(n)/100, 0.25))), n/2-2)
}

// AugmentedDickeyFuller tests x for a unit root: the regression of its
// differences on a constant, the level before and p lagged differences (Said
// and Dickey 1984), p from 0 to maxLags by the smallest Akaike criterion over
// the observations that all have in common. A negative maxLags stands for
// SchwertLags. It is statsmodels' adfuller with its defaults.
//
// Time and memory are those of a matrix of maxLags+2 columns squared, and time
// goes by len(x) times that. An error wraps one of ErrShortSeries,
// ErrConstantSeries and ErrExactSeries, or names a value that is not finite.
func AugmentedDickeyFuller(x []float64, maxLags int) (DickeyFuller, error) {
	most := len(x)/2 - 2
	if maxLags < 0 {
		maxLags = SchwertLags(len(x))
	}
	r := DickeyFuller{Length: len(x), MaxLags: maxLags}
	if most < 0 || maxLags > most {
		return r, fmt.Errorf("%w: %d values for %d lags", ErrShortSeries, len(x), max(0, maxLags))
	}
	varies := false
	for i, v := range x {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return r, fmt.Errorf("value %d is %g: want a finite number", i+1, v)
		}
		varies = varies || v != x[0]
	}
	if !varies {
		return r, fmt.Errorf("%w: all %d values are %g", ErrConstantSeries, len(x), x[0])
	}
	// The criteria of all lags come from one factorisation: that of level,
	// difference 1, difference 2, ...
	all, err := newLagRegression(x, maxLags, false)
	if err != nil {
		return r, err
	}
	best := math.Inf(1)
	for p := range maxLags + 1 {
		// The Akaike criterion up to what all lags share.
		if aic := float64(all.n)*math.Log(all.residual(p+1)) + 2*float64(p); aic < best {
			best, r.Lags = aic, p
		}
	}
	last, err := newLagRegression(x, r.Lags, true)
	if err != nil {
		return r, err
	}
	r.Used = last.n
	r.Statistic = last.t()
	r.PValue = mackinnonP(r.Statistic)
	return r, nil
}

// mackinnonP is the asymptotic p-value of the t statistic of a regression with
// a constant: MacKinnon (1994), "Approximate asymptotic distribution functions
// for unit-root and cointegration tests", his polynomials for one variable, one
// for small p-values and one for large ones.
func mackinnonP(t float64) float64 {
	const low, high, star = -18.83, 2.74, -1.61
	switch {
	case t > high:
		return 1
	case t < low:
		return 0
	}
	z := 1.7339 + t*(0.93202+t*(-0.12745+t*-0.010368))
	if t <= star {
		z = 2.1659 + t*(1.4412+t*0.038269)
	}
	return math.Erfc(-z/math.Sqrt2) / 2
}
