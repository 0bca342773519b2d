package evaluate

import (
	"maps"
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/stats"
)

// losses returns the losses, s, of a predictor's bounds on the common jobs as clusters by
// week of submission, or by day if the sample is short; nil if it is too short for days.
// The losses are where clusters have accuracies.
func (s *Sample) losses(given []score.Forecast, quantile float64, common []bool) *score.Clusters {
	var span submissions
	for i := range s.jobs {
		span.add(s.jobs[i].Submit)
	}
	if span.settle(); span.length == 0 {
		return nil
	}
	blocks := map[int64]*score.Sums{}
	for i := range s.jobs {
		if !common[i] || math.IsNaN(given[i].Bound) {
			continue
		}
		block := span.of(s.jobs[i].Submit)
		if blocks[block] == nil {
			blocks[block] = new(score.Sums)
		}
		blocks[block].Predicted++
		blocks[block].Accuracy += stats.QuantileLoss(quantile, given[i].Bound, s.jobs[i].Actual)
	}
	c := &score.Clusters{}
	for _, block := range slices.Sorted(maps.Keys(blocks)) {
		c.Sums = append(c.Sums, *blocks[block])
	}
	return c
}

// lossMean returns the mean of losses, min.
func lossMean(s score.Sums) float64 { return s.Accuracy / s.Predicted / 60 }
