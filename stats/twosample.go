package stats

import "math"

// TwoSampleKS is the result of a two-sample Kolmogorov-Smirnov test.
type TwoSampleKS struct {
	N, M   float64 // the sizes of the two samples
	D      float64 // the largest distance of their distribution functions, in [0, 1]
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
	n, err := sizeOf("two-sample Kolmogorov-Smirnov", "the first sample", xValues, xCounts)
	if err != nil {
		return TwoSampleKS{}, err
	}
	m, err := sizeOf("two-sample Kolmogorov-Smirnov", "the second sample", yValues, yCounts)
	if err != nil {
		return TwoSampleKS{}, err
	}
	ks := TwoSampleKS{N: n, M: m, At: min(xValues[0], yValues[0])}
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
		if d := math.Abs(upToX/n - upToY/m); d > ks.D {
			ks.D, ks.At = d, at
		}
	}
	ks.PValue = KolmogorovSurvival(math.Sqrt(max(n, m)/(n+m)*min(n, m)) * ks.D)
	return ks, nil
}
