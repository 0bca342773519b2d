package evaluate

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/internal/field"
	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// rounding is by how much a mean and the bounds of an interval may pass each
// other where all that is drawn is alike: they are sums in another order.
const rounding = 1e-9

// DropRule determines which changes of a score for the worse since an earlier run
// count: those of more than Most if it is not nil, else those that the interval of
// the difference confirms.
type DropRule struct {
	Most       *float64 // 0 to 1; of a pinball loss the share of its earlier value
	Replicates int      // of the interval, as in RunTimesOptions
	Seed       uint64
}

// Changes compares the scores of two runs.
type Changes struct {
	Scores []ScoreChange `json:"scores"`            // of both runs
	New    []string      `json:"new,omitempty"`     // names of scores that the earlier run lacks
	Gone   []string      `json:"gone,omitempty"`    // scores that this run lacks
	Others []string      `json:"differs,omitempty"` // other differences between the runs, in words
}

// ScoreChange is the value of one score in two runs.
type ScoreChange struct {
	Score  string       `json:"score"` // such as accuracy(last2,user)
	Before stats.Number `json:"before"`
	Now    stats.Number `json:"now"`
	Lower  bool         `json:"lower"` // is better; else higher is, up to Nominal
	// Nominal is the value above which higher is no better, the quantile of a bound's
	// coverage; 0 if there is none.
	Nominal float64 `json:"nominal,omitempty"`
	// Worse is by how much Now is worse than Before, in the unit of the score: how much
	// lower, or higher, or farther below Nominal. Below 0 it is better.
	Worse    stats.Number `json:"worse"`
	Relative bool         `json:"relative"` // DropRule.Most is a share of Before
	// The ends of the 95 % interval of Now less Before, or of what they lack of
	// Nominal; NaN if there is none: without sums, or if the score is not worse.
	Low  stats.Number `json:"difference_low"`
	High stats.Number `json:"difference_high"`
	// SameJobs tells that both runs scored the same jobs, so that the interval
	// is of a paired comparison.
	SameJobs bool `json:"same_jobs"`
	Fell     bool `json:"fell"`   // it is worse, by the DropRule
	Unsure   bool `json:"unsure"` // it is worse, but no interval confirms it
}

// Since compares the accuracies with those of an earlier run, over the common jobs
// too where both have the same predictors.
func (r *RunTimesResult) Since(earlier *RunTimesResult, rule DropRule) *Changes {
	return since(earlier.comparables(r), r.comparables(earlier), r.differences(earlier), rule)
}

// Since compares the coverage and the pinball loss of bounds, and the accuracies
// and correlations of other predictions, with those of an earlier run. A coverage
// is worse if it is farther below the bound's quantile; that a bound is too high shows
// in its loss.
func (r *WaitsResult) Since(earlier *WaitsResult, rule DropRule) *Changes {
	return since(earlier.comparables(), r.comparables(), r.differences(earlier), rule)
}

func since(before, now []scored, others []string, rule DropRule) *Changes {
	old := map[string]scored{}
	for _, s := range before {
		old[s.name] = s
	}
	c := &Changes{Others: others}
	for _, s := range now {
		if b, ok := old[s.name]; ok {
			c.Scores = append(c.Scores, rule.change(b, s))
			delete(old, s.name)
		} else {
			c.New = append(c.New, s.name)
		}
	}
	c.Gone = slices.Sorted(maps.Keys(old))
	return c
}

// change judges one score.
func (d DropRule) change(b, s scored) ScoreChange {
	nan := stats.Number(math.NaN())
	c := ScoreChange{
		Score: s.name, Before: stats.Number(b.value), Now: stats.Number(s.value), Low: nan, High: nan,
		Lower: s.lower, Nominal: s.nominal, Relative: s.relative,
	}
	cost := s.cost()
	worse := cost(s.value) - cost(b.value)
	c.Worse = stats.Number(worse)
	switch {
	case math.IsNaN(s.value) && !math.IsNaN(b.value):
		c.Fell = true
		return c
	case !(worse > rounding):
		return c
	case d.Most != nil:
		most := *d.Most
		if s.relative {
			most *= b.value
		}
		c.Fell = worse > most+rounding
		return c
	}
	c.Fell, c.Unsure = true, true
	if b.clusters == nil || s.clusters == nil {
		return c
	}
	of := func(x score.Sums) float64 { return cost(s.of(x)) }
	in := score.Difference(*b.clusters, *s.clusters, of, d.Replicates, IntervalLevel, d.Seed)
	c.SameJobs = b.clusters.Same(*s.clusters)
	if !math.IsNaN(in.Low) {
		c.Fell, c.Unsure = in.Low > 0, false
	}
	if !s.lower && s.nominal == 0 {
		in.Low, in.High = -in.High, -in.Low
	}
	c.Low, c.High = stats.Number(in.Low), stats.Number(in.High)
	return c
}

// cost is of a value of the score: less is better.
func (s *scored) cost() func(float64) float64 {
	switch {
	case s.nominal > 0:
		return func(x float64) float64 { return max(0, s.nominal-x) }
	case s.lower:
		return func(x float64) float64 { return x }
	}
	return func(x float64) float64 { return -x }
}

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

// differing says in what two logs differ, and which settings of their results, fields with the
// tag setting, do where both are known. A log may have moved to another folder.
func differing[R any](before, now workload.Summary, was, is *R) []string {
	var all []string
	if was, is := filepath.Base(before.Name), filepath.Base(now.Name); was != is {
		all = append(all, fmt.Sprintf("log %q, not %q", was, is))
	}
	if before.Jobs != now.Jobs {
		all = append(all, fmt.Sprintf("%d jobs, not %d", before.Jobs, now.Jobs))
	}
	text := func(f field.Field, r *R) string {
		text := f.Text(field.Row{reflect.ValueOf(r)})
		if row, _ := f.Tag("row"); row == "words" { // of columns, or of predictors
			return cmp.Or(strings.ReplaceAll(text, " ", ","), "none")
		}
		return text
	}
	for _, f := range field.Of[R]() {
		name, ok := f.Tag("setting")
		if !ok {
			continue
		}
		if a, b := text(f, was), text(f, is); a != b && a != "" && b != "" {
			all = append(all, cmp.Or(name, f.Name)+" "+a+", not "+b)
		}
	}
	return all
}

// differences says in what an earlier run differs from this one, so that their
// scores are not of the same thing.
func (r *RunTimesResult) differences(earlier *RunTimesResult) []string {
	was := *earlier
	if len(was.Fallback) == 0 || len(r.Fallback) == 0 { // no score of a chain is compared
		was.Fallback = r.Fallback
	}
	return differing(was.Log, r.Log, &was, r)
}

func (r *WaitsResult) differences(earlier *WaitsResult) []string {
	return differing(earlier.Log, r.Log, earlier, r)
}
