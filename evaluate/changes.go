package evaluate

import (
	"maps"
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/stats"
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
