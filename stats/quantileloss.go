package stats

import "math"

// QuantileLoss returns the pinball loss of a prediction of the q-quantile, q in
// (0, 1), in the unit of the times:
//
//	(actual - predicted) q         where actual >= predicted,
//	(predicted - actual) (1 - q)   elsewhere.
//
// Its mean is smallest for a prediction that a share q of the actual times do not exceed. Koenker
// and Bassett (1978), "Regression quantiles". It is NaN if any argument is NaN.
func QuantileLoss(q, predicted, actual float64) float64 {
	if d := actual - predicted; !(d < 0) {
		return q * d
	}
	return (1 - q) * (predicted - actual)
}

// CRPS returns the continuous ranked probability score of an ascending sample as the prediction
// of one time, in the unit of the times:
//
//	mean |x_i - actual| - 1/2 mean over all pairs |x_i - x_j|.
//
// Lower is better; for a sample of one value it is the absolute error. It is NaN for an empty
// sample. Gneiting and Raftery (2007), equation 21.
func CRPS(ascending []float64, actual float64) float64 {
	n := float64(len(ascending))
	miss, spread := 0.0, 0.0 // sums of |x - actual|, and of |x_i - x_j| over pairs i < j
	for i, x := range ascending {
		miss += math.Abs(x - actual)
		spread += (2*float64(i) - n + 1) * x
	}
	return miss/n - spread/(n*n)
}
