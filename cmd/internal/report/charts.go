package report

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/cmd/internal/figure"
	"github.com/loadstone-hpc/loadstone/cmd/internal/page"
	"github.com/loadstone-hpc/loadstone/cmd/internal/view"
	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/workload/inspect"
)

// Picture is a figure, or the reason why it is not drawn.
type Picture struct {
	page.Figure
	Why string
}

// picture draws s as a figure that can be zoomed. It removes the title, since the page has a
// caption.
func picture(f page.Figure, s figure.Spec) Picture {
	s.Title, s.Source = "", ""
	chart, err := json.Marshal(&s)
	var svg bytes.Buffer
	if err == nil {
		err = s.Draw(&svg, "svg")
	}
	if err != nil {
		return Picture{Why: f.Caption + " is not drawn: " + strings.TrimPrefix(err.Error(), "figure: ") + "."}
	}
	head, rows := s.Numbers()
	f.SVG, f.Chart, f.Table = svg.Bytes(), chart, &page.Table{Caption: "The numbers", Head: head, Rows: rows, Folded: true}
	return Picture{Figure: f}
}

// series returns the value of each interval, NaN if the log covers less than half of it:
// at the ends of the log it may cover only minutes of an interval.
func (r *Report) series(of func(inspect.UsageInterval) float64) []float64 {
	var y []float64
	for _, i := range r.Use.Intervals {
		v := of(i)
		if i.Covered < r.Use.Width/2 {
			v = math.NaN()
		}
		y = append(y, v)
	}
	return y
}

func loadOf(i inspect.UsageInterval) float64        { return i.Load }
func utilisationOf(i inspect.UsageInterval) float64 { return i.Utilisation }
func waitingOf(i inspect.UsageInterval) float64     { return i.JobsWaiting }

// isKnown reports whether any value is a number.
func isKnown(y []float64) bool {
	return slices.ContainsFunc(y, func(x float64) bool { return !math.IsNaN(x) })
}

// Span returns the length of an interval in words.
func (r *Report) Span() string { return view.Span(r.Use.Width) }

// intervals returns n intervals in words.
func (r *Report) intervals(n int) string {
	if span := r.Span(); strings.Contains(span, " ") {
		return fmt.Sprintf("%s of %s", countedText(int64(n), "interval"), span)
	}
	return countedText(int64(n), r.Span())
}

// OverloadWords returns a sentence with the number of intervals in which more work was submitted
// than the machine can do, among the intervals with a known load.
func (r *Report) OverloadWords() string {
	high, of := 0, 0
	for _, x := range r.series(loadOf) {
		if x > 1 {
			high++
		}
		if !math.IsNaN(x) {
			of++
		}
	}
	return fmt.Sprintf("The work submitted exceeded the machine's capacity in %s of %s.", view.Grouped(int64(high)), r.intervals(of))
}

// why explains why there is no chart: the log covers no interval by half, or else lacks, which
// names missing values.
func (r *Report) why(lacks string) Picture {
	if len(r.Use.Intervals) == 0 {
		return Picture{Why: "No job has a submit time, so nothing can be shown over time."}
	}
	if slices.ContainsFunc(r.Use.Intervals, func(i inspect.UsageInterval) bool { return i.Covered >= r.Use.Width/2 }) {
		return Picture{Why: lacks}
	}
	return Picture{Why: fmt.Sprintf("The log is too short for this chart, which has a value for each %s.", r.Span())}
}

// LoadChart returns a chart of the work submitted and of the processors used, as shares of the
// machine.
func (r *Report) LoadChart() Picture {
	load, used := r.series(loadOf), r.series(utilisationOf)
	switch {
	case !r.Log.Log.Processors.Known():
		return Picture{Why: "The log does not say how many processors the machine has, so its load and utilisation are unknown. Set the number with --procs."}
	case !isKnown(load):
		return r.why("No job has both a size and a run time, so the load is unknown.")
	}
	lines := []figure.Series{{Name: "submitted (offered load)", Y: load}}
	f := page.Figure{ID: "load-and-use", Caption: "Work submitted, by " + r.Span(), Wide: true}
	if isKnown(used) {
		lines = append([]figure.Series{{Name: "used (utilisation)", Y: used}}, lines...)
		f.Caption = "Work submitted and processors used, by " + r.Span()
	}
	return r.history(f, "share of the machine", "the whole machine", lines...)
}

// QueueChart returns a chart of the mean number of jobs waiting.
func (r *Report) QueueChart() Picture {
	jobs := r.series(waitingOf)
	switch {
	case !isKnown(jobs):
		return r.why("The log has no waiting times, so the queue is unknown.")
	case !slices.ContainsFunc(jobs, func(y float64) bool { return y > 0 }):
		return Picture{Why: "No job ever waited."}
	}
	f := page.Figure{ID: "queue-jobs", Caption: "Mean number of jobs waiting, by " + r.Span(), Wide: true}
	return r.history(f, "jobs waiting", "", figure.Series{Name: "jobs waiting", Y: jobs})
}

// history draws quantities over time, from the first submission on. Values far above the others
// are marked at the end of the axis. full is as for figure.OverTime.
func (r *Report) history(f page.Figure, axis, full string, lines ...figure.Series) Picture {
	var edges []float64
	for _, i := range r.Use.Intervals {
		edges = append(edges, max(i.Start, float64(r.Log.Log.FirstSubmit)))
	}
	edges = append(edges, r.Use.Intervals[len(r.Use.Intervals)-1].Start+r.Use.Width)
	f.Alt = f.Caption
	return picture(f, figure.OverTime(axis, r.name, r.Log, edges, full, lines))
}

// drawnLaws is the largest number of laws in a chart, which shows those closest to the jobs.
const drawnLaws = 4

// closest returns the fits of run times by increasing D.
func (r *Report) closest() []fit.Report {
	all := slices.DeleteFunc(slices.Clone(r.Fits.Fits), func(f fit.Report) bool { return f.Attribute != fit.RunTime })
	slices.SortStableFunc(all, func(a, b fit.Report) int { return cmp.Compare(a.KS.D, b.KS.D) })
	return all
}

// RunTimesChart returns a chart of the distribution of run times with the closest fits.
func (r *Report) RunTimesChart() Picture {
	all, sample := r.closest(), r.Fits.Classes[0].Sample(fit.RunTime)
	if len(sample.Values) == 0 || len(all) == 0 {
		return Picture{Why: "No distribution could be fitted to the run times."}
	}
	var laws []figure.Law
	for _, f := range all[:min(len(all), drawnLaws)] {
		laws = append(laws, figure.LawOf(f, sample))
	}
	f := page.Figure{ID: "run-times-distribution", Caption: "How long jobs run, and the closest distributions", Wide: true}
	f.Alt = fmt.Sprintf("%s: cumulative distributions over a logarithmic axis from %s to %s.", f.Caption, view.Duration(sample.Values[0]), view.Duration(sample.Values[len(sample.Values)-1]))
	return picture(f, figure.Distribution(fit.RunTime, r.name, "the log", sample, laws))
}
