// Package scores has a score of run time predictions of one's own: what evaluate needs to
// know of it is a score.RunTimeMeasure.
package scores

import "github.com/loadstone-hpc/loadstone/score"

// Within returns the share of predictions that are within a factor of the run time; both
// may be 0.
func Within(name string, factor float64) score.RunTimeMeasure {
	return score.RunTimeMeasure{
		Name: name, Sums: 1,
		Add: func(sums []float64, predicted, actual float64) {
			if predicted <= factor*actual && actual <= factor*predicted {
				sums[0]++
			}
		},
		Value: func(sums []float64, predictions int) float64 { return sums[0] / float64(predictions) },
	}
}
