package tables

import (
	"embed"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/cmd/internal/view"
	"github.com/loadstone-hpc/loadstone/internal/field"
	"github.com/loadstone-hpc/loadstone/internal/words"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/inspect"
)

//go:embed prose
var proseFiles embed.FS

// prose is what stands around the tables.
var prose = view.NewProse(proseFiles, "prose/*.txt")

// The sections of a description.
const (
	SummarySection  = "summary"
	columnsSection  = "columns"
	KnownSection    = "known"
	ArrivalsSection = "arrivals"
	LoadSection     = "load"
	burstsSection   = "bursts"
	SizesSection    = "sizes"
	bySection       = "by"
)

var (
	Sections        = []string{SummarySection, columnsSection, KnownSection, ArrivalsSection, LoadSection, burstsSection, SizesSection}
	defaultSections = []string{SummarySection, columnsSection}
)

// Description is a description in its three forms. Without sections they are
// the default ones, or the summary before a breakdown.
func Description(d *inspect.Description, sections []string) view.Result {
	csv := columnsSection
	switch {
	case d.By != nil:
		csv = bySection
	case len(sections) == 1:
		csv = sections[0]
	}
	if len(sections) == 0 {
		sections = defaultSections
		if d.By != nil {
			sections = []string{SummarySection}
		}
	}
	text := func(w *view.Screen) {
		gap := ""
		for _, name := range append(slices.Clone(Sections), bySection) {
			if slices.Contains(sections, name) || name == bySection && d.By != nil {
				w.Printf("%s%s", gap, prose.Text("describe "+name, described{d, describedTable(d, name)}))
				gap = "\n"
			}
		}
	}
	return view.Result{Text: text, JSON: d, CSV: view.CSV(describedRows(d, csv)...)}
}

// describedRows are the rows of a section for programs.
func describedRows(d *inspect.Description, section string) []any {
	switch section {
	case SummarySection: // the log's row in a table like the first one of Sonmez and others (2009)
		return []any{[]*inspect.Description{d}}
	case KnownSection:
		return []any{d.KnownColumns()}
	case ArrivalsSection:
		return []any{d.Arrivals.WeekHours()}
	case LoadSection:
		return []any{d.Load.Intervals}
	case burstsSection:
		return []any{d.Bursts.Counts, []inspect.Interarrivals{d.Bursts.Interarrivals}}
	case SizesSection:
		return []any{d.Sizes.Groups}
	case bySection:
		return []any{d.By.Rows()}
	}
	return []any{d.MeasuredColumns()}
}

// describedTable is the table of a section for people.
func describedTable(d *inspect.Description, section string) (t view.Table) {
	switch section {
	case columnsSection:
		return columnsTable(d)
	case KnownSection:
		return view.For(d.KnownColumns()).Table()
	case ArrivalsSection:
		return beside(view.For(d.Arrivals.ByHour).Table(), view.For(d.Arrivals.ByWeekday).Table())
	case LoadSection:
		return view.For(d.Load.Intervals, d.Clock).Table()
	case burstsSection:
		return view.For(d.Bursts.Counts, d.Clock).Table()
	case SizesSection:
		sizes := view.Cell[inspect.SizeGroup]{First: true, Heading: "processors", Text: func(g inspect.SizeGroup) string { return view.Range(g.From, g.To) }}
		return view.For(d.Sizes.Groups).With(sizes).Table()
	case bySection:
		rows := d.By.Rows()
		value := view.Cell[inspect.ByValue]{First: true, Heading: d.By.Column, Text: inspect.ByValue.String}
		return view.For(rows[:min(len(rows), mostByRows)]).With(value).Grouped().Without("wait mean", "wait q25", "wait q75").Table()
	}
	return t
}

// mostByRows is how many values the table for people shows.
const mostByRows = 40

// columnsTable is the table of Downey (1997), table 2, of the columns that the log has. Of
// a column of dates only the dates tell people anything, or the seconds in full where the
// log has no dates.
func columnsTable(d *inspect.Description) view.Table {
	columns := slices.DeleteFunc(d.MeasuredColumns(), func(c inspect.Named[inspect.Column]) bool { return c.Of.Known == 0 })
	t := view.For(columns).Table()
	for i, c := range columns {
		if c.Name != "submit_time_s" && c.Name != "eligible_time_s" {
			continue
		}
		write := func(seconds float64) string { return strconv.FormatFloat(math.Round(seconds), 'f', -1, 64) }
		dates := d.Clock.Dates(float64(c.Of.Min), float64(c.Of.Max))
		if dates {
			write = func(seconds float64) string {
				return view.Date(d.Clock, float64(c.Of.Max-c.Of.Min), seconds)
			}
		}
		for k, name := range t.Head {
			x, isNumber := field.Number(c.Of, name)
			switch {
			case name == "unit" && dates:
				t.Rows[i][k] = "date"
			case name == "cv" && dates: // it depends on second 0
				t.Rows[i][k] = "-"
			case isNumber && name != "cv" && name != "known" && view.Known(x):
				t.Rows[i][k] = write(x)
			}
		}
	}
	return t
}

// beside puts a shorter table to the right of another one.
func beside(left, right view.Table) view.Table {
	t := view.Table{Head: slices.Concat(left.Head, []string{""}, right.Head)}
	for i, row := range left.Rows {
		cells := make([]string, len(right.Head))
		if i < len(right.Rows) {
			cells = right.Rows[i]
		}
		t.Add(slices.Concat(row, []string{""}, cells)...)
	}
	return t
}

// described is what the templates of prose/describe.txt are given.
type described struct {
	*inspect.Description
	Table view.Table
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

// Lacks says whether no job has a value in a column.
func (d described) Lacks(column string) bool { return slices.Contains(d.Missing(), column) }

// Methods says how the quantiles of the columns were found, where they are not exact.
func (d described) Methods() string {
	for _, c := range d.MeasuredColumns() {
		if c.Of.Known > 0 && c.Of.Method != "exact" {
			return c.Of.Method
		}
	}
	return ""
}

// ByMethods is Methods of the breakdown.
func (d described) ByMethods() string {
	for _, v := range d.By.Rows() {
		for _, c := range []inspect.Column{v.Run, v.Size, v.Wait.Column} {
			if c.Known > 1 && c.Method != "exact" {
				return c.Method
			}
		}
	}
	return ""
}

// ByWork says whether the breakdown is sorted by work.
func (d described) ByWork() bool {
	return d.By.Column != workload.MonthWord && slices.ContainsFunc(d.By.Rows(), func(v inspect.ByValue) bool { return view.Known(v.Work) })
}

// Hidden are the values of the breakdown that people do not see.
func (d described) Hidden() (hidden struct{ Values, Jobs int64 }) {
	for i, v := range d.By.Rows() {
		if i >= mostByRows {
			hidden.Values++
			hidden.Jobs += v.Jobs
		}
	}
	return hidden
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
