package report

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/cmd/internal/figure"
	"github.com/loadstone-hpc/loadstone/cmd/internal/page"
	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/inspect"
)

// measureUse measures how the machine was used.
func (l *logReport) measureUse(ctx context.Context) error {
	return l.withLog(func(log *workload.Log) (err error) {
		l.use, err = inspect.Use(ctx, log, inspect.UsageOptions{Description: l.describe})
		return err
	})
}

// leastPlaced is the share of jobs whose times are known from which on the use of the
// machine is told without a warning.
const leastPlaced = 0.99

// series are the values of each interval, NaN where the log covers less than half of
// it: at its ends an interval may have minutes only.
func (l *logReport) series(of func(inspect.UsageInterval) float64) []float64 {
	var y []float64
	for _, i := range l.use.Intervals {
		v := of(i)
		if i.Covered < l.use.Width/2 {
			v = math.NaN()
		}
		y = append(y, v)
	}
	return y
}

// edges are the ends of the intervals.
func (l *logReport) edges() []float64 {
	var e []float64
	for _, i := range l.use.Intervals {
		e = append(e, float64(i.Start))
	}
	return append(e, float64(l.use.Intervals[len(l.use.Intervals)-1].Start+l.use.Width))
}

const wholeMachine = "the whole machine"

// loadAndUse is how much work came and how much of the machine was busy.
func (l *logReport) loadAndUse() []page.Block {
	if l.use == nil || len(l.use.Intervals) == 0 {
		return missing("No job has a time of submission, so nothing can be shown over time.")
	}
	if !l.describe.Log.Processors.Known() {
		return missing("The log does not say how many processors the machine has, so its load and utilisation are unknown. Give the number with --procs.")
	}
	load := l.series(func(i inspect.UsageInterval) float64 { return float64(i.Load) })
	used := l.series(func(i inspect.UsageInterval) float64 { return float64(i.Utilisation) })
	if !known(load) {
		return missing("No job has both a size and a run time, so the load is unknown.")
	}
	span := present.Span(l.use.Width)
	h := figure.History{Title: "Load and use", Axis: "share of the machine", Edges: l.edges(), Full: wholeMachine}
	alt := fmt.Sprintf("Over the whole log the work submitted is %s of what the machine can do", percentText(float64(l.describe.OfferedLoad)))
	if known(used) {
		h.Lines = append(h.Lines, figure.HistoryLine{Name: "used (utilisation)", Y: used})
		alt += fmt.Sprintf(", and %s of its processor time is used", percentText(float64(l.use.Utilisation)))
	}
	h.Lines = append(h.Lines, figure.HistoryLine{Name: "submitted (offered load)", Y: load})
	high := 0
	for _, x := range load {
		if x > 1 {
			high++
		}
	}
	alt += fmt.Sprintf(". More work was submitted than the machine can do in %s of %s.", highWords(high), l.stretches(len(load)))
	blocks := []page.Block{paragraph("%s", alt)}
	blocks = append(blocks, l.history(page.Figure{ID: "load-and-use", Caption: "Work submitted and processors used, by " + span, Alt: alt, Wide: true, Table: l.useTable()}, h)...)
	switch {
	case !known(used):
		blocks = append(blocks, remark("missing", "The log has no waiting times, so nobody knows when jobs ran: there is no utilisation and no queue."))
	case float64(l.use.Placed) < leastPlaced:
		blocks = append(blocks, remark("warning", fmt.Sprintf("Only %s of the jobs have a known size, wait and run time; the others are not in the utilisation.", percentText(float64(l.use.Placed)))))
	}
	return blocks
}

func highWords(n int) string {
	if n == 0 {
		return "none"
	}
	return present.Grouped(int64(n))
}

// stretches are so many intervals, in words.
func (l *logReport) stretches(n int) string {
	span := present.Span(l.use.Width)
	if strings.Contains(span, " ") {
		return fmt.Sprintf("%s stretches of %s", present.Grouped(int64(n)), span)
	}
	return countedText(int64(n), span)
}

// mostIntervals is how many stretches of time a table lists.
const mostIntervals = 20

