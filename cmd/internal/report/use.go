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
func (l *Report) measureUse(ctx context.Context) error {
	return l.withLog(func(log *workload.Log) (err error) {
		l.use, err = inspect.Use(ctx, log, inspect.UsageOptions{Description: l.describe})
		if err == nil && (l.use.Failed == 0 || l.use.Failed == 1) { // a log without outcomes has none to compare
			l.use.Changes = slices.DeleteFunc(l.use.Changes, func(c inspect.Change) bool { return c.Measure == "failed_pct" })
		}
		return err
	})
}

// A log that has more processors busy than mostBusyPct of the machine's for leastBusyShare of
// its time has no load to rely on: a few jobs that overlap for minutes are faults of a clock.
const (
	mostBusyPct    = 110
	leastBusyShare = 0.01
)

// overbooked says how many processors are busy where those are many more than the machine
// has; else "".
func (l *Report) overbooked() string {
	b, d := l.validate.Busy, l.describe
	if b == nil || !d.Log.Processors.Known() || !(float64(b.PeakPct) > mostBusyPct) ||
		!(float64(b.Seconds) >= leastBusyShare*float64(d.Log.LastSubmit-d.Log.FirstSubmit)) {
		return ""
	}
	return fmt.Sprintf("up to %s processors are busy on a machine of %s", present.Grouped(b.Peak), present.Grouped(int64(d.Log.Processors)))
}

// leastPlaced is the share of jobs, or of work, with known times from which on the use of the
// machine is told without a warning.
const leastPlaced = 0.99

