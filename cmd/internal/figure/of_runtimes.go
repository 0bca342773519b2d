package figure

import (
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/score"
)

// The names of the pictures of scores of run time predictors.
const (
	RunTimeAccuracyName = "run-time-accuracy"
	RunTimeAccurateName = "run-time-accuracy-distribution"
	RunTimeErrorName    = "run-time-error-distribution"
	RunTimeBestName     = "run-time-best"
)

// OfRunTimes returns figures 2 and 3 of Sonmez and others (2009) for a log: the
// accuracies by classes, the distributions of the best predictor of each way of
// classing, and the best without and with the finest classes.
func OfRunTimes(r *evaluate.RunTimesResult) []Picture {
	if len(r.Best) == 0 {
		const why = "nothing was predicted"
		return append([]Picture{absent(RunTimeAccuracyName, why)}, absentExtra(why, RunTimeAccurateName, RunTimeErrorName, RunTimeBestName)...)
	}
	source := fmt.Sprintf("%s, %d jobs with a run time", filepath.Base(r.Log.Name), r.Log.Jobs)
	pictures := []Picture{
		{Name: RunTimeAccuracyName, Draw: func(w io.Writer, format string) error {
			classes, all := accuraciesByClasses(r)
			return RunTimeAccuracies(w, format, withIntervals(source, r), classesAxis(r), classes, all)
		}},
		{Name: RunTimeAccurateName, Draw: func(w io.Writer, format string) error {
			return RunTimeAccuracyShares(w, format, source, runTimeShares(r, func(c evaluate.RunTimeDistributions) []score.Share { return c.Accuracy }))
		}},
		{Name: RunTimeErrorName, Draw: func(w io.Writer, format string) error {
			return RunTimeErrorShares(w, format, source, runTimeShares(r, func(c evaluate.RunTimeDistributions) []score.Share { return c.Error }))
		}},
	}
	if len(r.Best) != 3 {
		return append(pictures, absentExtra("want predictions with and without the classes "+evaluate.FinestClasses, RunTimeBestName)...)
	}
	return append(pictures, Picture{Name: RunTimeBestName, Draw: func(w io.Writer, format string) error {
		without, with := r.Score(r.Best[1].Predictor, r.Best[1].Classes), r.Score(r.Best[2].Predictor, r.Best[2].Classes)
		two := accuracies([]string{"the best, without and with " + evaluate.FinestClasses}, 2)
		setAccuracy(&two[0], 0, *without)
		setAccuracy(&two[0], 1, *with)
		return RunTimeAccuracies(w, format, withIntervals(source, r), classesAxis(r), []string{"without: " + without.Label(), "with: " + with.Label()}, two)
	}})
}

// withIntervals adds to a source whose intervals are drawn.
func withIntervals(source string, r *evaluate.RunTimesResult) string {
	if b := r.Bootstrap; b != nil && b.Users > 1 {
		source += fmt.Sprintf("; 95 %% intervals over %d users", b.Users)
	}
	return source
}

// accuraciesByClasses returns the ways of classing, and each predictor's
// accuracies under them.
func accuraciesByClasses(r *evaluate.RunTimesResult) (classes []string, all []Accuracies) {
	var predictors []string
	for _, s := range r.Scores {
		if !slices.Contains(classes, s.Classes) {
			classes = append(classes, s.Classes)
		}
		if !slices.Contains(predictors, s.Predictor) {
			predictors = append(predictors, s.Predictor)
		}
	}
	all = accuracies(predictors, len(classes))
	for _, s := range r.Scores {
		setAccuracy(&all[slices.Index(predictors, s.Predictor)], slices.Index(classes, s.Classes), s)
	}
	return classes, all
}

// runTimeShares returns a distribution of the best predictor of each way of
// classing.
func runTimeShares(r *evaluate.RunTimesResult, of func(evaluate.RunTimeDistributions) []score.Share) []Shares {
	var all []Shares
	for _, c := range r.CurvesByClasses() {
		all = append(all, sharesOf(c.Predictor+","+c.Classes, of(c)))
	}
	return all
}

// classesAxis names the ways of classing, and the columns that the log lacks:
// without sites the bars of user-site repeat those of user.
func classesAxis(r *evaluate.RunTimesResult) string {
	if lacking := r.UnknownClasses(); len(lacking) > 0 {
		return "classes of jobs\n(no " + strings.Join(lacking, " and no ") + " in the log)"
	}
	return "classes of jobs"
}

// accuracies are those of some predictors, still unknown, for so many groups.
func accuracies(names []string, groups int) []Accuracies {
	var all []Accuracies
	for _, name := range names {
		a := Accuracies{Name: name}
		for range groups {
			a.Mean, a.Low, a.High = append(a.Mean, math.NaN()), append(a.Low, math.NaN()), append(a.High, math.NaN())
		}
		all = append(all, a)
	}
	return all
}

// setAccuracy enters that of a score.
func setAccuracy(a *Accuracies, group int, s evaluate.RunTimeScore) {
	a.Mean[group], a.Low[group], a.High[group] = float64(s.AccuracyMean), float64(s.AccuracyLow), float64(s.AccuracyHigh)
}

// sharesOf are the points of a distribution function.
func sharesOf(name string, points []score.Share) Shares {
	s := Shares{Name: name}
	for _, p := range points {
		s.Value, s.AtMost = append(s.Value, p.Value), append(s.AtMost, p.AtMost)
	}
	return s
}
