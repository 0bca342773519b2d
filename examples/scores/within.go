// Package scores shows how to add a score of run time predictions: write a
// score.RunTimeMeasure, and give it to package evaluate.
package scores

import "github.com/loadstone-hpc/loadstone/score"

// Within returns a measure of that name: the share, from 0 to 1, of predictions that differ
// from the run time by at most the factor, which is 1 or more. Two times of 0 agree.
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
