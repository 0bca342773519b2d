package evaluate

import (
	"maps"
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/stats"
)

// losses are the losses of a predictor's bounds on the common jobs, s, in the place of
// accuracies, by week of submission or, of a short sample, by day; nil of a shorter one.
func (s *Sample) losses(said []score.Forecast, quantile float64, common []bool) *score.Clusters {
	var span submissions
	for i := range s.jobs {
		span.add(s.jobs[i].Submit)
	}
	if span.settle(); span.length == 0 {
		return nil
	}
	blocks := map[int64]*score.Sums{}
	for i := range s.jobs {
		if !common[i] || math.IsNaN(said[i].Bound) {
			continue
		}
		block := span.of(s.jobs[i].Submit)
		if blocks[block] == nil {
			blocks[block] = new(score.Sums)
		}
		blocks[block].Predicted++
		blocks[block].Accuracy += stats.QuantileLoss(quantile, said[i].Bound, s.jobs[i].Actual)
	}
	c := &score.Clusters{}
	for _, block := range slices.Sorted(maps.Keys(blocks)) {
		c.Sums = append(c.Sums, *blocks[block])
	}
	return c
}

// lossMean is the mean of what losses put into the sums, minutes.
func lossMean(s score.Sums) float64 { return s.Accuracy / s.Predicted / 60 }
