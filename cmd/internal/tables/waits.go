package tables

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/stats"
)

// WaitColumns are the columns of scores of wait predictors. With same, people
// see the correlation with the parameters of the same interval.
func WaitColumns(same bool) []present.Column[evaluate.WaitScore] {
	type row = evaluate.WaitScore
	number := func(name, heading string, of func(row) stats.Number, short func(float64) string) present.Column[row] {
		return present.Float(name, heading, of, short)
	}
	all := []present.Column[row]{
		present.Text("predictor", "predictor", func(s row) string { return s.Predictor }),
		present.Text("waits", "waits", func(s row) string { return s.Waits }),
		present.Count("jobs", "jobs", func(s row) int { return s.Jobs }),
		present.Count("predicted", "predicted", func(s row) int { return s.Predicted }),
		present.Text("", "covered", func(s row) string { return covered(s.Bound, s.Coverage) }),
		number("coverage", "", func(s row) stats.Number { return s.Coverage }, nil),
		number("coverage_nonzero", "", func(s row) stats.Number { return s.NonZeroCoverage }, nil),
		number("accuracy_mean", "accuracy", func(s row) stats.Number { return s.AccuracyMean }, decimals(4)),
		number("absolute_error_mean_min", "mean abs. error", func(s row) stats.Number { return s.AbsoluteErrorMean }, minutes),
		number("under_pct", "under", func(s row) stats.Number { return s.UnderPct }, present.Percent),
		number("perfect_pct", "perfect", func(s row) stats.Number { return s.PerfectPct }, present.Percent),
		number("over_pct", "over", func(s row) stats.Number { return s.OverPct }, present.Percent),
		number("correlation_log", "correlation of logs", func(s row) stats.Number { return s.CorrelationLog }, decimals(3)),
		number("bias_slope", "", func(s row) stats.Number { return s.BiasSlope }, nil),
		number("bias_intercept", "", func(s row) stats.Number { return s.BiasIntercept }, nil),
		number("accuracy_low", "", func(s row) stats.Number { return s.AccuracyLow }, nil),
		number("accuracy_high", "", func(s row) stats.Number { return s.AccuracyHigh }, nil),
		number("coverage_low", "", func(s row) stats.Number { return s.CoverageLow }, nil),
		number("coverage_high", "", func(s row) stats.Number { return s.CoverageHigh }, nil),
		number("correlation_log_low", "", func(s row) stats.Number { return s.CorrelationLogLow }, nil),
		number("correlation_log_high", "", func(s row) stats.Number { return s.CorrelationLogHigh }, nil),
		number("pinball_loss_min", "pinball loss", func(s row) stats.Number { return s.QuantileLoss }, minutes),
		number("bound_median_min", "median bound", func(s row) stats.Number { return s.BoundMedian }, minutes),
	}
	if same {
		all = append(all,
			number("", "same interval", func(s row) stats.Number { return orNone(s.SameCorrelationLog) }, decimals(3)),
			number("", "loss", func(s row) stats.Number { return orNone(s.CorrelationLogLoss) }, decimals(3)))
	}
	return all
}

// covered is for people: only a bound covers; "predicted" says how many a
// predictor had an answer for.
func covered(bound bool, share stats.Number) string {
	if !bound {
		return "-"
	}
	return present.Percent(100 * float64(share))
}

func decimals(n int) func(float64) string {
	return func(x float64) string { return present.Fixed(x, n) }
}

func orNone(x *stats.Number) stats.Number {
	if x == nil {
		return stats.Number(math.NaN())
	}
	return *x
}

// Waits is the result in its three forms. processors are those that the
// user gave each site.
func Waits(r *evaluate.WaitsResult, processors int64) present.Result {
	columns := WaitColumns(slices.ContainsFunc(r.Scores, func(s evaluate.WaitScore) bool { return s.SameCorrelationLog != nil }))
	text := func(w *present.Screen) {
		if line := machineText(r, processors); line != "" {
			w.Printf("%s\n\n", line)
		}
		var tables []present.Table
		if len(r.Scores) > 0 {
			tables = append(tables, present.People(columns, r.Scores))
		}
		if len(r.Calibration) > 0 {
			tables = append(tables, calibrationTable(r.Calibration))
		}
		if slices.ContainsFunc(r.Scores, func(s evaluate.WaitScore) bool { return len(s.Parts) > 0 }) {
			tables = append(tables, waitParts(r.Scores))
		}
		w.Tables(tables...)
		if len(r.Scores) > 0 {
			writeLegend(w, waitLegend(r)...)
		}
		if a := r.Arrivals; a != nil {
			if len(tables) > 0 {
				w.Printf("\n")
			}
			w.Printf("%s\n\n", arrivalsTitle(a))
			w.Table(present.People(ArrivalColumns(), a.Scores).WithoutEmpty("-"))
		}
	}
	return present.Result{Text: text, JSON: r, CSV: waitsCSV(columns, r)}
}

