package cli

import (
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/cmd/internal/figure"
	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/score"
)

// drawRunTimes draws figures 2 and 3 of Sonmez and others (2009) for a log: the
// accuracies by classes, the best without and with the finest classes, and the
// distributions of the best predictor of each way of classing.
func (a *app) drawRunTimes(folder string, r *evaluate.RunTimesResult) error {
	if len(r.Best) == 0 {
		a.missing(errors.New("nothing was predicted"), "run-time-accuracy", "run-time-accuracy-distribution", "run-time-error-distribution", "run-time-best")
		a.warn("%s: no pictures: nothing was predicted", folder)
		return nil
	}
	var classes, predictors []string
	for _, s := range r.Scores {
		if !slices.Contains(classes, s.Classes) {
			classes = append(classes, s.Classes)
		}
		if !slices.Contains(predictors, s.Predictor) {
			predictors = append(predictors, s.Predictor)
		}
	}
	all := accuracies(predictors, len(classes))
	for _, s := range r.Scores {
		setAccuracy(&all[slices.Index(predictors, s.Predictor)], slices.Index(classes, s.Classes), s)
	}
	var accuracy, miss []figure.Shares
	for _, c := range curvesByClasses(r) {
		name := c.Predictor + "," + c.Classes
		accuracy = append(accuracy, shares(name, c.Accuracy))
		miss = append(miss, shares(name, c.Error))
	}
	source := fmt.Sprintf("%s, %d jobs with a run time", filepath.Base(r.Log.Name), r.Log.Jobs)
	intervals := source
	if b := r.Bootstrap; b != nil && b.Users > 1 {
		intervals += fmt.Sprintf("; 95 %% intervals over %d users", b.Users)
	}
	format, axis := a.pictureFormat(), classesAxis(r)
	pictures := []runtimePicture{
		{"run-time-accuracy", func(w io.Writer) error {
			return figure.RunTimeAccuracies(w, format, intervals, axis, classes, all)
		}},
		{"run-time-accuracy-distribution", func(w io.Writer) error { return figure.RunTimeAccuracyShares(w, format, source, accuracy) }},
		{"run-time-error-distribution", func(w io.Writer) error { return figure.RunTimeErrorShares(w, format, source, miss) }},
	}
	if len(r.Best) == 3 {
		without, with := r.Score(r.Best[1].Predictor, r.Best[1].Classes), r.Score(r.Best[2].Predictor, r.Best[2].Classes)
		groups := []string{"without: " + without.Label(), "with: " + with.Label()}
		two := accuracies([]string{"the best, without and with " + evaluate.FinestClasses}, 2)
		setAccuracy(&two[0], 0, *without)
		setAccuracy(&two[0], 1, *with)
		pictures = append(pictures, runtimePicture{"run-time-best", func(w io.Writer) error {
			return figure.RunTimeAccuracies(w, format, intervals, axis, groups, two)
		}})
	}
	a.missing(fmt.Errorf("want predictions with and without the classes %s", evaluate.FinestClasses), "run-time-best")
	for _, p := range pictures {
		if err := a.drawTo(filepath.Join(folder, p.name+".svg"), p.write); err != nil {
			return err
		}
	}
	return nil
}

// curvesByClasses are the distributions in the order of the classes.
func curvesByClasses(r *evaluate.RunTimesResult) []evaluate.RunTimeDistributions {
	at := func(c evaluate.RunTimeDistributions) int {
		return slices.IndexFunc(r.Scores, func(s evaluate.RunTimeScore) bool { return s.Classes == c.Classes })
	}
	return slices.SortedStableFunc(slices.Values(r.Curves), func(a, b evaluate.RunTimeDistributions) int { return at(a) - at(b) })
}

// classesAxis names the ways of classing, and the columns that the log lacks:
// without sites the bars of user-site repeat those of user.
func classesAxis(r *evaluate.RunTimesResult) string {
	if lacking := lackingFields(r); lacking != "" {
		return "classes of jobs\n(the log tells no " + lacking + " apart)"
	}
	return "classes of jobs"
}

// lackingFields names the fields of classes that no job of the log has.
func lackingFields(r *evaluate.RunTimesResult) string {
	var names []string
	for _, name := range r.Unknown {
		if name == "partition" {
			name = "site" // as the classes call it
		}
		names = append(names, name+"s")
	}
	return strings.Join(names, " and no ")
}

type runtimePicture struct {
	name  string
	write func(io.Writer) error
}

// accuracies are those of some predictors, still unknown, for so many groups.
func accuracies(names []string, groups int) []figure.Accuracies {
	var all []figure.Accuracies
	for _, name := range names {
		a := figure.Accuracies{Name: name}
		for range groups {
			a.Mean, a.Low, a.High = append(a.Mean, math.NaN()), append(a.Low, math.NaN()), append(a.High, math.NaN())
		}
		all = append(all, a)
	}
	return all
}

// setAccuracy enters that of a score.
func setAccuracy(a *figure.Accuracies, group int, s evaluate.RunTimeScore) {
	a.Mean[group], a.Low[group], a.High[group] = float64(s.AccuracyMean), float64(s.AccuracyLow), float64(s.AccuracyHigh)
}

func shares(name string, points []score.Share) figure.Shares {
	s := figure.Shares{Name: name}
	for _, p := range points {
		s.Value, s.AtMost = append(s.Value, p.Value), append(s.AtMost, p.AtMost)
	}
	return s
}
