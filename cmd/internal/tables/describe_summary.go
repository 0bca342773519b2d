package tables

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/internal/printable"
	"github.com/loadstone-hpc/loadstone/internal/words"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/inspect"
)

var summaryColumns = []present.Column[*inspect.Description]{
	present.Text("log", "", func(d *inspect.Description) string { return d.Log.Name }),
	present.Integer("processors", "", func(d *inspect.Description) workload.Integer { return d.Log.Processors }),
	present.Float("period_months", "", func(d *inspect.Description) stats.Number { return d.Months }, nil),
	present.Count("jobs", "", func(d *inspect.Description) int64 { return d.Jobs }),
	present.Float("parallel_pct", "", func(d *inspect.Description) stats.Number { return stats.Number(100 * d.Parallel) }, nil),
	present.Integer("users", "", func(d *inspect.Description) workload.Integer { return d.Users }),
	present.Integer("sites", "", func(d *inspect.Description) workload.Integer { return d.Sites }),
	present.Float("offered_load", "", func(d *inspect.Description) stats.Number { return d.OfferedLoad }, nil),
}

// summaryOf is what is said in words. Its CSV is the log's row in a table like
// the first one of Sonmez and others (2009).
func summaryOf(d *inspect.Description) describeSection {
	return describeSection{words: describeWords(d), csv: present.CSV(summaryColumns, []*inspect.Description{d})}
}

// describeWords is what is not a column.
func describeWords(d *inspect.Description) string {
	line := func(key, format string, args ...any) string {
		return fmt.Sprintf("%-14s %s\n", key, fmt.Sprintf(format, args...))
	}
	out := line("log", "%s (%s)", printable.Text(d.Log.Name), d.Log.Format)
	for _, of := range []struct{ key, value string }{{"computer", d.Log.Computer}, {"installation", d.Log.Installation}} {
		if of.value != "" {
			out += line(of.key, "%s", strings.ReplaceAll(of.value, "\n", " "))
		}
	}
	out += line("jobs", "%d", d.Jobs)
	if d.Log.Processors.Known() {
		out += line("processors", "%d", d.Log.Processors)
	}
	if !math.IsNaN(float64(d.Log.FirstSubmit)) {
		out += line("period", "%s", periodWords(d))
	}
	if !math.IsNaN(float64(d.OfferedLoad)) {
		of := ""
		if d.OfferedLoadOf != "" {
			of = " of " + resourceWords[d.OfferedLoadOf]
		}
		out += line("offered load", "%s%s", present.Fixed(d.OfferedLoad, 3), of)
	} else if !d.Log.Processors.Known() {
		out += line("offered load", "unknown, as the log does not say how many processors the machine has: give --procs")
	}
	if c := d.Bursts.Counts[0]; c.Intervals > 1 {
		days := ""
		if daily := d.Bursts.Counts[2].Dispersion; present.Known(daily) {
			days = ", over days " + present.Sig(daily)
		}
		out += line("bursts", "up to %s submissions in five minutes; index of dispersion %s%s (1 without bursts)",
			present.Sig(c.Max), present.Sig(c.Dispersion), days)
	}
	if !math.IsNaN(float64(d.Serial)) {
		sizes := fmt.Sprintf("%.1f%% serial", 100*d.Serial)
		if !math.IsNaN(float64(d.PowerOfTwo)) {
			sizes += fmt.Sprintf(", %.1f%% of the others a power of two", 100*d.PowerOfTwo)
		}
		out += line("sizes", "%s", sizes)
	}
	if r := d.Sizes; !math.IsNaN(float64(r.Pearson)) {
		out += line("size, run time", "correlation %s, of their ranks %s, of their logarithms %s", present.Fixed(r.Pearson, 3), present.Fixed(r.Spearman, 3), present.Fixed(r.Logarithms, 3))
	}
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
	if len(parts) > 0 {
		out += line("who and where", "%s", strings.Join(parts, ", "))
	}
	if slices.Contains(d.Missing(), "wait_time_s") {
		out += line("waits", "unknown; %s", present.HintSimulate)
	}
	out += line("status", "%s", strings.Join(present.Statuses(d, present.Whole), ", "))
	if missing := d.Missing(); len(missing) > 0 {
		out += line("not in the log", "%s", wrap(missing, 80, 15))
	}
	return out
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

func periodWords(d *inspect.Description) string {
	first, last := float64(d.Log.FirstSubmit), float64(d.Log.LastSubmit)
	span := fmt.Sprintf("%s days (%s months) of submissions", present.Sig((last-first)/86400), present.Sig(d.Months))
	if last-first < 2*86400 {
		span = present.Duration(last-first) + " of submissions"
	}
	switch {
	case !d.Clock.Known:
		span += " (the header has no UnixStartTime)"
	case d.Clock.Dates(first, last):
		span += fmt.Sprintf(", %s to %s", d.Clock.At(first).Format("2006-01-02"), d.Clock.At(last).Format("2006-01-02 MST"))
	}
	return span
}

// wrap joins words by commas into lines of about width characters; all but the
// first are indented.
func wrap(words []string, width, indent int) string {
	var b strings.Builder
	at := 0
	for i, w := range words {
		if i > 0 {
			b.WriteString(",")
			if at+len(w) > width {
				b.WriteString("\n" + strings.Repeat(" ", indent))
				at = 0
			} else {
				b.WriteString(" ")
			}
		}
		b.WriteString(w)
		at += len(w) + 2
	}
	return b.String()
}