// waitLegend says what the headings mean.
func waitLegend(r *evaluate.WaitsResult) []string {
	legend := []string{"waits: those in the log, or of a simulated queue (fcfs: first come, first served; head: at its head only)"}
	if slices.ContainsFunc(r.Scores, func(s evaluate.WaitScore) bool { return s.Bound }) {
		legend = append(legend, "covered: share of waits not above the bound; pinball loss: error of the bound, smaller is better")
	}
	return append(legend,
		"accuracy: mean of the smaller of predicted and actual wait over the larger, 0 to 1 (perfect)",
		"under, over: shares of predictions below and above the wait; correlation of logs: of predicted and actual waits")
}

// machineText says what was simulated, "" where nothing was.
func machineText(r *evaluate.WaitsResult, processors int64) string {
	policies := policiesOf(r)
	switch {
	case r.Processors != nil:
		return fmt.Sprintf("%s%s on %d processors", lifetimesText(r), policies, *r.Processors)
	case r.Sites == nil || policies == "":
		return ""
	case len(r.Sites) == 0:
		return fmt.Sprintf("%s on %d processors a site", policies, processors)
	case processors > 0:
		return fmt.Sprintf("%s on the sites %s and others of %d processors", policies, SiteSizes(r.Sites), processors)
	}
	return policies + " on the sites " + SiteSizes(r.Sites)
}

// lifetimesText begins a line with the law of the lifetimes, where there is one.
func lifetimesText(r *evaluate.WaitsResult) string {
	switch l := r.Lifetimes; {
	case l != nil && present.Known(l.TMin):
		return fmt.Sprintf("lifetimes: %s from %s s to %s s; ", l.Family, present.Sig(float64(l.TMin)), present.Sig(float64(l.TMax)))
	case l != nil:
		return "lifetimes: " + l.Family + "; "
	case r.Needed != nil:
		return "lifetimes: " + r.Options.Law + " of the interval before; "
	}
	return ""
}

// policiesOf are those of the simulated queues.
func policiesOf(r *evaluate.WaitsResult) string {
	var names []string
	for _, s := range r.Scores {
		name := evaluate.PolicyOf(s.Waits)
		if name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return strings.Join(names, " and ")
}

func calibrationTable(all []evaluate.WaitsCalibration) present.Table {
	t := present.Table{Head: []string{"asked for"}}
	for _, c := range all {
		t.Head = append(t.Head, c.Predictor)
	}
	for i, p := range all[0].Curve {
		row := []string{present.Percent(100 * p.Asked)}
		for _, c := range all {
			row = append(row, present.Percent(100*float64(c.Curve[i].Achieved)))
		}
		t.Add(row...)
	}
	return t
}

// waitParts is the scores by parts, for people.
func waitParts(scores []evaluate.WaitScore) present.Table {
	type row struct {
		of *evaluate.WaitScore
		evaluate.WaitsPart
	}
	var rows []row
	for i := range scores {
		for _, p := range scores[i].Parts {
			rows = append(rows, row{&scores[i], p})
		}
	}
	return present.People([]present.Column[row]{
		present.Text("", "part", func(r row) string { return r.By + " " + r.Part }),
		present.Count("", "jobs", func(r row) int { return r.Jobs }),
		present.Text("", "predictor", func(r row) string { return r.of.Predictor }),
		present.Count("", "predicted", func(r row) int { return r.Predicted }),
		present.Text("", "covered", func(r row) string { return covered(r.of.Bound, r.Coverage) }),
		present.Float("", "accuracy", func(r row) stats.Number { return r.AccuracyMean }, decimals(4)),
		present.Float("", "mean abs. error", func(r row) stats.Number { return r.AbsoluteErrorMean }, minutes),
		present.Float("", "correlation of logs", func(r row) stats.Number { return r.CorrelationLog }, decimals(3)),
	}, rows)
}

// minutes is a time for people, "-" where it has no meaning.
func minutes(x float64) string {
	if s := present.Sig(x); s != "-" {
		return s + " min"
	}
	return "-"
}
