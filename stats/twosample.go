package stats

import (
	"fmt"
	"math"

	"github.com/loadstone-hpc/loadstone/internal/num"
)

// TwoSampleKS is the result of a two-sample Kolmogorov-Smirnov test.
type TwoSampleKS struct {
	N, M   float64 // the sizes of the two samples
	D      float64 // the largest distance between their distribution functions, in [0, 1]
	At     float64 // the smallest value where D is reached
	PValue float64 // probability of a D at least as large, if the distributions are equal
}

// KolmogorovSmirnovTwoSample compares two samples, each given as distinct ascending values
// with counts. D is the largest |F(v) - G(v)| of their distribution functions. The p-value
// is the limit of Pr{D_nm >= D} for large samples, KolmogorovSurvival(sqrt(n m/(n+m)) D),
// for independent values with a continuous distribution. Jobs are not independent, which
// makes it far too small; ties alone make it too large.
//
// It is an error if a sample is empty, if the slices of a sample differ in length, if
// values are NaN or not ascending, or if a count is not above 0.
func KolmogorovSmirnovTwoSample(xValues, xCounts, yValues, yCounts []float64) (TwoSampleKS, error) {
	const test = "two-sample Kolmogorov-Smirnov"
	n, m, err := sizesOf(test, xValues, xCounts, yValues, yCounts)
	if err != nil {
		return TwoSampleKS{}, err
	}
	ks := TwoSampleKS{N: n, M: m, At: min(xValues[0], yValues[0])}
	eachStep(xValues, xCounts, yValues, yCounts, func(at, upToX, upToY float64) {
		if d := math.Abs(upToX/n - upToY/m); d > ks.D {
			ks.D, ks.At = d, at
		}
	})
	ks.PValue = KolmogorovSurvival(math.Sqrt(max(n, m)/(n+m)*min(n, m)) * ks.D)
	return ks, nil
}

// Wasserstein returns the Wasserstein-1 distance of two samples, each given as distinct
// ascending values with counts. It is the area between the two distribution functions: how
// far, on average, the values of one sample must be moved to obtain the other. It is in the
// unit of the values, and is 0 only if the distributions are equal.
//
// It is an error if a sample is empty, if the slices of a sample differ in length, if
// values are infinite, NaN or not ascending, or if a count is not a finite number above 0.
func Wasserstein(xValues, xCounts, yValues, yCounts []float64) (float64, error) {
	const test = "Wasserstein distance"
	n, m, err := sizesOf(test, xValues, xCounts, yValues, yCounts)
	if err != nil {
		return 0, err
	}
	for _, v := range []float64{xValues[0], xValues[len(xValues)-1], yValues[0], yValues[len(yValues)-1]} {
		if math.IsInf(v, 0) {
			return 0, fmt.Errorf("stats: %s: a value is %g, want finite values", test, v)
		}
	}
	var sum num.Sum // compensated, because a million small areas may follow a large one
	before, height := math.NaN(), 0.0
	eachStep(xValues, xCounts, yValues, yCounts, func(at, upToX, upToY float64) {
		if height > 0 {
			sum.Add(height * (at - before))
		}
		before, height = at, math.Abs(upToX/n-upToY/m)
	})
	return sum.Value(), nil
}

func sizesOf(test string, xValues, xCounts, yValues, yCounts []float64) (n, m float64, err error) {
	if n, err = sizeOf(test, "the first sample", xValues, xCounts); err == nil {
		m, err = sizeOf(test, "the second sample", yValues, yCounts)
	}
	return n, m, err
}

// eachStep calls f for each distinct value of two samples, in ascending order, with the counts of
// both samples up to and including the value.
func eachStep(xValues, xCounts, yValues, yCounts []float64, f func(at, upToX, upToY float64)) {
	var upToX, upToY float64
	for i, j := 0, 0; i < len(xValues) || j < len(yValues); {
		var at float64
		if j == len(yValues) || i < len(xValues) && xValues[i] <= yValues[j] {
			at = xValues[i]
		} else {
			at = yValues[j]
		}
		if i < len(xValues) && xValues[i] == at {
			upToX += xCounts[i]
			i++
		}
		if j < len(yValues) && yValues[j] == at {
			upToY += yCounts[j]
			j++
		}
		f(at, upToX, upToY)
	}
}
