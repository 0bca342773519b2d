package stats

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mathext"
)

// OrderStatistic is the order statistic of a history that bounds a quantile from above with a
// given confidence: with waits x(1) <= ... <= x(n), the bound is x(Rank). Brevik, Nurmi
// and Wolski (2006), "Predicting bounds on queuing delay for batch-scheduled parallel
// machines".
type OrderStatistic struct {
	N          int     // number of values in the history
	Quantile   float64 // the quantile that is bounded, in (0, 1)
	Confidence float64 // the confidence required, in (0, 1)
	Rank       int     // the smallest k with Pr{Bin(N, Quantile) <= k-1} >= Confidence; from 1
	Achieved   float64 // that probability, at least Confidence
}

// UpperOrderStatistic returns the order statistic for a history of n values, and false if n
// is below MinimumHistory(q, c) or q or c is not in (0, 1). For a growing history,
// UpperRanks is faster.
func UpperOrderStatistic(n int, q, c float64) (OrderStatistic, bool) {
	if checkLevels(q, c) != nil || n < MinimumHistory(q, c) {
		return OrderStatistic{}, false
	}
	fn := float64(n)
	// Start from the normal approximation and walk to the exact rank.
	k := int(math.Round(fn*q + mathext.NormalQuantile(c)*math.Sqrt(fn*q*(1-q))))
	k = max(1, min(k, n))
	upper := binomialUpper(n, k, q)
	for upper > 1-c && k < n {
		k++
		upper = binomialUpper(n, k, q)
	}
	for k > 1 {
		lower := binomialUpper(n, k-1, q)
		if lower > 1-c {
			break
		}
		k, upper = k-1, lower
	}
	return OrderStatistic{n, q, c, k, 1 - upper}, true
}

// MinimumHistory returns the smallest n for which a bound exists, the smallest n with q^n <= 1-c:
// 59 for q = c = 0.95. It is 0 if q or c is not in (0, 1).
func MinimumHistory(q, c float64) int {
	if checkLevels(q, c) != nil {
		return 0
	}
	n := max(1, math.Ceil(math.Log1p(-c)/math.Log(q)))
	if n >= 1<<52 { // q^n no longer resolves steps of 1 in n, and soon neither does n
		return int(min(n, 1<<62))
	}
	for n > 1 && math.Pow(q, n-1) <= 1-c {
		n--
	}
	for math.Pow(q, n) > 1-c {
		n++
	}
	return int(n)
}

func checkLevels(q, c float64) error {
	if !(q > 0 && q < 1) {
		return fmt.Errorf("stats: quantile is %g, want a number between 0 and 1", q)
	}
	if !(c > 0 && c < 1) {
		return fmt.Errorf("stats: confidence is %g, want a number between 0 and 1", c)
	}
	return nil
}
