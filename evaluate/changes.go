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
	"github.com/loadstone-hpc/loadstone/workload"
)

// rounding is by how much a mean and the bounds of an interval may pass each
// other where all that is drawn is alike: they are sums in another order.
const rounding = 1e-9

// Changes compares the scores of two runs.
type Changes struct {
	Scores []ScoreChange // of both runs
	New    []string      // names of scores that the earlier run lacks
	Gone   []string      // scores that this run lacks
	Others []string      // other differences between the runs, in words
}

// ScoreChange is the value of one score in two runs.
type ScoreChange struct {
	Score       string // such as accuracy(last2,user)
	Before, Now float64
	// Nominal is the value above which higher is no better, the quantile of a bound's
	// coverage; 0 if there is none.
	Nominal float64
	// Worse is by how much Now is worse than Before, in the unit of the score: how much
	// lower, or higher, or farther below Nominal. Below 0 it is better.
	Worse    float64
	Relative bool // what is allowed is a share of Before
	Fell     bool // it is worse by more than is allowed
}

// Since compares the accuracies with those of an earlier run, over the common jobs
// too where both have the same predictors. A score may be worse by most.
func (r *RunTimesResult) Since(earlier *RunTimesResult, most float64) *Changes {
	return since(earlier.comparables(r), r.comparables(earlier), r.differences(earlier), most)
}

// Since compares the coverage and the pinball loss of bounds, and the accuracies
// and correlations of other predictions, with those of an earlier run. A coverage
// is worse if it is farther below the bound's quantile; that a bound is too high shows
// in its loss. A score may be worse by most, a loss by most as a share of its earlier value.
func (r *WaitsResult) Since(earlier *WaitsResult, most float64) *Changes {
	return since(earlier.comparables(), r.comparables(), r.differences(earlier), most)
}

func since(before, now []scored, others []string, most float64) *Changes {
	old := map[string]scored{}
	for _, s := range before {
		old[s.name] = s
	}
	c := &Changes{Others: others}
	for _, s := range now {
		if b, ok := old[s.name]; ok {
			c.Scores = append(c.Scores, s.change(b.value, most))
			delete(old, s.name)
		} else {
			c.New = append(c.New, s.name)
		}
	}
	c.Gone = slices.Sorted(maps.Keys(old))
	return c
}

// scored is one score of one run, for comparison with another.
type scored struct {
	name    string
	value   float64
	lower   bool    // is better, and what is allowed is a share
	nominal float64 // the value that is best; 0 for none
}

// change judges the score, which was before.
func (s *scored) change(before, most float64) ScoreChange {
	cost := func(x float64) float64 { // less is better
		switch {
		case s.nominal > 0:
			return max(0, s.nominal-x)
		case s.lower:
			return x
		}
		return -x
	}
	c := ScoreChange{Score: s.name, Before: before, Now: s.value, Nominal: s.nominal, Relative: s.lower, Worse: cost(s.value) - cost(before)}
	if s.lower {
		most *= before
	}
	c.Fell = c.Worse > most+rounding || math.IsNaN(s.value) && !math.IsNaN(before)
	return c
}

// metrics are the scores by which runs are compared: fields with the tag baseline, "common"
// if they are of the common jobs. Higher is better, but for the pinball loss of bounds.
func metrics[S any]() (all []field.Field) {
	for _, f := range field.Of[S]() {
		if _, ok := f.Tag("baseline"); ok {
			all = append(all, f)
		}
	}
	return all
}

var runTimeMetrics, waitMetrics = metrics[RunTimeScore](), metrics[WaitScore]()

// scoredBy is the value of a field of a score.
func scoredBy(f field.Field, label string, of any) scored {
	return scored{name: strings.TrimSuffix(f.Name, "_mean") + "(" + label + ")", value: f.Number(field.Row{reflect.ValueOf(of)}), lower: f.Better == "low"}
}

// allCommon says that all predicted jobs are common: AccuracyCommon is AccuracyMean.
func (s *RunTimeScore) allCommon() bool { return s.CommonJobs == s.Predicted }

// comparables are the scores that are compared with those of another run.
func (r *RunTimesResult) comparables(other *RunTimesResult) []scored {
	var all []scored
	alike := slices.Equal(r.labels(), other.labels())
	for i := range r.Scores {
		s := &r.Scores[i]
		for _, f := range runTimeMetrics {
			if of, _ := f.Tag("baseline"); of == "common" {
				// The common jobs of other predictors are others, and where all are common in both
				// runs, the accuracy says it.
				o := other.Score(s.Predictor, s.Classes)
				if !alike || s.CommonJobs == 0 || o.CommonJobs == 0 || s.allCommon() && o.allCommon() {
					continue
				}
			}
			all = append(all, scoredBy(f, s.Label(), s))
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
		for _, f := range waitMetrics {
			x := scoredBy(f, s.Predictor, s)
			switch {
			case s.Bound == (f.Better == "high"):
				continue
			case x.lower && math.IsNaN(x.value) && s.Predicted > 0:
				continue
			case s.Bound && !x.lower:
				x.nominal = cmp.Or(s.Quantile, r.Quantile)
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
