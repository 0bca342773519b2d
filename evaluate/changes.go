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

// rounding is the tolerance for scores and their ranges: two runs, or a mean and the ends of
// its interval, may sum the same numbers in different orders.
const rounding = 1e-9

// Changes compares the scores of two runs.
type Changes struct {
	Scores []ScoreChange // of both runs
	New    []string      // names of scores that the earlier run lacks
	Gone   []string      // names of scores that this run lacks
	Others []string      // other differences between the runs, as text
}

// ScoreChange is the value of one score in two runs.
type ScoreChange struct {
	Score       string // such as accuracy(last2,user)
	Before, Now float64
	// Nominal is the value above which a higher score is no better: for the coverage of a
	// bound, its quantile. It is 0 if there is none.
	Nominal float64
	// Worse is the amount by which Now is worse than Before, in the unit of the score: how much
	// lower, or higher, or farther below Nominal. It is negative if Now is better.
	Worse    float64
	Relative bool // the allowed amount is a share of Before
	Fell     bool // Worse exceeds the allowed amount, or Now is NaN and Before is not
}

// Since compares the accuracies with those of an earlier run, and also those over the common
// jobs if both runs have the same predictors. A score may be worse by at most most.
func (r *RunTimesResult) Since(earlier *RunTimesResult, most float64) *Changes {
	return since(earlier.comparables(r), r.comparables(earlier), r.differences(earlier), most)
}

// Since compares the coverage and the pinball loss of bounds, and the accuracies
// and correlations of other predictions, with those of an earlier run. A coverage is worse
// if it is farther below the bound's quantile; a bound that is too high shows in its loss. A
// score may be worse by at most most, a loss by at most that share of its earlier value.
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

// scored is one score of one run, for comparison with that of another run.
type scored struct {
	name    string
	value   float64
	lower   bool    // a lower value is better, and the allowed amount is a share
	nominal float64 // value above which a higher one is no better; 0 for none
}

// change compares the score with its earlier value, before.
func (s *scored) change(before, most float64) ScoreChange {
	cost := func(x float64) float64 { // lower is better
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

// metrics returns the scores by which runs are compared: the fields of S with the tag
// baseline, whose value is "common" for scores over the common jobs. Higher is better, except
// for the pinball loss of bounds.
func metrics[S any]() (all []field.Field) {
	for _, f := range field.Of[S]() {
		if _, ok := f.Tag("baseline"); ok {
			all = append(all, f)
		}
	}
	return all
}

var runTimeMetrics, waitMetrics = metrics[RunTimeScore](), metrics[WaitScore]()

// scoredBy returns the value of the field f of the score of, with a name such as
// accuracy(label).
func scoredBy(f field.Field, label string, of any) scored {
	return scored{name: strings.TrimSuffix(f.Name, "_mean") + "(" + label + ")", value: f.Number(field.Row{reflect.ValueOf(of)}), lower: f.Better == "low"}
}

// allCommon reports whether all predicted jobs are common, so that AccuracyCommon equals
// AccuracyMean.
func (s *RunTimeScore) allCommon() bool { return s.CommonJobs == s.Predicted }

// comparables returns the scores to compare with those of another run.
func (r *RunTimesResult) comparables(other *RunTimesResult) []scored {
	var all []scored
	alike := slices.Equal(r.labels(), other.labels())
	for i := range r.Scores {
		s := &r.Scores[i]
		for _, f := range runTimeMetrics {
			if of, _ := f.Tag("baseline"); of == "common" {
				// With different predictors the common jobs differ; if all jobs are common in both
				// runs, the accuracy is the same score.
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

// labels returns the labels of the scores, sorted.
func (r *RunTimesResult) labels() []string {
	var all []string
	for i := range r.Scores {
		all = append(all, r.Scores[i].Label())
	}
	slices.Sort(all)
	return all
}

// comparables returns the scores to compare with those of another run: the accuracy and
// correlation of a prediction, the coverage and loss of a bound. A bound does not predict the
// wait itself, so its accuracy is not compared: it should cover the share given by its
// quantile with as small a loss as possible.
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

// differing describes how two logs and the settings of their results, the fields of R with the
// tag setting, differ. A setting is compared if it is known in both. Of the logs' names only the
// last element counts, since a log may have moved to another folder.
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
		if row, _ := f.Tag("row"); row == "words" { // a list, of columns or of classes
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

// differences describes the differences from an earlier run that make their scores
// incomparable.
func (r *RunTimesResult) differences(earlier *RunTimesResult) []string {
	was := *earlier
	if len(was.Fallback) == 0 || len(r.Fallback) == 0 { // no score with a fallback is compared
		was.Fallback = r.Fallback
	}
	return differing(was.Log, r.Log, &was, r)
}

func (r *WaitsResult) differences(earlier *WaitsResult) []string {
	return differing(earlier.Log, r.Log, earlier, r)
}
