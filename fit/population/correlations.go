package population

import (
	"math"
)

// moments returns the mean and the standard deviation of x, NaN for too few values. The results
// are ranked, so users with the same values must get results that are equal to the last bit.
func moments(x []float64) (mean, sd float64) {
	if len(x) == 0 {
		return math.NaN(), math.NaN()
	}
	n := float64(len(x))
	for _, v := range x {
		mean += v / n
	}
	for _, v := range x {
		sd += (v - mean) * (v - mean)
	}
	return mean, math.Sqrt(sd / (n - 1)) // NaN (0/0) for one value
}

// products returns the sums of the squares and of the products of deviations from the means,
// divided by n.
func products(x, y []float64, n float64) (xx, yy, xy float64) {
	mx, _ := moments(x)
	my, _ := moments(y)
	for i := range x {
		a, b := x[i]-mx, y[i]-my
		xx, yy, xy = xx+a*a/n, yy+b*b/n, xy+a*b/n
	}
	return xx, yy, xy
}

// correlation returns the correlation coefficient from such sums of n values, limited to ±0.95,
// or NaN if a variable hardly varies.
func correlation(xx, yy, xy, n float64) float64 {
	if xx > 1e-6*n && yy > 1e-6*n {
		return within(xy/math.Sqrt(xx*yy), -.95, .95)
	}
	return math.NaN()
}

// alike returns the correlation of the scores of neighbours within a group, and of neighbours in
// consecutive groups. groups holds the number of values in each group; if it is nil, each value
// is a group. A correlation is NaN for fewer than 5 pairs.
func alike(x, groups []float64) (inside, across float64) {
	z, n := scores(x), float64(len(x))
	mean, _ := moments(z)
	ones, v := 0.0, 0.0
	for i, s := range z {
		v += (s - mean) * (s - mean) / n
		if x[i] == 1 {
			ones++
		}
	}
	var sum, pairs [2]float64
	group, left := 0, 0.0
	for i := range z {
		k := 0
		if left == 0 {
			k, left = 1, 1
			if groups != nil {
				left = groups[group]
				group++
			}
		}
		left--
		if i > 0 {
			sum[k] += (z[i] - mean) * (z[i-1] - mean)
			pairs[k]++
		}
	}
	of := func(k int) float64 {
		if pairs[k] < 5 || !(v > 0) {
			return math.NaN()
		}
		return untied(within(sum[k]/pairs[k]/v, -.5, .98), ones/n)
	}
	return of(0), of(1)
}

// untied returns the correlation of two normal variates, given the correlation r of their scores,
// where all values below the quantile tied have the same score. It uses Mehler's expansion in
// Hermite polynomials.
func untied(r, tied float64) float64 {
	const (
		terms = 20
		from  = 8.0
		width = .02
	)
	edge, low := normal(tied), normal(tied/2)
	if tied == 0 {
		return r
	}
	var c [terms + 1]float64
	squares := 0.0
	for x := -from + width/2; x < from; x += width {
		f := x
		if x < edge {
			f = low
		}
		w := f * math.Exp(-x*x/2) / math.Sqrt(2*math.Pi) * width
		squares += w * f
		h, before := 1.0, 0.0 // normalised polynomials
		for k := range c {
			c[k] += w * h
			h, before = (x*h-math.Sqrt(float64(k))*before)/math.Sqrt(float64(k+1)), h
		}
	}
	all := squares - c[0]*c[0]
	return rising(-.98, .98, 1e-4, r*all, func(r float64) (sum float64) {
		power := 1.0
		for _, x := range c[1:] {
			power *= r
			sum += x * x * power
		}
		return sum
	})
}

// rising returns the point between lo and hi, to the precision within, where the increasing
// function of reaches value. It bisects the range.
func rising(lo, hi, within, value float64, of func(x float64) float64) float64 {
	for hi-lo > within {
		if mid := (lo + hi) / 2; of(mid) < value {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo
}
