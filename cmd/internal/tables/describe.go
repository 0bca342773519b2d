package tables

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/cmd/internal/view"
	"github.com/loadstone-hpc/loadstone/internal/words"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/inspect"
)

// The sections of a description.
const (
	SummarySection  = "summary"
	columnsSection  = "columns"
	ArrivalsSection = "arrivals"
	LoadSection     = "load"
	burstsSection   = "bursts"
	bySection       = "by"
)

// Sections are those that may be asked for.
var Sections = []string{SummarySection, columnsSection, ArrivalsSection, LoadSection, burstsSection}

// Description is a description in its three forms. Without sections they are the summary and
// the columns, or the summary and the breakdown.
func Description(d *inspect.Description, sections []string) view.Result {
	csv := columnsSection
	switch {
	case d.By != nil:
		csv = bySection
	case len(sections) == 1:
		csv = sections[0]
	}
	if len(sections) == 0 {
		sections = []string{SummarySection, csv}
	}
	var shown []string
	for _, name := range append(slices.Clone(Sections), bySection) {
		if slices.Contains(sections, name) || name == bySection && d.By != nil {
			shown = append(shown, name)
		}
	}
	return prose.Result("describe", described{d, shown}, d, describedRows(d, csv)...)
}

// describedRows are the rows of a section for programs.
func describedRows(d *inspect.Description, section string) []any {
	switch section {
	case SummarySection: // the log's row in a table like the first one of Sonmez and others (2009)
		return []any{[]*inspect.Description{d}}
	case ArrivalsSection:
		return []any{d.Arrivals.WeekHours()}
	case LoadSection:
		return []any{d.Load.Intervals}
	case burstsSection:
		return []any{d.Bursts.Counts, []inspect.Interarrivals{d.Bursts.Interarrivals}}
	case bySection:
		return []any{d.By.Rows()}
	}
	return []any{d.MeasuredColumns()}
}

// described is what the templates of prose/describe.txt are given.
type described struct {
	*inspect.Description
	Shown []string // sections
}

// Measured are the columns that some jobs have, without moments, whose range the summary has.
func (d described) Measured() []inspect.NamedColumn {
	return slices.DeleteFunc(d.MeasuredColumns(), func(c inspect.NamedColumn) bool {
		return c.Of.Known == 0 || c.Name == "submit_time_s" || c.Name == "eligible_time_s"
	})
}

// Period is the time that submissions span.
func (d described) Period() string {
	first, last := float64(d.Log.FirstSubmit), float64(d.Log.LastSubmit)
	span := fmt.Sprintf("%s days (%s months) of submissions", view.Sig((last-first)/86400), view.Sig(d.Months))
	if last-first < 2*86400 {
		span = view.Duration(last-first) + " of submissions"
	}
	switch {
	case !d.Clock.Known:
		span += " (the header has no UnixStartTime)"
	case d.Clock.Dates(first, last):
		span += fmt.Sprintf(", %s to %s", d.Clock.At(first).Format("2006-01-02"), d.Clock.At(last).Format("2006-01-02 MST"))
	}
	return span
}

// Who says how many users, queues and so on there are.
func (d described) Who() []string {
	var parts []string
	for _, name := range inspect.Identifiers() {
		if g := d.Groups[name]; g.Known > 0 {
			about := ""
			if g.Method != "exact" {
				about = "about "
			}
			parts = append(parts, about+identifiers(name, g.Distinct))
		}
	}
	return parts
}

// identifiers says how many values a column of identifiers has: "1 user", "3 queues".
func identifiers(column string, n int64) string {
	switch {
	case column == "qos_id" && n == 1:
		return "1 quality of service"
	case column == "qos_id":
		return fmt.Sprintf("%d qualities of service", n)
	case column == "gpu_type_id":
		return words.Counted(n, "GPU type")
	}
	return words.Counted(n, strings.ReplaceAll(strings.TrimSuffix(column, "_id"), "_", " "))
}

// ByWork says whether the breakdown is sorted by work.
func (d described) ByWork() bool {
	return d.By.Column != workload.MonthWord && slices.ContainsFunc(d.By.Rows(), func(v inspect.ByValue) bool { return view.Known(v.Work) })
}

// LoadRange is the lowest load of the intervals that are covered by half or more, their
// median and the highest; nothing where none has a load.
func (d described) LoadRange() []float64 {
	var loads []float64
	for _, i := range d.Load.Intervals {
		if !math.IsNaN(float64(i.Load)) && i.Covered >= d.Load.Width/2 {
			loads = append(loads, float64(i.Load))
		}
	}
	if len(loads) == 0 {
		return nil
	}
	slices.Sort(loads)
	return []float64{loads[0], stats.Quantile(loads, 0.5), loads[len(loads)-1]}
}
