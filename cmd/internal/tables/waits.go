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
		present.Text("waits", "", func(s row) string { return s.Waits }),
		present.Count("jobs", "jobs", func(s row) int { return s.Jobs }),
		present.Count("predicted", "predicted", func(s row) int { return s.Predicted }),
		present.Text("", "covered", func(s row) string { return covered(s.Bound, s.Coverage) }),
		number("coverage", "", func(s row) stats.Number { return s.Coverage }, nil),
		number("coverage_nonzero", "", func(s row) stats.Number { return s.NonZeroCoverage }, nil),
		number("accuracy_mean", "accuracy", func(s row) stats.Number { return s.AccuracyMean }, decimals(4)),
		present.Time("absolute_error_mean_min", "mean abs. error", func(s row) stats.Number { return s.AbsoluteErrorMean }, minute),
		number("under_pct", "under", func(s row) stats.Number { return s.UnderPct }, present.Percent),
		number("perfect_pct", "", func(s row) stats.Number { return s.PerfectPct }, nil),
		number("over_pct", "", func(s row) stats.Number { return s.OverPct }, nil),
		number("correlation_log", "correlation of logs", func(s row) stats.Number { return s.CorrelationLog }, decimals(3)),
		number("bias_slope", "", func(s row) stats.Number { return s.BiasSlope }, nil),
		number("bias_intercept", "", func(s row) stats.Number { return s.BiasIntercept }, nil),
		number("accuracy_low", "", func(s row) stats.Number { return s.AccuracyLow }, nil),
		number("accuracy_high", "", func(s row) stats.Number { return s.AccuracyHigh }, nil),
		number("coverage_low", "", func(s row) stats.Number { return s.CoverageLow }, nil),
		number("coverage_high", "", func(s row) stats.Number { return s.CoverageHigh }, nil),
		number("correlation_log_low", "", func(s row) stats.Number { return s.CorrelationLogLow }, nil),
		number("correlation_log_high", "", func(s row) stats.Number { return s.CorrelationLogHigh }, nil),
		present.Time("pinball_loss_min", "pinball loss", func(s row) stats.Number { return s.QuantileLoss }, minute),
		present.Time("bound_median_min", "median bound", func(s row) stats.Number { return s.BoundMedian }, minute),
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

// Units of times that a result has in seconds and in minutes, in seconds.
const (
	second = 1
	minute = 60
)

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
			w.Printf("simulated queue: %s\n\n", line)
		}
		blocks := byWaits(r.Scores)
		for i, block := range blocks {
			if i > 0 {
				w.Printf("\n")
			}
			w.Printf("%s\n", waitsTitle(block[0].Waits))
			w.Table(ofWaits(block, present.People(columns, block)))
			if best := bestWaits(block); best != "" {
				w.Printf("%s\n", best)
			}
		}
		var tables []present.Table
		for _, block := range blocks {
			if slices.ContainsFunc(block, func(s evaluate.WaitScore) bool { return len(s.Parts) > 0 }) {
				tables = append(tables, waitParts(block))
			}
		}
		if len(blocks) > 0 && len(tables) > 0 {
			w.Printf("\n")
		}
		w.Tables(tables...)
		if len(r.Scores) > 0 {
			writeLegend(w, waitLegend(r, len(blocks))...)
		}
		if a := r.Arrivals; a != nil {
			if len(blocks) > 0 || len(tables) > 0 {
				w.Printf("\n")
			}
			w.Printf("%s\n\n", arrivalsTitle(a))
			t := present.People(ArrivalColumns(), a.Scores).WithoutEmpty("-")
			w.Table(t)
			writeLegend(w, arrivalsLegend(t.Head)...)
		}
	}
	return present.Result{Text: text, JSON: r, CSV: waitsCSV(columns, r)}
}

// byWaits returns the scores in parts that are on the same kind of waits: first those
// on the log's, which are what happened, then those on simulated ones.
func byWaits(scores []evaluate.WaitScore) [][]evaluate.WaitScore {
	var blocks [][]evaluate.WaitScore
	kinds := []string{evaluate.LogWaits, evaluate.QueueWaits, evaluate.EASYWaits, evaluate.HeadWaits}
	for _, s := range scores {
		if !slices.Contains(kinds, s.Waits) {
			kinds = append(kinds, s.Waits)
		}
	}
	for _, kind := range kinds {
		var block []evaluate.WaitScore
		for _, s := range scores {
			if s.Waits == kind {
				block = append(block, s)
			}
		}
		if len(block) > 0 {
			blocks = append(blocks, block)
		}
	}
	return blocks
}

// waitsTitle says which waits the scores below it are on.
func waitsTitle(waits string) string {
	switch waits {
	case evaluate.QueueWaits:
		return "Waits in a simulated queue, first come, first served"
	case evaluate.EASYWaits:
		return "Waits in a simulated queue under EASY backfilling"
	case evaluate.HeadWaits:
		return "Waits at the head of a simulated queue, first come, first served"
	case evaluate.LogWaits:
		return "Waits in the log"
	}
	return "Waits: " + waits
}

// ofWaits returns a table of scores on one kind of waits without what their predictors do
// not have. How near a bound is to the wait says little of it: where all are bounds,
// those columns are for programs.
func ofWaits(block []evaluate.WaitScore, t present.Table) present.Table {
	bounds := !slices.ContainsFunc(block, func(s evaluate.WaitScore) bool { return !s.Bound })
	for _, name := range t.Head {
		if t = t.Without(name, "-"); bounds && slices.Contains([]string{"accuracy", "mean abs. error", "under"}, name) {
			t = t.Dropped(name)
		}
	}
	return t
}

