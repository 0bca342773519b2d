package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/cmd/internal/figure"
	"github.com/loadstone-hpc/loadstone/cmd/internal/page"
	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/internal/words"
)

// waitKinds are the waits that are predicted, the log's first, as captions name them.
var waitKinds = []struct{ waits, words string }{
	{evaluate.LogWaits, "the log's waits"},
	{evaluate.QueueWaits, "waits in a simulated queue, first come, first served"},
	{evaluate.EASYWaits, "waits in a simulated queue under EASY backfilling"},
	{evaluate.HeadWaits, "waits at the head of a simulated queue, first come, first served"},
}

// waitTables have the scores on one kind of waits: bounds, then point predictions.
func (l *Report) waitTables(waits, words string) []page.Block {
	caption := "Upper bounds on " + words
	if waits == evaluate.LogWaits {
		caption = fmt.Sprintf("Upper bounds for %g %% of %s, with %g %% confidence", 100*l.waited.Quantile, words, 100*l.waited.Confidence)
	}
	bounds := page.Table{Caption: caption, Head: []string{"predictor", "jobs", "bounded", "covered", "95 % from", "to", "mean accuracy", "median of bound over wait"}}
	points := page.Table{Caption: "Point predictions of " + words, Head: []string{"predictor", "jobs", "predicted", "mean accuracy", "95 % from", "to", "correlation of logarithms", "too short", "too long", "mean error"}}
	for _, s := range l.waited.Scores {
		if s.Waits != waits {
			continue
		}
		head := []page.Cell{textCell(s.Predictor), countCell(s.Jobs), countCell(s.Predicted)}
		if s.Bound {
			bounds.Rows = append(bounds.Rows, append(head, shareCell(s.Coverage), shareCell(s.CoverageLow), shareCell(s.CoverageHigh), fixedCell(s.AccuracyMean, 3), sigCell(s.TightnessMedian)))
		} else {
			points.Rows = append(points.Rows, append(head, fixedCell(s.AccuracyMean, 3), fixedCell(s.AccuracyLow, 3), fixedCell(s.AccuracyHigh, 3),
				fixedCell(s.CorrelationLog, 3), percentCell(s.UnderPct), percentCell(s.OverPct), minutesCell(s.AbsoluteErrorMean)))
		}
	}
	var blocks []page.Block
	for _, t := range []page.Table{bounds, points} {
		if len(t.Rows) > 0 {
			blocks = append(blocks, tableOf(t))
		}
	}
	return blocks
}

func (l *Report) waits() []page.Block {
	if l.waited == nil {
		return missing(l.why[Waits])
	}
	js := l.waited
	var blocks []page.Block
	if js.FirstJobs > 0 {
		blocks = append(blocks, remark("warning", fmt.Sprintf("The log is large: predictors of wait are scored on the first %s of its %s jobs only. --predict-jobs sets how many.", present.Grouped(int64(js.FirstJobs)), present.Grouped(l.describe.Jobs))))
	}
	if !l.boundsOfLog() {
		blocks = append(blocks, remark("missing", "The log has no waiting times to test bounds on. 'loadstone simulate' adds simulated ones."))
	}
	blocks = append(blocks, l.coverage()...)
	own, simulated := waitKinds[0], waitKinds[1:]
	if tables := l.waitTables(own.waits, own.words); len(tables) > 0 {
		blocks = append(append(blocks, tables...), paragraph("conformal, which learns its bounds from the state of the queue, is not scored here because it takes long: 'loadstone predict --predictors conformal' scores it."))
	}
	blocks = append(blocks, l.kept("wait-coverage", page.Figure{Caption: "Coverage over time", Table: l.coverageTable(),
		Alt: fmt.Sprintf("Share of the waits that each bound covered, over time, with the target of %g %%.", 100*js.Quantile)})...)
	blocks = append(blocks, l.burst("wait-burst", evaluate.LogWaits, "the log's waits and the bounds")...)
	blocks = append(blocks, l.scatters("bmbp")...)
	if js.Processors != nil {
		blocks = append(blocks, paragraph("Simulated queues run the log's jobs on %s processors. They score the predictors, not the site's own scheduler.", present.Grouped(*js.Processors)))
	}
	for _, k := range simulated {
		blocks = append(blocks, l.waitTables(k.waits, k.words)...)
	}
	blocks = append(blocks, l.scatters("downey-a", "simulated")...)
	return append(blocks, l.burst("wait-burst-simulated", evaluate.QueueWaits, "waits on the simulated queue and their predictions")...)
}

// burst is the waits of the jobs that one user submitted in a row.
func (l *Report) burst(name, waits, what string) []page.Block {
	const most = 40 // rows
	f := page.Figure{Caption: "A burst of one user's jobs: " + what, Alt: "Waits of the jobs of a burst, by their order: " + what + ".",
		Table: &page.Table{Caption: "The numbers", Head: []string{"job of the burst"}, Folded: true}}
	at := slices.IndexFunc(l.waited.Bursts, func(b evaluate.WaitsBurst) bool { return b.Waits == waits })
	if at >= 0 && len(l.waited.Bursts[at].Lines) > 0 {
		lines := l.waited.Bursts[at].Lines
		jobs := len(lines[0].Seconds)
		step := (jobs + most - 1) / most
		f.Alt += burstWords(lines)
		for _, line := range lines {
			f.Table.Head = append(f.Table.Head, line.Name)
		}
		for k := 0; k < jobs; k += step {
			row := []page.Cell{countCell(k + 1)}
			for _, line := range lines {
				row = append(row, timeCell(line.Seconds[k]))
			}
			f.Table.Rows = append(f.Table.Rows, row)
		}
		if step > 1 {
			f.Table.Caption = fmt.Sprintf("The numbers of one job in %d", step)
		}
	}
	return l.kept(name, f)
}

