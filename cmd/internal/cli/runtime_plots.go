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
	"github.com/loadstone-hpc/loadstone/runtime"
	"github.com/loadstone-hpc/loadstone/score"
)

// plot draws figures 2 and 3 of Sonmez and others (2009) for this log: the
// accuracies by classes, the best without and with the finest classes, and the
// distributions of the best predictor of each way of classing.
func (r *runtimeRun) plot() error {
	if r.best(func(runtime.Entry) bool { return true }) < 0 {
		r.a.missing(errors.New("nothing was predicted"), "run-time-accuracy", "run-time-accuracy-distribution", "run-time-error-distribution", "run-time-best")
		r.a.warn("%s: no pictures: nothing was predicted", r.o.plots)
		return nil
	}
	scored := r.scored()
	var classes, predictors []string
	for _, i := range scored {
		if e := r.entries[i]; !slices.Contains(classes, e.Classes.Name) {
			classes = append(classes, e.Classes.Name)
		}
		if e := r.entries[i]; !slices.Contains(predictors, e.Predictor) {
			predictors = append(predictors, e.Predictor)
		}
	}
	all := accuracies(predictors, len(classes))
	for _, i := range scored {
		e := r.entries[i]
		r.setAccuracy(&all[slices.Index(predictors, e.Predictor)], slices.Index(classes, e.Classes.Name), i)
	}
	var accuracy, miss []figure.Shares
	for _, name := range classes {
		i := r.best(func(e runtime.Entry) bool { return e.Classes.Name == name })
		if i < 0 {
			continue
		}
		accuracy = append(accuracy, shares(r.label(i), r.tallies[i].AccuracyDistribution()))
		miss = append(miss, shares(r.label(i), r.tallies[i].AbsoluteErrorDistribution()))
	}
	source := fmt.Sprintf("%s, %d jobs with a run time", filepath.Base(r.log.Name), r.tallies[0].Jobs())
	surely := source // of pictures with intervals
	if r.o.replicates > 0 && r.users.Users() > 1 {
		surely += fmt.Sprintf("; 95 %% intervals over %d users", r.users.Users())
	}
	pictures := []runtimePicture{
		{"run-time-accuracy", func(w io.Writer) error {
			return figure.RunTimeAccuracies(w, r.a.pictureFormat(), surely, r.classesAxis(), classes, all)
		}},
		{"run-time-accuracy-distribution", func(w io.Writer) error { return figure.RunTimeAccuracyShares(w, r.a.pictureFormat(), source, accuracy) }},
		{"run-time-error-distribution", func(w io.Writer) error { return figure.RunTimeErrorShares(w, r.a.pictureFormat(), source, miss) }},
	}
	if bests, entries := r.bests(); len(bests) == 3 {
		groups := []string{"without: " + r.label(entries[1]), "with: " + r.label(entries[2])}
		two := accuracies([]string{"the best, without and with " + finest}, 2)
		r.setAccuracy(&two[0], 0, entries[1])
		r.setAccuracy(&two[0], 1, entries[2])
		pictures = append(pictures, runtimePicture{"run-time-best", func(w io.Writer) error {
			return figure.RunTimeAccuracies(w, r.a.pictureFormat(), surely, r.classesAxis(), groups, two)
		}})
	}
	r.a.missing(fmt.Errorf("want predictions with and without the classes %s", finest), "run-time-best")
	for _, p := range pictures {
		if err := r.a.drawTo(filepath.Join(r.o.plots, p.name+".svg"), p.write); err != nil {
			return err
		}
	}
	return nil
}

// classesAxis names the ways of classing, and says what they cannot tell apart:
// without sites the bars of user-site are those of user once more.
func (r *runtimeRun) classesAxis() string {
	if alike := r.notApart(); alike != "" {
		return "classes of jobs\n(the log tells no " + alike + " apart)"
	}
	return "classes of jobs"
}

// notApart are the fields of classes that no job of the log has.
func (r *runtimeRun) notApart() string {
	var names []string
	for _, f := range slices.Sorted(slices.Values(r.unknown)) {
		name := f.String() + "s"
		if f == runtime.FieldPartition {
			name = "sites" // as the classes call them
		}
		names = append(names, name)
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

// setAccuracy enters that of an entry.
func (r *runtimeRun) setAccuracy(a *figure.Accuracies, group, entry int) {
	in := r.interval(entry).Accuracy
	a.Mean[group], a.Low[group], a.High[group] = r.tallies[entry].AccuracyMean(), in.Low, in.High
}

func shares(name string, points []score.Share) figure.Shares {
	s := figure.Shares{Name: name}
	for _, p := range points {
		s.Value, s.AtMost = append(s.Value, p.Value), append(s.AtMost, p.AtMost)
	}
	return s
}