// bestWaits names the best of two or more bounds, by their loss, and of two or more
// predictions of the wait itself, by their accuracy; "" without either.
func bestWaits(block []evaluate.WaitScore) string {
	of := func(what string, bound bool, better func(a, b evaluate.WaitScore) bool) string {
		n, best, others := 0, evaluate.WaitScore{}, ""
		for _, s := range block {
			if s.Bound != bound || s.Predicted == 0 {
				continue
			}
			if n++; n > 1 && s.Predicted != best.Predicted {
				others = " (each on the jobs that it predicted, which differ)"
			}
			if n == 1 || better(s, best) {
				best = s
			}
		}
		if n < 2 {
			return ""
		}
		return what + ": " + best.Predictor + others
	}
	if slices.ContainsFunc(block, namesQuantile) { // whose losses do not compare
		return ""
	}
	all := []string{
		of("smallest pinball loss", true, func(a, b evaluate.WaitScore) bool { return a.QuantileLoss < b.QuantileLoss }),
		of("highest accuracy", false, func(a, b evaluate.WaitScore) bool { return a.AccuracyMean > b.AccuracyMean }),
	}
	return strings.Join(slices.DeleteFunc(all, func(s string) bool { return s == "" }), "; ")
}

// namesQuantile says whether the name of a bound has its quantile, as in a store of
// answers: "bmbp@0.95". Bounds of others have the one that was asked for.
func namesQuantile(s evaluate.WaitScore) bool { return strings.Contains(s.Predictor, "@") }

// waitLegend says what the headings mean.
func waitLegend(r *evaluate.WaitsResult, blocks int) []string {
	any := func(is func(evaluate.WaitScore) bool) bool { return slices.ContainsFunc(r.Scores, is) }
	bound := func(s evaluate.WaitScore) bool { return s.Bound }
	point := func(s evaluate.WaitScore) bool { return !s.Bound }
	var legend []string
	if blocks > 1 {
		legend = append(legend, "Compare predictors within a table only: each table is of different waits.")
	}
	if any(func(s evaluate.WaitScore) bool { return s.Waits == evaluate.HeadWaits }) {
		legend = append(legend, "at the head: from becoming the first of the queue to the start")
	}
	if any(func(s evaluate.WaitScore) bool { return s.Waits == evaluate.LogWaits }) && !any(namesQuantile) {
		legend = append(legend, "jobs: those scored; of the waits in the log, the first tenth only trains")
	}
	if any(bound) {
		share := percentShort(r.Quantile)
		if any(namesQuantile) {
			share = "the share in its name (@0.95: 95%)"
		}
		legend = append(legend, "covered: share of waits not above the bound; a good bound covers at least "+share+", and little more",
			"pinball loss: mean cost of bounds too low or too high, less is better; median bound: half are lower")
	}
	if any(point) {
		legend = append(legend, "accuracy: mean of the smaller of predicted and actual wait over the larger, 0 to 1 (perfect)",
			"mean abs. error: mean of how far the prediction is from the wait; under: share of predictions below the wait",
			"correlation of logs: of the logarithms of predicted and actual waits, up to 1 (perfect)")
	}
	if any(func(s evaluate.WaitScore) bool { return s.SameCorrelationLog != nil }) {
		legend = append(legend, "same interval: that correlation with the lifetimes of the same interval, not the one before; loss: how much higher it is")
	}
	return legend
}

// machineText says what was simulated, "" where nothing was.
func machineText(r *evaluate.WaitsResult, processors int64) string {
	policies := policiesOf(r)
	switch {
	case r.Processors != nil:
		return fmt.Sprintf("%s on %d processors%s", policies, *r.Processors, lifetimesText(r))
	case r.Sites == nil || policies == "":
		return ""
	case len(r.Sites) == 0:
		return fmt.Sprintf("%s on %d processors a site", policies, processors)
	case processors > 0:
		return fmt.Sprintf("%s on the sites %s and others of %d processors", policies, SiteSizes(r.Sites), processors)
	}
	return policies + " on the sites " + SiteSizes(r.Sites)
}

// lifetimesText ends a line with the law of the lifetimes, where there is one.
func lifetimesText(r *evaluate.WaitsResult) string {
	switch l := r.Lifetimes; {
	case l != nil && present.Known(l.TMin):
		return fmt.Sprintf("; lifetimes: %s from %s to %s", l.Family, present.Duration(l.TMin), present.Duration(l.TMax))
	case l != nil:
		return "; lifetimes: " + l.Family
	case r.Needed != nil:
		return "; lifetimes: " + r.Options.Law + " of the interval before"
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

// waitParts is the scores by parts on one kind of waits, for people.
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
	return ofWaits(scores, present.People([]present.Column[row]{
		present.Text("", "part", func(r row) string { return r.By + " " + r.Part }),
		present.Count("", "jobs", func(r row) int { return r.Jobs }),
		present.Text("", "predictor", func(r row) string { return r.of.Predictor }),
		present.Count("", "predicted", func(r row) int { return r.Predicted }),
		present.Text("", "covered", func(r row) string { return covered(r.of.Bound, r.Coverage) }),
		present.Float("", "accuracy", func(r row) stats.Number { return r.AccuracyMean }, decimals(4)),
		present.Time("", "mean abs. error", func(r row) stats.Number { return r.AbsoluteErrorMean }, minute),
		present.Float("", "under", func(r row) stats.Number { return r.UnderPct }, present.Percent),
		present.Float("", "correlation of logs", func(r row) stats.Number { return r.CorrelationLog }, decimals(3)),
		present.Time("", "pinball loss", func(r row) stats.Number { return r.QuantileLoss }, minute),
		present.Time("", "median bound", func(r row) stats.Number { return r.BoundMedian }, minute),
	}, rows))
}
