package live

import (
	"math"

	"github.com/loadstone-hpc/loadstone/live/plan"
	"github.com/loadstone-hpc/loadstone/stats"
)

// forecasts are two expected waits of a pending job, s from its submission; NaN is none.
type forecasts struct {
	at     float64 // s, when they were given
	ours   float64
	theirs float64
	bounds []float64     // s from the submission, by quantile of the plan; nil without a plan
	raw    plan.Forecast // s from at; not corrected
}

// forecastAudit holds expected starts against the starts.
type forecastAudit struct {
	all   forecastTally
	hours hours[forecastTally]
}

// forecastTally is the errors of forecasts, s.
type forecastTally struct {
	jobs, ours, theirs, both int
	errors                   stats.Quantiles // of jobs with a forecast of ours
	oursErrors, theirsErrors stats.Quantiles // of jobs with both
	oursSum, theirsSum       float64         // likewise
}

func (t *forecastTally) add(f *forecasts, wait float64) {
	ours, theirs := math.Abs(f.ours-wait), math.Abs(f.theirs-wait)
	t.jobs++
	if !math.IsNaN(ours) {
		t.ours++
		t.errors.Add(ours)
	}
	if !math.IsNaN(theirs) {
		t.theirs++
	}
	if math.IsNaN(ours) || math.IsNaN(theirs) {
		return
	}
	t.both++
	t.oursErrors.Add(ours)
	t.theirsErrors.Add(theirs)
	t.oursSum, t.theirsSum = t.oursSum+ours, t.theirsSum+theirs
}

// started settles the forecasts of a job that starts at a time; nil is of one that was
// never seen pending.
func (a *forecastAudit) started(now float64, f *forecasts, wait float64) {
	if f == nil {
		return
	}
	a.all.add(f, wait)
	a.hours.at(now, func() *forecastTally { return new(forecastTally) }).add(f, wait)
}

// score returns the scores of the last day, the last week and of all.
func (a *forecastAudit) score(now float64) []ForecastScore {
	var out []ForecastScore
	for _, window := range []struct {
		name  string
		hours int64
	}{{"day", 24}, {"week", hoursKept}} {
		var sum forecastTally
		for _, h := range a.hours.last(now, window.hours) {
			sum.merge(h)
		}
		out = append(out, sum.score(window.name))
	}
	return append(out, a.all.score("all"))
}

func (t *forecastTally) merge(o *forecastTally) {
	t.jobs, t.ours, t.theirs, t.both = t.jobs+o.jobs, t.ours+o.ours, t.theirs+o.theirs, t.both+o.both
	t.errors.Merge(&o.errors)
	t.oursErrors.Merge(&o.oursErrors)
	t.theirsErrors.Merge(&o.theirsErrors)
	t.oursSum, t.theirsSum = t.oursSum+o.oursSum, t.theirsSum+o.theirsSum
}

func (t *forecastTally) score(window string) ForecastScore {
	minutes := func(seconds float64) stats.Number { return stats.Number(seconds / 60) }
	ours, theirs, n := t.oursErrors.Quantile(0.5), t.theirsErrors.Quantile(0.5), float64(t.both)
	return ForecastScore{
		Window: window, Jobs: t.jobs, Ours: t.ours, Theirs: t.theirs, Both: t.both,
		Median: minutes(t.errors.Quantile(0.5)), OursMedian: minutes(ours), TheirsMedian: minutes(theirs),
		OursMean: minutes(t.oursSum / n), TheirsMean: minutes(t.theirsSum / n),
		Ratio: stats.Number(ours / theirs),
	}
}
