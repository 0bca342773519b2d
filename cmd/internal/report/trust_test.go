package report

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/fit/survey"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload/inspect"
)

// kinds are the kinds of the remarks that say makes.
func kinds(of func(say func(kind, format string, args ...any))) (out []string) {
	of(func(kind, format string, args ...any) { out = append(out, kind+": "+fmt.Sprintf(format, args...)[:20]) })
	return out
}

// What is fitted is not tested, and what did not converge is told of.
func TestTrustFits(t *testing.T) {
	r := fit.Report{Family: "gamma", Attribute: fit.RunTime, Status: "stopped"}
	l := &Report{fitted: &survey.Result{Fits: []fit.Report{r}}, describe: &inspect.Description{}}
	if got := kinds(l.trustFits); !slices.Equal(got, []string{"warning: No distribution of r", "warning: Fits that did not co"}) {
		t.Errorf("%q", got)
	}
	l = &Report{why: map[string]string{fitPart: "no jobs at all, so none"}}
	if got := kinds(l.trustFits); !slices.Equal(got, []string{"missing: Nothing was fitted: "}) {
		t.Errorf("nothing fitted: %q", got)
	}
}

// Intervals are over users, where there are two at least.
func TestTrustPredictions(t *testing.T) {
	for users, want := range map[int]string{0: "warning: Accuracies have no i", 1: "warning: Accuracies have no i", 2: "good: Intervals of accurac"} {
		l := &Report{scores: &evaluate.RunTimesResult{}, why: map[string]string{Waits: "nothing"}}
		if users > 0 {
			l.scores.Bootstrap = &evaluate.RunTimesBootstrap{Users: users}
		}
		if got := kinds(l.trustPredictions); got[0] != want || got[1] != "missing: Predictors of wait w" {
			t.Errorf("%d users: %q, want %q", users, got, want)
		}
	}
}

// The best of each way of sorting jobs is the one of the highest accuracy that is
// known.
func TestBestByClasses(t *testing.T) {
	nan := stats.Number(math.NaN())
	of := func(classes, predictor string, accuracy stats.Number) evaluate.RunTimeScore {
		s := evaluate.RunTimeScore{Classes: classes, Predictor: predictor}
		s.AccuracyMean = accuracy
		return s
	}
	l := &Report{scores: &evaluate.RunTimesResult{Scores: []evaluate.RunTimeScore{
		of("all", "mean", nan), of("all", "last", .2), of("user", "mean", .5), of("user", "last", .4), of("all", "median", .3),
	}}}
	var got []string
	for _, row := range l.bestByClasses().Rows {
		got = append(got, row[0].Text)
	}
	if want := []string{"all, median", "user, mean"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
