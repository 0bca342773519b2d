package tables

import (
	"fmt"
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/stats"
)

// ArrivalColumns are the columns of the scores of all predictors on the same jobs.
func ArrivalColumns() []present.Column[evaluate.ArrivalScore] {
	type row = evaluate.ArrivalScore
	number := func(name, heading string, of func(row) stats.Number, short func(float64) string) present.Column[row] {
		return present.Float(name, heading, of, short)
	}
	percent := func(x float64) string { return present.Percent(100 * x) }
	return []present.Column[row]{
		present.Text("predictor", "predictor", func(s row) string { return s.Predictor }),
		present.Count("jobs", "", func(s row) int { return s.Jobs }),
		present.Count("predicted", "predicted", func(s row) int { return s.Predicted }),
		present.Count("bounded", "", func(s row) int { return s.Bounded }),
		number("coverage", "covered", func(s row) stats.Number { return s.Coverage }, percent),
		number("coverage_nonzero", "of waits > 0", func(s row) stats.Number { return s.NonZeroCoverage }, percent),
		number("coverage_worst_weeks", "worst weeks", func(s row) stats.Number { return s.WorstWeeks }, percent),
		present.Count("weeks", "", func(s row) int { return s.Weeks }),
		present.Count("weak_weeks", "", func(s row) int { return s.WeakWeeks }),
		number("coverage_worst_class", "worst class", func(s row) stats.Number { return s.WorstClass }, percent),
		present.Text("worst_class", "", func(s row) string { return s.WorstClassName }),
		number("coverage_bursts", "bursts", func(s row) stats.Number { return s.BurstCoverage }, percent),
		number("pinball_loss_min", "", func(s row) stats.Number { return s.QuantileLoss }, nil),
		present.Time("pinball_loss_common_min", "pinball loss", func(s row) stats.Number { return s.CommonLoss }, minute),
		present.Time("interval_score_min", "interval score", func(s row) stats.Number { return s.IntervalScore }, minute),
		present.Time("bound_mean_min", "mean bound", func(s row) stats.Number { return s.BoundMean }, minute),
		present.Time("bound_median_min", "median", func(s row) stats.Number { return s.BoundMedian }, minute),
		present.Time("crps_min", "CRPS", func(s row) stats.Number { return s.CRPS }, minute),
		number("accuracy_mean", "accuracy", func(s row) stats.Number { return s.AccuracyMean }, decimals(4)),
		present.Time("absolute_error_mean_min", "abs. error", func(s row) stats.Number { return s.AbsoluteErrorMean }, minute),
		number("absolute_error_median_min", "", func(s row) stats.Number { return s.AbsoluteErrorMedian }, nil),
		number("correlation_log", "correlation of logs", func(s row) stats.Number { return s.CorrelationLog }, decimals(3)),
	}
}

// arrivalsTitle describes the sample.
func arrivalsTitle(a *evaluate.ArrivalScores) string {
	title := fmt.Sprintf("%d of %d jobs, each at its submission, on the log's own waits", a.Jobs, a.Of)
	if a.Policy != "" {
		title += fmt.Sprintf("; schedules under %s", a.Policy)
	}
	if a.Policy != "" && a.Processors != nil {
		title += fmt.Sprintf(" on %d processors", *a.Processors)
	}
	return title
}

// arrivalsLegend says what the headings that a table has mean.
func arrivalsLegend(head []string) []string {
	var legend []string
	for _, x := range [][2]string{
		{"of waits > 0", "of waits > 0: share covered of the jobs that did not start at once; worst weeks: of the stretch of weeks with the lowest"},
		{"worst class", "worst class: of the class with the lowest; bursts: of jobs that follow another of their user within five minutes"},
		{"pinball loss", "pinball loss, interval score: mean cost of bounds that are too low or too high, smaller is better; median: of the bounds"},
		{"CRPS", "CRPS: error of a whole distribution, smaller is better; that of a single prediction is its absolute error"},
	} {
		if slices.Contains(head, x[0]) {
			legend = append(legend, x[1])
		}
	}
	return legend
}

// sampleWaits is what the CSV has for the waits of a sample of the log's jobs.
const sampleWaits = "log-sample"

// waitLine is a line of the CSV: a score of its own, or one on the sample.
type waitLine struct {
	evaluate.WaitScore
	arrival evaluate.ArrivalScore
}

// waitsCSV has the scores on the sample, where there is one, below the others, and
// what only they have in columns behind theirs.
func waitsCSV(columns []present.Column[evaluate.WaitScore], r *evaluate.WaitsResult) present.Table {
	if r.Arrivals == nil {
		return present.CSV(columns, r.Scores)
	}
	none := stats.Number(math.NaN())
	empty := evaluate.ArrivalScore{ForecastScore: score.Forecasts(nil, nil, r.Quantile, nil)}
	var lines []waitLine
	for _, s := range r.Scores {
		lines = append(lines, waitLine{s, empty})
	}
	for _, a := range r.Arrivals.Scores {
		s := evaluate.WaitScore{
			Predictor: a.Predictor, Waits: sampleWaits,
			AccuracyLow: none, AccuracyHigh: none, CoverageLow: none, CoverageHigh: none, CorrelationLogLow: none, CorrelationLogHigh: none,
			WaitPoints: score.WaitPoints{
				Jobs: a.Jobs, Predicted: a.Predicted, Coverage: a.Coverage, NonZeroCoverage: a.NonZeroCoverage,
				AccuracyMean: a.AccuracyMean, AbsoluteErrorMean: a.AbsoluteErrorMean, UnderPct: none, PerfectPct: none, OverPct: none,
			},
			BoundLoss: score.BoundLoss{QuantileLoss: a.QuantileLoss, BoundMedian: a.BoundMedian},
			LogFit:    score.LogFit{CorrelationLog: a.CorrelationLog, BiasSlope: none, BiasIntercept: none},
		}
		lines = append(lines, waitLine{s, a})
	}
	var all []present.Column[waitLine]
	known := map[string]bool{}
	for _, c := range columns {
		known[c.Name] = true
		all = append(all, present.Of(c, func(l waitLine) evaluate.WaitScore { return l.WaitScore }))
	}
	for _, c := range ArrivalColumns() {
		if !known[c.Name] {
			all = append(all, present.Of(c, func(l waitLine) evaluate.ArrivalScore { return l.arrival }))
		}
	}
	return present.CSV(all, lines)
}
