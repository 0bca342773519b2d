package report

import (
	"fmt"
	"strings"

	"github.com/loadstone-hpc/loadstone/cmd/internal/page"
	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/fit/site"
	"github.com/loadstone-hpc/loadstone/model"
)

// The intervals that every report has: of the laws that models are made of, from
// so many samples drawn from the law and refitted, and no larger a log.
const (
	intervalDraws   = 50
	mostForInterval = 1_000_000 // jobs
)

var intervalLaws = []string{"hyper-gamma", "uniform-log"}

// ownIntervals takes those that the fits themselves have, once all steps are done:
// they run side by side.
func (l *logReport) ownIntervals() {
	if l.o.Replicates == 0 {
		return
	}
	l.bounded = l.fitted
	if l.fitted == nil {
		l.why[intervalsPart] = l.why[fitPart]
	}
}

// interval is that of a parameter of a law of run times, two dashes for none.
func (l *logReport) interval(family, parameter string) (low, high page.Cell) {
	low, high = textCell("–"), textCell("–")
	if l.bounded == nil {
		return low, high
	}
	for _, r := range l.bounded.Fits {
		if i, ok := r.Interval(parameter); ok && r.Family == family && r.Attribute == fit.RunTime {
			return sigCell(i.Low), sigCell(i.High)
		}
	}
	return low, high
}

// drawnHow says how the intervals on the page were drawn, or why they were not.
func (l *logReport) drawnHow() string {
	switch {
	case l.bounded == nil:
		return "There are no intervals: " + lowerFirst(l.why[intervalsPart])
	case l.o.Replicates > 0:
		return fmt.Sprintf("The 95 %% intervals are from %d samples drawn from each fitted distribution and refitted (parametric bootstrap). They are valid only as far as the distribution fits. R² measures the fit and has none.", l.o.Replicates)
	}
	return fmt.Sprintf("The 95 %% intervals, for %s only, are from %d samples drawn from the fitted distribution and refitted (parametric bootstrap). They are valid only as far as the distribution fits. R² measures the fit and has none. --replicates draws more.",
		intervalLawsWords(), intervalDraws)
}

func intervalLawsWords() string { return strings.Join(intervalLaws, " and ") }

func lowerFirst(text string) string {
	if text == "" {
		return text
	}
	return strings.ToLower(text[:1]) + text[1:]
}

// parametersTable has the parameters, with intervals where they were drawn.
func (l *logReport) parametersTable() page.Table {
	t := page.Table{Caption: "Parameters of the fits", Head: []string{"distribution and parameter", "value", "95 % from", "to"}, Folded: true}
	for _, r := range ranked(l.fitted, fit.RunTime) {
		for _, p := range r.Parameters {
			low, high := l.interval(r.Family, p.Name)
			t.Rows = append(t.Rows, []page.Cell{textCell(r.Family + ": " + p.Name), sigCell(p.Value), low, high})
		}
	}
	return t
}

// siteDraws is how often the log's weeks are drawn for the model's intervals.
func (l *logReport) siteDraws() int {
	switch {
	case l.o.Replicates > 0:
		return l.o.Replicates
	case l.describe.Jobs > mostForInterval:
		return 0
	}
	return intervalDraws
}

// modelIntervals are those of the parameters of a site's class: of the log's
// weeks, or, where there are too few, of the law of run times alone, if that is
// the one fitted to all run times.
func (l *logReport) modelIntervals(c model.Class, label string) func(part, parameter string) (low, high page.Cell) {
	drawn := l.fitted.Site.Intervals
	same := false
	for _, r := range l.fitted.Fits {
		if law, ok := r.Law.(dist.HyperGamma); ok && r.Attribute == fit.RunTime && r.Family == "hyper-gamma" {
			of := c.Lublin().RunTimes.Law
			same = law.First == of.First && law.Second == of.Second
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
func (l *logReport) modelDrawnHow() string {
	how := fmt.Sprintf("'loadstone fit LOG --site-replicates %d'", moreSiteDraws)
	if i := l.fitted.Site.Intervals; i != nil {
		return fmt.Sprintf("The 95 %% intervals are from %d resamples of the log's %s, each refitted. They show how much the parameters vary among weeks like these, whether or not the distributions fit. Maxima have none. %s draws more.", i.Replicates, present.Weeks(i), how)
	}
	why := "The model's other parameters have no intervals here; " + how + " draws them from the log's weeks."
	if w := l.fitted.WhyNoIntervals; w != "" {
		why = "The model's other parameters have none: " + w + "."
	}
	return l.drawnHow() + " " + why
}

// moreSiteDraws is what people are told to ask for.
const moreSiteDraws = 999
