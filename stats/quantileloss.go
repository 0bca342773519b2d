package stats

import "math"

// QuantileLoss returns the pinball loss of a prediction of the q-quantile, q in
// (0, 1), in the unit of the times:
//
//	(actual - predicted) q         where actual >= predicted,
//	(predicted - actual) (1 - q)   elsewhere.
//
// Its mean is least where a share q of the actual times is not above the
// prediction. Koenker and Bassett (1978), "Regression quantiles". NaN if any
// argument is.
func QuantileLoss(q, predicted, actual float64) float64 {
	if d := actual - predicted; !(d < 0) {
		return q * d
	}
	return (1 - q) * (predicted - actual)
}

// CRPS returns the continuous ranked probability score of a sample, ascending,
// as the prediction of one time, in its unit:
//
//	mean |x_i - actual| - 1/2 mean over all pairs |x_i - x_j|.
//
// Less is better; of one x it is the absolute error. Gneiting and Raftery (2007),
// equation 21. NaN of an empty sample.
func CRPS(ascending []float64, actual float64) float64 {
	n := float64(len(ascending))
	miss, spread := 0.0, 0.0 // sums of |x - actual|, and of |x_i - x_j| over pairs i < j
	for i, x := range ascending {
		miss += math.Abs(x - actual)
		spread += (2*float64(i) - n + 1) * x
	}
	return miss/n - spread/(n*n)
}