// series are the values of each interval, NaN where the log covers less than half of
// it: at its ends an interval may have minutes only.
func (l *Report) series(of func(inspect.UsageInterval) float64) []float64 {
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

// whyNoSeries says why no interval has a value: the log covers none of them by half, or
// what the log lacks.
func (l *Report) whyNoSeries(lacks string) string {
	if slices.ContainsFunc(l.use.Intervals, func(i inspect.UsageInterval) bool { return i.Covered >= l.use.Width/2 }) {
		return lacks
	}
	span := present.Span(l.use.Width)
	if strings.Contains(span, " ") {
		span = "interval of " + span
	}
	return fmt.Sprintf("The log is too short for this chart: it covers less than half of each %s.", span)
}

// begins is when an interval begins, the first with the first submission.
func (l *Report) begins(i inspect.UsageInterval) float64 {
	return max(float64(i.Start), float64(l.describe.Log.FirstSubmit))
}

// edges are the ends of the intervals.
func (l *Report) edges() []float64 {
	var e []float64
	for _, i := range l.use.Intervals {
		e = append(e, l.begins(i))
	}
	return append(e, float64(l.use.Intervals[len(l.use.Intervals)-1].Start+l.use.Width))
}

const wholeMachine = "the whole machine"

// loadAndUse is how much work came and how much of the machine was busy.
func (l *Report) loadAndUse() []page.Block {
	if l.use == nil || len(l.use.Intervals) == 0 {
		return missing("No job has a submit time, so nothing can be shown over time.")
	}
	if !l.describe.Log.Processors.Known() {
		return missing("The log does not say how many processors the machine has, so its load and utilisation are unknown. Set the number with --procs.")
	}
	load := l.series(func(i inspect.UsageInterval) float64 { return float64(i.Load) })
	used := l.series(func(i inspect.UsageInterval) float64 { return float64(i.Utilisation) })
	if !known(load) {
		return missing(l.whyNoSeries("No job has both a size and a run time, so the load is unknown."))
	}
	span := present.Span(l.use.Width)
	var lines []figure.Series
	f := page.Figure{ID: "load-and-use", Caption: "Work submitted, by " + span, Wide: true, Table: l.useTable()}
	alt := fmt.Sprintf("Over the whole log, the offered load is %s of the machine's capacity", percentText(float64(l.describe.OfferedLoad)))
	if known(used) {
		lines = append(lines, figure.Series{Name: "used (utilisation)", Y: used})
		alt += fmt.Sprintf(" and its utilisation %s", percentText(float64(l.use.Utilisation)))
		f.Caption = "Work submitted and processors used, by " + span
	}
	lines = append(lines, figure.Series{Name: "submitted (offered load)", Y: load})
	high, of := 0, 0
	for _, x := range load {
		if x > 1 {
			high++
		}
		if !math.IsNaN(x) {
			of++
		}
	}
	alt += ". " + l.overloadWords(high, of)
	f.Alt = alt
	blocks := []page.Block{paragraph("%s", alt)}
	if busy := l.overbooked(); busy != "" {
		blocks = append(blocks, remark("warning", fmt.Sprintf("Both are unreliable: %s.", busy)))
	}
	if l.use.Unit != "" {
		blocks = append(blocks, paragraph("Trend of the offered load by %s (Mann-Kendall test): %s.", l.use.Unit, l.loadTrend()))
	}
	blocks = append(blocks, l.history(f, "share of the machine", wholeMachine, lines...)...)
	switch {
	case !known(used):
		blocks = append(blocks, remark("missing", "The log has no waiting times, so start times are unknown: there is no utilisation and no queue."))
	case l.uncounted() != "":
		blocks = append(blocks, remark("warning", "The utilisation and the queue are too low: "+l.uncounted()+"."))
	}
	return blocks
}

// uncounted says which work the utilisation does not count; "" if that is hardly any.
func (l *Report) uncounted() string {
	if l.use == nil || !present.Known(l.use.Utilisation) || !(float64(l.use.Unplaced) > 1-leastPlaced) {
		return ""
	}
	return fmt.Sprintf("jobs whose wait is unknown, with %s of the work, are not counted", percentText(float64(l.use.Unplaced)))
}

// overloadWords say in how many of the intervals whose load is known it is above 1.
func (l *Report) overloadWords(high, of int) string {
	const more = "the work submitted exceeded the machine's capacity."
	switch {
	case of == 1 && high == 1:
		return sentence(more)
	case of == 1:
		return "The work submitted did not exceed the machine's capacity."
	case high == 0:
		return fmt.Sprintf("In none of the %s did the work submitted exceed the machine's capacity.", l.intervals(of))
	case high == of:
		return fmt.Sprintf("In each of the %s, %s", l.intervals(of), more)
	}
	return fmt.Sprintf("In %s of the %s, %s", present.Grouped(int64(high)), l.intervals(of), more)
}

// intervals are so many of them, in words.
func (l *Report) intervals(n int) string {
	span := present.Span(l.use.Width)
	if strings.Contains(span, " ") {
		return fmt.Sprintf("%s of %s", countedText(int64(n), "interval"), span)
	}
	return countedText(int64(n), span)
}

// mostIntervals is how many intervals of time a table lists.
const mostIntervals = 20

// useTable has the intervals with the highest loads, or all, without columns that are
// unknown throughout.
func (l *Report) useTable() *page.Table {
	all := slices.Clone(l.use.Intervals)
	t := page.Table{Caption: "The numbers", Head: []string{"from", "jobs", "offered load", "utilisation", "jobs waiting", "processors waiting"}, Folded: true}
	if len(all) > 3*mostIntervals {
		all = slices.DeleteFunc(all, func(i inspect.UsageInterval) bool { return !present.Known(i.Load) || i.Covered < l.use.Width/2 })
		slices.SortStableFunc(all, func(a, b inspect.UsageInterval) int { return cmp.Compare(b.Load, a.Load) })
		t.Caption = fmt.Sprintf("The numbers: the %s with the highest load", l.intervals(min(mostIntervals, len(all))))
		all = all[:min(mostIntervals, len(all))]
	}
	for _, i := range all {
		t.Rows = append(t.Rows, []page.Cell{textCell(l.date(l.begins(i))), countCell(i.Jobs), fixedCell(i.Load, 3), fixedCell(i.Utilisation, 3), sigCell(i.JobsWaiting), sigCell(i.ProcessorsWaiting)})
	}
	t.DropUnknown()
	return &t
}

// queue is how many jobs waited, and for how many processors.
func (l *Report) queue() []page.Block {
	if l.use == nil || len(l.use.Intervals) == 0 {
		return missing("No job has a submit time, so nothing can be shown over time.")
	}
	jobs := l.series(func(i inspect.UsageInterval) float64 { return float64(i.JobsWaiting) })
	if !known(jobs) {
		return missing(l.whyNoSeries("The log has no waiting times, so the queue is unknown."))
	}
	if slices.Max(append(jobs, 0)) == 0 { // NaN is skipped
		return []page.Block{remark("good", "No job ever waited.")}
	}
	span := present.Span(l.use.Width)
	var blocks []page.Block
	add := func(id, what, axis string, y []float64) {
		mean := meanOf(y)
		alt := fmt.Sprintf("Mean number of %s, by %s; %s on average.", what, span, sig(mean))
		more := l.history(page.Figure{ID: id, Caption: "Mean number of " + what + ", by " + span, Alt: alt, Table: seriesTable(l, axis, y)}, axis, "", figure.Series{Name: axis, Y: y})
		blocks = append(blocks, more...)
	}
	add("queue-jobs", "jobs waiting", "jobs waiting", jobs)
	if l.describe.Log.Processors.Known() {
		p := float64(l.describe.Log.Processors)
		add("queue-processors", "processors requested by waiting jobs, as a multiple of the machine's", "times the machine",
			l.series(func(i inspect.UsageInterval) float64 { return float64(i.ProcessorsWaiting) / p }))
	} else {
		add("queue-processors", "processors requested by waiting jobs", "processors requested", l.series(func(i inspect.UsageInterval) float64 { return float64(i.ProcessorsWaiting) }))
	}
	// Figures first, so that they stand side by side; the text about them follows.
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
func seriesTable(l *Report, heading string, y []float64) *page.Table {
	t := page.Table{Caption: fmt.Sprintf("The numbers: the %s with the highest values", l.intervals(min(mostIntervals, len(y)))), Head: []string{"from", heading}, Folded: true}
	at := make([]int, 0, len(y))
	for i, v := range y {
		if !math.IsNaN(v) {
			at = append(at, i)
		}
	}
	slices.SortStableFunc(at, func(a, b int) int { return cmp.Compare(y[b], y[a]) })
	for _, i := range at[:min(mostIntervals, len(at))] {
		t.Rows = append(t.Rows, []page.Cell{textCell(l.date(l.begins(l.use.Intervals[i]))), sigCell(y[i])})
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
