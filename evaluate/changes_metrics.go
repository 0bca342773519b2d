package evaluate

import (
	"slices"

	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/stats"
)

// metric is a score by which runs are compared; higher is better.
type metric[S any] struct {
	name  string // as in conditions
	field string // in JSON
	least float64
	value func(*S) stats.Number
	of    func(score.Sums) float64
}

var runTimeMetrics = []metric[RunTimeScore]{{
	"accuracy", "accuracy_mean", 0,
	func(s *RunTimeScore) stats.Number { return s.AccuracyMean },
	score.Sums.AccuracyMean,
}}

// commonMetric is compared if two runs have the same predictors; otherwise their common
// jobs differ. Results of older versions lack it.
var commonMetric = metric[RunTimeScore]{
	"accuracy_common", "accuracy_common_mean", 0,
	func(s *RunTimeScore) stats.Number { return s.AccuracyCommon },
	score.Sums.AccuracyMean,
}

var waitMetrics = []metric[WaitScore]{{
	"accuracy", "accuracy_mean", 0,
	func(s *WaitScore) stats.Number { return s.AccuracyMean },
	score.Sums.AccuracyMean,
}, {
	"coverage", "coverage", 0,
	func(s *WaitScore) stats.Number { return s.Coverage },
	score.Sums.HeldShare,
}, {
	"correlation_log", "correlation_log", -1,
	func(s *WaitScore) stats.Number { return s.CorrelationLog },
	score.Sums.CorrelationLog,
}}

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

// compared are the metrics of which a score is compared: of a bound of waits its
// coverage, of other predictions of waits the correlation.
func (s *WaitScore) compared() []metric[WaitScore] {
	return slices.DeleteFunc(slices.Clone(waitMetrics), func(m metric[WaitScore]) bool {
		return m.name == "coverage" && !s.Bound || m.name == "correlation_log" && s.Bound
	})
}

// scored is one score of one run, for comparison with another.
type scored struct {
	name     string
	value    float64
	lower    bool // is better
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
		for _, m := range s.compared() {
			all = append(all, m.scored(s.Predictor, s, s.clusters()))
		}
	}
	return all
}
