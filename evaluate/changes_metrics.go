package evaluate

import (
	"cmp"
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/internal/field"
	"github.com/loadstone-hpc/loadstone/score"
)

// metric is a score by which runs are compared: a field with the tag sums. Higher is better,
// but for the coverage and the pinball loss of bounds.
type metric struct {
	field.Field
	common bool // of the common jobs
	of     func(score.Sums) float64
}

func metricsOf[S any]() (all []metric) {
	for _, f := range field.Of[S]() {
		if sums, ok := f.Tag("sums"); ok {
			all = append(all, metric{f, sums == "common", score.SumsScore(sums)})
		}
	}
	return all
}

var runTimeMetrics, waitMetrics = metricsOf[RunTimeScore](), metricsOf[WaitScore]()

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

// scored is the metric of a score. Clusters are what it is made of; nil for unknown.
func (m *metric) scored(label string, of any, clusters *score.Clusters) scored {
	lower := m.Better == "low"
	return scored{
		name: strings.TrimSuffix(m.Name, "_mean") + "(" + label + ")", value: m.Number(field.Row{reflect.ValueOf(of)}),
		lower: lower, relative: lower, clusters: clusters, of: m.of,
	}
}

func (s *RunTimeScore) commonClusters() *score.Clusters {
	if s.allCommon() {
		return s.Sums
	}
	return s.CommonSums
}

// allCommon says that all predicted jobs are common: AccuracyCommon is AccuracyMean.
func (s *RunTimeScore) allCommon() bool { return s.CommonJobs == s.Predicted }

// comparables are the scores that are compared with those of another run.
func (r *RunTimesResult) comparables(other *RunTimesResult) []scored {
	var all []scored
	alike := slices.Equal(r.labels(), other.labels())
	for i := range r.Scores {
		s := &r.Scores[i]
		for _, m := range runTimeMetrics {
			clusters := s.Sums
			if m.common {
				// The common jobs of other predictors are others, and where all are common in both
				// runs, the accuracy says it.
				o := other.Score(s.Predictor, s.Classes)
				if !alike || s.CommonJobs == 0 || o.CommonJobs == 0 || s.allCommon() && o.allCommon() {
					continue
				}
				clusters = s.commonClusters()
			}
			all = append(all, m.scored(s.Label(), s, clusters))
		}
		for _, m := range s.Measures {
			all = append(all, scored{name: m.Name + "(" + s.Label() + ")", value: float64(m.Value), lower: m.Lower})
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

// comparables are the scores that are compared with those of another run: of a prediction its
// accuracy and correlation. A bound is no prediction of the wait, so its accuracy says nothing
// of it: it is right if it covers the share quantile, and the better the less it loses.
func (r *WaitsResult) comparables() (all []scored) {
	for i := range r.Scores {
		s := &r.Scores[i]
		var clusters *score.Clusters
		if s.Sums != nil {
			clusters = &s.Sums.Clusters
		}
		for _, m := range waitMetrics {
			x := m.scored(s.Predictor, s, clusters)
			switch {
			case s.Bound == (m.Better == "high"):
				continue
			case x.lower && math.IsNaN(x.value) && s.Predicted > 0:
				continue
			case s.Bound && !x.lower:
				x.nominal = cmp.Or(s.Quantile, r.Quantile)
				if s.Outwaited > 0 { // which the sums do not have
					x.clusters = nil
				}
			}
			all = append(all, x)
		}
	}
	return all
}