// burstWords say between what the lines of a burst lie; the first are the waits.
func burstWords(lines []evaluate.BurstLine) string {
	var all []string
	for _, line := range lines {
		known := slices.DeleteFunc(slices.Clone(line.Seconds), math.IsNaN)
		if len(known) > 0 {
			texts := timeTexts(slices.Min(known), slices.Max(known))
			all = append(all, fmt.Sprintf("%s %s to %s", line.Name, texts[0], texts[1]))
		}
	}
	return fmt.Sprintf(" Over its %s: %s.", countedText(int64(len(lines[0].Seconds)), "job"), strings.Join(all, ", "))
}

// boundsOfLog says whether the log's own waits were bounded.
func (l *Report) boundsOfLog() bool {
	return slices.ContainsFunc(l.waited.Scores, func(s evaluate.WaitScore) bool { return s.Waits == evaluate.LogWaits })
}

// coverage says, of each bound, whether it held.
func (l *Report) coverage() []page.Block {
	var blocks []page.Block
	asked, over := l.waited.Quantile, "all"
	if n := l.waited.FirstJobs; n > 0 {
		over = "the first " + present.Grouped(int64(n))
	}
	for _, s := range l.waited.Scores {
		if !s.Bound || !present.Known(s.Coverage) || s.Waits != evaluate.LogWaits {
			continue
		}
		kind, verdict := verdictOn(s, asked)
		blocks = append(blocks, remark(kind, fmt.Sprintf("Over %s jobs, %s covers %s %% of the waits%s%s; the target is %g %%. %s", over, s.Predictor, present.Fixed(100*float64(s.Coverage), 1), coverageInterval(s), l.worstStretch(s, asked), 100*asked, verdict)))
	}
	return blocks
}

// worstStretch says when a bound covered least, "" where it never covered less than asked.
func (l *Report) worstStretch(s evaluate.WaitScore, asked float64) string {
	c := &l.waited.Coverage
	at := slices.IndexFunc(c.Bounds, func(b evaluate.BoundCoverage) bool { return b.Predictor == s.Predictor && b.Waits == s.Waits })
	if at < 0 {
		return ""
	}
	b, worst := c.Bounds[at], -1
	for i, share := range b.Share {
		if share < asked && (worst < 0 || share < b.Share[worst]) {
			worst = i
		}
	}
	if worst < 0 || percentText(b.Share[worst]) == percentText(asked) {
		return ""
	}
	stretch := c.Block
	if c.Merged > 1 {
		stretch = words.Counted(c.Merged, c.Block)
	}
	return fmt.Sprintf(", but only %s in the worst %s, from %s", percentText(b.Share[worst]), stretch, l.date(b.From[worst]))
}

// wideBound is the median of bound over wait from which on a bound says little: of a wait of an
// hour, that it is below ten.
const wideBound = 10

// verdictOn says whether a bound kept what it promised: one that falls short by less
// than the interval of its coverage may have had bad luck.
func verdictOn(s evaluate.WaitScore, asked float64) (kind, verdict string) {
	switch {
	case float64(s.Coverage) >= asked && s.TightnessMedian >= wideBound:
		return "missing", fmt.Sprintf("The bound holds, but it is wide: for half of the jobs that waited it is %s times the wait or more.", present.Fixed(s.TightnessMedian, 0))
	case float64(s.Coverage) >= asked:
		return "good", "The bound holds."
	case present.Known(s.CoverageHigh) && float64(s.CoverageHigh) >= asked:
		return "warning", "The interval includes the target: the shortfall may be chance."
	}
	return "warning", "The bound does not hold."
}

func coverageInterval(s evaluate.WaitScore) string {
	if !present.Known(s.CoverageLow) || !present.Known(s.CoverageHigh) {
		return ""
	}
	return fmt.Sprintf(" (95 %% interval %s to %s %%)", present.Fixed(100*float64(s.CoverageLow), 1), present.Fixed(100*float64(s.CoverageHigh), 1))
}

// coverageTable is the coverage over time.
func (l *Report) coverageTable() *page.Table {
	all := l.waited.Coverage.Bounds
	t := page.Table{Caption: "The numbers", Head: []string{"from"}, Folded: true}
	clock := l.describe.Clock
	rows := map[float64][]page.Cell{}
	var starts []float64
	for i, c := range all {
		t.Head = append(t.Head, figure.BoundName(c))
		for k, from := range c.From {
			if rows[from] == nil {
				starts = append(starts, from)
				rows[from] = []page.Cell{textCell(present.Moment(clock, from))}
				for range all {
					rows[from] = append(rows[from], textCell("–"))
				}
			}
			rows[from][i+1] = shareCell(c.Share[k])
		}
	}
	slices.Sort(starts)
	for _, from := range starts {
		t.Rows = append(t.Rows, rows[from])
	}
	return &t
}
