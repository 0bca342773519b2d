package evaluate

import (
	"cmp"
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/stats"
)

// metric is a score by which runs are compared; higher is better, but for the
// coverage and the pinball loss of bounds.
type metric[S any] struct {
	name        string // as in conditions
	field       string // in JSON
	least, most float64
	value       func(*S) stats.Number
	of          func(score.Sums) float64
}

var runTimeMetrics = []metric[RunTimeScore]{{
	"accuracy", "accuracy_mean", 0, 1,
	func(s *RunTimeScore) stats.Number { return s.AccuracyMean },
	score.Sums.AccuracyMean,
}}

// commonMetric is compared if two runs have the same predictors; otherwise their common
// jobs differ.
var commonMetric = metric[RunTimeScore]{
	"accuracy_common", "accuracy_common_mean", 0, 1,
	func(s *RunTimeScore) stats.Number { return s.AccuracyCommon },
	score.Sums.AccuracyMean,
}

var waitMetrics = []metric[WaitScore]{{
	"accuracy", "accuracy_mean", 0, 1,
	func(s *WaitScore) stats.Number { return s.AccuracyMean },
	score.Sums.AccuracyMean,
}, {
	"correlation_log", "correlation_log", -1, 1,
	func(s *WaitScore) stats.Number { return s.CorrelationLog },
	score.Sums.CorrelationLog,
}, coverageMetric}

var coverageMetric = metric[WaitScore]{
	"coverage", "coverage", 0, 1,
	func(s *WaitScore) stats.Number { return s.Coverage },
	score.Sums.HeldShare,
}

// lossMetric is of bounds.
var lossMetric = metric[WaitScore]{
	"pinball_loss_min", "pinball_loss_min", 0, math.Inf(1),
	func(s *WaitScore) stats.Number { return s.QuantileLoss },
	score.Sums.LossMean,
}

// clusters are what the score is made of; nil for unknown.
func (s *RunTimeScore) clusters() *score.Clusters { return s.Sums }

func (s *RunTimeScore) commonClusters() *score.Clusters {
	if s.allCommon() {
		return s.Sums
	}
	return s.CommonSums
}

// allCommon says that all predicted jobs are common: AccuracyCommon is AccuracyMean.
func (s *RunTimeScore) allCommon() bool { return s.CommonJobs == s.Predicted }

func (s *WaitScore) clusters() *score.Clusters {
	if s.Sums == nil {
		return nil
	}
	return &s.Sums.Clusters
}

// compared are the scores of a prediction that are compared: its accuracy and
// correlation. A bound is no prediction of the wait, so its accuracy says nothing
// of it: it is right if it covers the share quantile, and the better the less it loses.
func (s *WaitScore) compared(quantile float64) []scored {
	if !s.Bound {
		var all []scored
		for _, m := range waitMetrics[:2] {
			all = append(all, m.scored(s.Predictor, s, s.clusters()))
		}
		return all
	}
	coverage := coverageMetric.scored(s.Predictor, s, s.clusters())
	coverage.nominal = cmp.Or(s.Quantile, quantile)
	if s.Outwaited > 0 { // which the sums do not have
		coverage.clusters = nil
	}
	if math.IsNaN(float64(s.QuantileLoss)) && s.Predicted > 0 {
		return []scored{coverage}
	}
	loss := lossMetric.scored(s.Predictor, s, s.clusters())
	loss.lower, loss.relative = true, true
	return []scored{coverage, loss}
}

// scored is one score of one run, for comparison with another.
type scored struct {
	name     string
	value    float64
	lower    bool    // is better
	nominal  float64 // the value that is best; 0 for none
	relative bool    // DropRule.Most is a share of the earlier value
	clusters *score.Clusters
	of       func(score.Sums) float64
}

func (m *metric[S]) scored(of string, s *S, clusters *score.Clusters) scored {
	return scored{name: m.name + "(" + of + ")", value: float64(m.value(s)), clusters: clusters, of: m.of}
}

// comparables are the scores that are compared with those of another run.
func (r *RunTimesResult) comparables(other *RunTimesResult) []scored {
	var all []scored
	alike := slices.Equal(r.labels(), other.labels())
	for i := range r.Scores {
		s := &r.Scores[i]
		for _, m := range runTimeMetrics {
			all = append(all, m.scored(s.Label(), s, s.clusters()))
		}
		for _, m := range s.Measures {
			all = append(all, scored{name: m.Name + "(" + s.Label() + ")", value: float64(m.Value), lower: m.Lower})
		}
		if !alike {
			continue
		}
		// Where all jobs are common in both runs, the accuracy says it.
		if o := other.Score(s.Predictor, s.Classes); s.CommonJobs > 0 && o.CommonJobs > 0 && !(s.allCommon() && o.allCommon()) {
			all = append(all, commonMetric.scored(s.Label(), s, s.commonClusters()))
		}
	}
	return all
}

// labels are the names of the scores, sorted.
func (r *RunTimesResult) labels() []string {
	var all []string
	for i := range r.Scores {
		all = append(all, r.Scores[i].Label())
	}
	slices.Sort(all)
	return all
}

func (r *WaitsResult) comparables() []scored {
	var all []scored
	for i := range r.Scores {
		s := &r.Scores[i]
		all = append(all, s.compared(r.Quantile)...)
	}
	return all
}
