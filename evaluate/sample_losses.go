package evaluate

import (
	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/workload"
)

// losses returns a predictor's bounds on the common jobs as clusters by
// week of submission, or by day if the sample is short; nil if it is too short for days.
func (s *Sample) losses(given []score.Forecast, quantile float64, common []bool) *score.Clusters {
	var span submissions
	for i := range s.jobs {
		span.add(s.jobs[i].Submit)
	}
	if span.settle(); span.length == 0 {
		return nil
	}
	blocks := score.Groups{Waits: true, Quantile: quantile}
	for i := range s.jobs {
		if common[i] {
			blocks.Add(span.of(s.jobs[i].Submit), []workload.Prediction{{Seconds: given[i].Bound}}, s.jobs[i].Actual, score.CommonJob{})
		}
	}
	c := blocks.Clusters(0)
	return &c
}
