package stats

import (
	"math"
	"slices"
)

// Objective is the score that a prediction of a time should optimise. A predictor that has
// a distribution predicts the point that is best for its objective.
type Objective string

// The objectives. Times are in seconds and not below 0.
const (
	ByAccuracy Objective = "accuracy" // the highest mean Accuracy
	ByAbsolute Objective = "absolute" // the lowest mean absolute error
	BySquared  Objective = "squared"  // the lowest mean squared error
	ByLog      Objective = "log"      // the lowest mean squared error of ln(1 + t), which is defined at 0 s
)

// Objectives returns all objectives.
func Objectives() []Objective { return []Objective{ByAccuracy, ByAbsolute, BySquared, ByLog} }

// ObjectiveNames returns the names of all objectives.
func ObjectiveNames() []string {
	var names []string
	for _, o := range Objectives() {
		names = append(names, string(o))
	}
	return names
}

// Valid reports whether o is one of Objectives.
func (o Objective) Valid() bool { return slices.Contains(Objectives(), o) }

// Loss returns the loss of a prediction, 0 if it is exact. It is NaN if either time is NaN
// or o is invalid.
func (o Objective) Loss(predicted, actual float64) float64 {
	switch o {
	case ByAccuracy:
		return 1 - Accuracy(predicted, actual)
	case ByAbsolute:
		return math.Abs(predicted - actual)
	case BySquared:
		return (predicted - actual) * (predicted - actual)
	case ByLog:
		d := math.Log1p(predicted) - math.Log1p(actual)
		return d * d
	}
	return math.NaN()
}

// Best returns the point with the lowest mean Loss over a weighted sample of times: for
// ByAccuracy one of the times, for ByAbsolute their median, for BySquared their mean, and
// for ByLog exp(m) - 1, with m the mean of ln(1 + t). If several points are equally good it
// returns the lowest. values are ascending, finite and not negative; weights are not
// negative. The result is NaN if no weight is above 0 or o is invalid.
func (o Objective) Best(values, weights []float64) float64 {
	total := 0.0
	for _, w := range weights {
		total += w
	}
	if !(total > 0) {
		return math.NaN()
	}
	switch o {
	case ByAccuracy:
		return bestAccuracy(values, weights)
	case ByAbsolute:
		below := 0.0
		for i, w := range weights {
			if below += w; below >= total/2 {
				return values[i]
			}
		}
	case BySquared:
		sum := 0.0
		for i, w := range weights {
			sum += w * values[i]
		}
		return sum / total
	case ByLog:
		sum := 0.0
		for i, w := range weights {
			sum += w * math.Log1p(values[i])
		}
		return math.Expm1(sum / total)
	}
	return math.NaN()
}

// bestAccuracy returns the best of the values. Between two neighbouring values the mean accuracy
// of a point c is A/c + Bc, which is convex, so that no point between them is better than both;
// beyond the smallest and largest value it falls.
func bestAccuracy(values, weights []float64) float64 {
	// above[i] is the sum of weight/value over the values from i on. It is summed from the top,
	// because a difference of sums would lose small terms.
	var scratch [128]float64
	above := append(scratch[:0], make([]float64, len(values)+1)...)
	for i := len(values) - 1; i >= 0; i-- {
		if above[i] = above[i+1]; values[i] > 0 {
			above[i] += weights[i] / values[i]
		}
	}
	best, most, below := math.NaN(), 0.0, 0.0
	for i := 0; i < len(values); {
		c, equal := values[i], 0.0
		for ; i < len(values) && values[i] == c; i++ {
			equal += weights[i]
		}
		score := equal
		if c > 0 {
			score += below/c + above[i]*c
			below += equal * c
		}
		if score > most {
			best, most = c, score
		}
	}
	return best
}