// useTable has the stretches of time with the highest loads, or all.
func (l *logReport) useTable() *page.Table {
	all := slices.Clone(l.use.Intervals)
	t := page.Table{Caption: "The numbers", Head: []string{"from", "jobs", "offered load", "utilisation", "jobs waiting", "processors waiting"}, Folded: true}
	if len(all) > 3*mostIntervals {
		all = slices.DeleteFunc(all, func(i inspect.UsageInterval) bool { return !present.Known(i.Load) || i.Covered < l.use.Width/2 })
		slices.SortStableFunc(all, func(a, b inspect.UsageInterval) int { return cmp.Compare(b.Load, a.Load) })
		t.Caption = fmt.Sprintf("The numbers of the highest %d of %d", min(mostIntervals, len(all)), len(l.use.Intervals))
		all = all[:min(mostIntervals, len(all))]
	}
	for _, i := range all {
		t.Rows = append(t.Rows, []page.Cell{textCell(l.date(float64(i.Start))), countCell(i.Jobs), fixedCell(i.Load, 3), fixedCell(i.Utilisation, 3), sigCell(i.JobsWaiting), sigCell(i.ProcessorsWaiting)})
	}
	return &t
}

// queue is how many jobs waited, and for how many processors.
func (l *logReport) queue() []page.Block {
	if l.use == nil || len(l.use.Intervals) == 0 {
		return missing("No job has a time of submission, so nothing can be shown over time.")
	}
	jobs := l.series(func(i inspect.UsageInterval) float64 { return float64(i.JobsWaiting) })
	if !known(jobs) {
		return missing("The log has no waiting times, so the queue is unknown.")
	}
	span := present.Span(l.use.Width)
	var blocks []page.Block
	add := func(id, what, axis string, y []float64) {
		mean := meanOf(y)
		alt := fmt.Sprintf("Mean number of %s in each %s; %s over the stretches shown.", what, span, present.Sig(mean))
		h := figure.History{Title: axis, Axis: axis, Edges: l.edges(), Lines: []figure.HistoryLine{{Name: axis, Y: y}}}
		if h.Top() == 0 {
			blocks = append(blocks, remark("good", "There were never "+what+"."))
			return
		}
		more := l.history(page.Figure{ID: id, Caption: "Mean number of " + what + ", by " + span, Alt: alt, Table: seriesTable(l, axis, y)}, h)
		blocks = append(blocks, more...)
	}
	add("queue-jobs", "jobs waiting", "jobs waiting", jobs)
	if l.describe.Log.Processors.Known() {
		p := float64(l.describe.Log.Processors)
		add("queue-processors", "processors that waiting jobs ask for, as a multiple of the machine's", "times the machine",
			l.series(func(i inspect.UsageInterval) float64 { return float64(i.ProcessorsWaiting) / p }))
	} else {
		add("queue-processors", "processors that waiting jobs ask for", "processors waiting", l.series(func(i inspect.UsageInterval) float64 { return float64(i.ProcessorsWaiting) }))
	}
	// Figures first, so that they stand side by side; what is said of them follows.
	slices.SortStableFunc(blocks, func(a, b page.Block) int { return cmp.Compare(order(a), order(b)) })
	return blocks
}

func order(b page.Block) int {
	if b.Figure != nil {
		return 0
	}
	return 1
}

// seriesTable has the highest values of a series.
func seriesTable(l *logReport, heading string, y []float64) *page.Table {
	t := page.Table{Caption: fmt.Sprintf("The highest %d of %d", min(mostIntervals, len(y)), len(y)), Head: []string{"from", heading}, Folded: true}
	at := make([]int, 0, len(y))
	for i, v := range y {
		if !math.IsNaN(v) {
			at = append(at, i)
		}
	}
	slices.SortStableFunc(at, func(a, b int) int { return cmp.Compare(y[b], y[a]) })
	for _, i := range at[:min(mostIntervals, len(at))] {
		t.Rows = append(t.Rows, []page.Cell{textCell(l.date(float64(l.use.Intervals[i].Start))), sigCell(y[i])})
	}
	return &t
}

// meanOf is the mean of the numbers among the values.
func meanOf(y []float64) float64 {
	sum, n := 0.0, 0.0
	for _, v := range y {
		if !math.IsNaN(v) {
			sum += v
			n++
		}
	}
	return sum / n
}

// percentText is a share of 1 for people.
func percentText(share float64) string {
	if math.IsNaN(share) {
		return "an unknown share"
	}
	return present.Fixed(100*share, 1) + " %"
}
