package cli

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/cmd/internal/page"
	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/fit/site"
	"github.com/loadstone-hpc/loadstone/fit/survey"
	"github.com/loadstone-hpc/loadstone/model"
)

// The intervals that every report has: of the laws that models are made of, from
// so many samples drawn from the law and refitted, and no larger a log.
const (
	intervalDraws   = 50
	intervalLaws    = "hyper-gamma,uniform-log"
	mostForInterval = 1_000_000 // jobs
)

// runOthers fits sizes and interarrival times.
func (l *reportLog) runOthers(ctx context.Context, a *app) (err error) {
	l.others, err = l.fitMore(ctx, a, othersReport, "--site", siteNone, "--attribute", "size,interarrival", "--tests")
	return err
}

// runIntervals draws intervals of run times, where the fits themselves have none.
func (l *reportLog) runIntervals(ctx context.Context, a *app) (err error) {
	switch {
	case l.o.replicates > 0:
		return nil // they have theirs: ownIntervals
	case l.describe.Jobs > mostForInterval:
		return fmt.Errorf("so large a log is not refitted often enough, unless --replicates asks for it")
	}
	l.bounded, err = l.fitMore(ctx, a, intervalsReport, "--site", siteNone, "--family", intervalLaws, "--replicates", strconv.Itoa(intervalDraws), "--intervals", "0.95", "--seed", strconv.FormatUint(l.o.seed, 10))
	return err
}

// ownIntervals takes those that the fits themselves have, once all steps are done:
// they run side by side.
func (l *reportLog) ownIntervals() {
	if l.o.replicates == 0 {
		return
	}
	l.bounded = l.fitted
	if l.fitted == nil {
		l.why[intervalsReport] = l.why["fit"]
	}
}

func (l *reportLog) fitMore(ctx context.Context, a *app, part string, flags ...string) (*survey.Result, error) {
	sub, args, done := l.step(a, part, "fit", flags...)
	defer done()
	o, err := typedOptions(ctx, sub, newFitCmd, args)
	if err != nil {
		return nil, err
	}
	r, err := sub.fitLog(ctx, o)
	if err != nil {
		return nil, err
	}
	return r, nil
}

// interval is that of a parameter of a law of run times, two dashes for none.
func (l *reportLog) interval(family, parameter string) (low, high page.Cell) {
	low, high = textCell("–"), textCell("–")
	if l.bounded == nil {
		return low, high
	}
	for _, r := range l.bounded.Fits {
		if i, ok := intervalOf(r, parameter); ok && r.Family == family && r.Attribute == fit.RunTime {
			return sigCell(i.Low), sigCell(i.High)
		}
	}
	return low, high
}

// drawnHow says how the intervals on the page were drawn, or why they were not.
func (l *reportLog) drawnHow() string {
	switch {
	case l.bounded == nil:
		return "There are no intervals: " + lowerFirst(l.why[intervalsReport])
	case l.o.replicates > 0:
		return fmt.Sprintf("95 %% intervals are from %d samples drawn from each law and refitted: they say how far chance goes if the law is true, which the tests doubt.", l.o.replicates)
	}
	return fmt.Sprintf("95 %% intervals, of %s alone, are from %d samples drawn from the law and refitted: they say how far chance goes if the law is true, which the tests doubt. More with --replicates.",
		intervalLawsWords(), intervalDraws)
}

func intervalLawsWords() string { return strings.ReplaceAll(intervalLaws, ",", " and ") }

func lowerFirst(text string) string {
	if text == "" {
		return text
	}
	return strings.ToLower(text[:1]) + text[1:]
}

// parametersTable has the parameters, with intervals where they were drawn.
func (l *reportLog) parametersTable() page.Table {
	t := page.Table{Caption: "Parameters of the fits", Head: []string{"law and parameter", "value", "95 % from", "to"}, Folded: true}
	for _, r := range l.closest() {
		for _, p := range r.Parameters {
			low, high := l.interval(r.Family, p.Name)
			t.Rows = append(t.Rows, []page.Cell{textCell(r.Family + ": " + p.Name), sigCell(p.Value), low, high})
		}
	}
	return t
}

// siteDraws is how often the log's weeks are drawn for the model's intervals.
func (l *reportLog) siteDraws() int {
	switch {
	case l.o.replicates > 0:
		return l.o.replicates
	case l.describe.Jobs > mostForInterval:
		return 0
	}
	return intervalDraws
}

// modelIntervals are those of the parameters of a site's class: of the log's
// weeks, or, where there are too few, of the law of run times alone, if that is
// the one fitted to all run times.
func (l *reportLog) modelIntervals(c model.Class, label string) func(part, parameter string) (low, high page.Cell) {
	drawn := l.fitted.Site.Intervals
	same := false
	for _, r := range l.fitted.Fits {
		if law, ok := r.Law.(dist.HyperGamma); ok && r.Attribute == fit.RunTime && r.Family == "hyper-gamma" {
			same = law.First == c.RunTimes.Law.First && law.Second == c.RunTimes.Law.Second
		}
	}
	return func(part, parameter string) (low, high page.Cell) {
		if i, ok := drawn.Interval(label, part, parameter); ok {
			return sigCell(i.Low), sigCell(i.High)
		}
		if drawn != nil || !same || part != site.PartRunTimes {
			return textCell("–"), textCell("–")
		}
		return l.interval("hyper-gamma", parameter)
	}
}

// modelDrawnHow says how the intervals of the model's parameters were drawn, or
// why they were not.
func (l *reportLog) modelDrawnHow() string {
	how := fmt.Sprintf("'loadstone fit LOG --site-replicates %d'", moreSiteDraws)
	if i := l.fitted.Site.Intervals; i != nil {
		return fmt.Sprintf("95 %% intervals are from %d draws of the log's %s, each fitted as the whole was: they say how far the parameters would be off in other weeks like these, whatever the law. Largest values have none. %s draws more.", i.Replicates, weeksText(i), how)
	}
	why := "Intervals of the model's other parameters are left out; " + how + " draws them from the log's weeks."
	if w := l.fitted.WhyNoIntervals; w != "" {
		why = "Of the model's other parameters there are none: " + w + "."
	}
	return l.drawnHow() + " " + why
}

// moreSiteDraws is what people are told to ask for.
const moreSiteDraws = 999
