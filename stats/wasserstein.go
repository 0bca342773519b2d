package stats

import (
	"fmt"
	"math"
)

// Wasserstein returns the Wasserstein-1 distance of two samples, each given as distinct
// ascending values with counts. It is the area between the two distribution functions: how
// far, on average, the values of one sample must be moved to obtain the other. It is in the
// unit of the values, and is 0 only if the distributions are equal.
//
// It is an error if a sample is empty, if the slices of a sample differ in length, if
// values are infinite, NaN or not ascending, or if a count is not a finite number above 0.
func Wasserstein(xValues, xCounts, yValues, yCounts []float64) (float64, error) {
	const test = "Wasserstein distance"
	n, err := sizeOfSample(test, "first", xValues, xCounts)
	if err != nil {
		return 0, err
	}
	m, err := sizeOfSample(test, "second", yValues, yCounts)
	if err != nil {
		return 0, err
	}
	var sum, lost, upToX, upToY, before float64
	for i, j := 0, 0; i < len(xValues) || j < len(yValues); {
		var at float64
		if j == len(yValues) || i < len(xValues) && xValues[i] <= yValues[j] {
			at = xValues[i]
		} else {
			at = yValues[j]
		}
		if i+j > 0 {
			// Neumaier's sum: a million small areas beside a large one.
			area := math.Abs(upToX/n-upToY/m) * (at - before)
			t := sum + area
			if sum >= area {
				lost += (sum - t) + area
			} else {
				lost += (area - t) + sum
			}
			sum = t
		}
		before = at
		if i < len(xValues) && xValues[i] == at {
			upToX += xCounts[i]
			i++
		}
		if j < len(yValues) && yValues[j] == at {
			upToY += yCounts[j]
			j++
		}
	}
	return sum + lost, nil
}

// sizeOfSample returns the sum of the counts of a sample of finite values, or
// what is wrong with it.
func sizeOfSample(test, which string, values, counts []float64) (float64, error) {
	if len(values) == 0 || len(values) != len(counts) {
		return 0, fmt.Errorf("stats: %s: the %s sample has %d values with %d counts, want as many of each and at least one", test, which, len(values), len(counts))
	}
	n := 0.0
	for i, c := range counts {
		if v := values[i]; math.IsNaN(v) || math.IsInf(v, 0) || i > 0 && !(v > values[i-1]) {
			return 0, fmt.Errorf("stats: %s: value %d of the %s sample is %g, want finite ascending numbers", test, i, which, v)
		}
		if !(c > 0) || math.IsInf(c, 1) {
			return 0, fmt.Errorf("stats: %s: count %d of the %s sample is %g, want a finite number above 0", test, i, which, c)
		}
		n += c
	}
	return n, nil
}
