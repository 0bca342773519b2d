package tables

import (
	"fmt"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/cmd/internal/view"
	"github.com/loadstone-hpc/loadstone/internal/words"
	"github.com/loadstone-hpc/loadstone/workload/inspect"
)

// Description presents a description: the summary, followed by the breakdown if there is one,
// or else by the columns.
func Description(d *inspect.Description) view.Result {
	var rows any = d.MeasuredColumns()
	if d.By != nil {
		rows = d.By.Rows()
	}
	return prose.Result("describe", described{d}, d, rows)
}

// described is the data of the templates of prose/describe.txt.
type described struct{ *inspect.Description }

// Measured returns the columns for which some job has a value, except submit and eligible times,
// whose range is in the summary.
func (d described) Measured() []inspect.NamedColumn {
	return slices.DeleteFunc(d.MeasuredColumns(), func(c inspect.NamedColumn) bool {
		return c.Of.Known == 0 || c.Name == "submit_time_s" || c.Name == "eligible_time_s"
	})
}

// Period describes the period from the first to the last submission.
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

// Who returns the numbers of users, queues and other identifiers, each as text.
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

// identifiers returns n, the number of values of a column of identifiers, as text: "1 user",
// "3 queues".
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

// ByWork reports whether the breakdown is sorted by work.
func (d described) ByWork() bool {
	return !d.ByCalendar() && slices.ContainsFunc(d.By.Rows(), func(v inspect.ByValue) bool { return view.Known(v.Work) })
}
