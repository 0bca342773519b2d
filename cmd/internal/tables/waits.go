package tables

import (
	"fmt"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/cmd/internal/view"
	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/stats"
)

// covered is for people: only a bound covers; "predicted" says how many a
// predictor had an answer for.
func covered(bound bool, share stats.Number) string {
	if !bound {
		return "-"
	}
	return view.Percent(100 * float64(share))
}

// Waits is the result in its three forms. processors are those that the
// user gave each site.
func Waits(r *evaluate.WaitsResult, processors int64) view.Result {
	csv := []any{r.Scores}
	if r.Arrivals != nil {
		csv = append(csv, sampled(r.Arrivals))
	}
	return view.Result{Text: func(w *view.Screen) { writeWaits(w, r, processors) }, JSON: r, CSV: view.CSV(csv...)}
}

// writeWaits is the tables for people.
func writeWaits(w *view.Screen, r *evaluate.WaitsResult, processors int64) {
	if line := machineText(r, processors); line != "" {
		w.Printf("simulated queue: %s\n\n", line)
	}
	blocks := byWaits(r.Scores)
	var parts []view.Table
	for i, block := range blocks {
		if i > 0 {
			w.Printf("\n")
		}
		w.Printf("%s\n", waitsTitle(block[0].Waits))
		covering := view.Cell[evaluate.WaitScore]{After: "predicted", Heading: "covered", Text: func(s evaluate.WaitScore) string { return covered(s.Bound, s.Coverage) }}
		w.Table(view.For(block).With(covering).Without(saysLittle(block)...).Table())
		if best := bestWaits(block); best != "" {
			w.Printf("%s\n", best)
		}
		if slices.ContainsFunc(block, func(s evaluate.WaitScore) bool { return len(s.Parts) > 0 }) {
			parts = append(parts, waitParts(block))
		}
	}
	if len(parts) > 0 {
		w.Printf("\n")
	}
	w.Tables(parts...)
	if len(r.Scores) > 0 {
		writeLegend(w, waitLegend(r, len(blocks))...)
	}
	if a := r.Arrivals; a != nil {
		if len(blocks) > 0 {
			w.Printf("\n")
		}
		w.Printf("%s\n\n", arrivalsTitle(a))
		t := view.For(a.Scores).Table()
		w.Table(t)
		writeLegend(w, arrivalsLegend(t.Head)...)
	}
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

// saysLittle are headings that people do not miss: how near a bound is to the wait says
// little of it, so that where all are bounds, those columns are for programs.
func saysLittle(block []evaluate.WaitScore) []string {
	if slices.ContainsFunc(block, func(s evaluate.WaitScore) bool { return !s.Bound }) {
		return nil
	}
	return []string{"accuracy", "mean abs. error", "under"}
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
		share := view.Level(r.Quantile)
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
	case l != nil && view.Known(l.TMin):
		return fmt.Sprintf("; lifetimes: %s from %s to %s", l.Family, view.Duration(l.TMin), view.Duration(l.TMax))
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

// waitPart is a row of the table of parts.
type waitPart struct {
	bound     bool
	Part      string `show:"part"`
	Predictor string `show:"predictor"`
	evaluate.WaitsPart
}

// waitParts is the scores by parts on one kind of waits, for people.
func waitParts(scores []evaluate.WaitScore) view.Table {
	var rows []waitPart
	for _, s := range scores {
		for _, p := range s.Parts {
			rows = append(rows, waitPart{s.Bound, p.By + " " + p.Part, s.Predictor, p})
		}
	}
	covering := view.Cell[waitPart]{After: "predicted", Heading: "covered", Text: func(r waitPart) string { return covered(r.bound, r.Coverage) }}
	return view.For(rows).With(covering).Without(saysLittle(scores)...).Table()
}
