package cli

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/internal/printable"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/inspect"
)

// summaryOf is what is said in words. Its CSV is the log's row in a table like
// the first one of Sonmez and others (2009).
func summaryOf(log *workload.Log, d inspect.Description, clock workload.Clock, note string) describeSection {
	csv := present.Table{Head: []string{"log", "processors", "period_months", "jobs", "parallel_pct", "users", "sites", "offered_load"}}
	processors := ""
	if d.Processors > 0 {
		processors = jobsText(d.Processors)
	}
	csv.Add(log.Name, processors, present.Full(d.Months()), jobsText(d.Jobs), present.Full(100*d.Parallel()),
		countText(distinctOf(d, "user_id")), countText(distinctOf(d, "partition_id")), present.Full(d.OfferedLoad))
	return describeSection{words: describeWords(log, d, clock, note), csv: csv}
}

// describeWords is what is not a column.
func describeWords(log *workload.Log, d inspect.Description, clock workload.Clock, note string) string {
	line := func(key, format string, args ...any) string {
		return fmt.Sprintf("%-14s %s\n", key, fmt.Sprintf(format, args...))
	}
	out := line("log", "%s (%s)", printable.Text(log.Name), log.Format)
	for _, key := range []string{"Computer", "Installation"} {
		if v := log.Header.Get(key); v != "" {
			out += line(strings.ToLower(key), "%s", strings.ReplaceAll(v, "\n", " "))
		}
	}
	out += line("jobs", "%d", d.Jobs)
	if d.Processors > 0 {
		out += line("processors", "%d", d.Processors)
	}
	if !math.IsNaN(d.FirstSubmit) {
		out += line("period", "%s", periodWords(d, clock, note))
	}
	if !math.IsNaN(d.OfferedLoad) {
		out += line("offered load", "%s", present.Fixed(d.OfferedLoad, 3))
	}
	if c := d.Bursts.Counts[0]; c.Intervals > 1 {
		out += line("bursts", "up to %s submissions in five minutes; index of dispersion %s, over days %s (1 without bursts)",
			present.Sig(c.Max), present.Sig(c.Dispersion), present.Sig(d.Bursts.Counts[2].Dispersion))
	}
	if !math.IsNaN(d.Serial) {
		sizes := fmt.Sprintf("%.1f%% serial", 100*d.Serial)
		if !math.IsNaN(d.PowerOfTwo) {
			sizes += fmt.Sprintf(", %.1f%% of the others a power of two", 100*d.PowerOfTwo)
		}
		out += line("sizes", "%s", sizes)
	}
	if r := d.Relation; !math.IsNaN(r.Pearson) {
		out += line("size, run time", "correlation %s, of ranks %s, of logarithms %s", present.Fixed(r.Pearson, 3), present.Fixed(r.Spearman, 3), present.Fixed(r.Logarithms, 3))
	}
	var parts []string
	for _, g := range d.Groups {
		if g.Known > 0 {
			about := ""
			if g.Method != "exact" {
				about = "about "
			}
			parts = append(parts, fmt.Sprintf("%s%d %s", about, g.Distinct, strings.TrimSuffix(g.Name, "_id")+"s"))
		}
	}
	if len(parts) > 0 {
		out += line("who and where", "%s", strings.Join(parts, ", "))
	}
	out += line("status", "%s", strings.Join(statusWords(d.Status, jobsText), ", "))
	if missing := missingColumns(d); len(missing) > 0 {
		out += line("not in the log", "%s", wrap(missing, 80, 15))
	}
	return out
}

func periodWords(d inspect.Description, clock workload.Clock, note string) string {
	span := fmt.Sprintf("%s days (%s months) of submissions", present.Sig((d.LastSubmit-d.FirstSubmit)/86400), present.Sig(d.Months()))
	if dated(clock, d.FirstSubmit, d.LastSubmit) {
		span += fmt.Sprintf(", %s to %s", clock.At(d.FirstSubmit).Format("2006-01-02"), clock.At(d.LastSubmit).Format("2006-01-02 MST"))
	}
	switch {
	case !clock.Known:
		span += " (the header has no UnixStartTime)"
	case note != "":
		span += " (" + note + ")"
	}
	return span
}

// statusWords counts jobs by status, the most frequent first.
func statusWords(status map[int64]int64, text func(int64) string) []string {
	codes := make([]int64, 0, len(status))
	for code := range status {
		codes = append(codes, code)
	}
	slices.SortFunc(codes, func(a, b int64) int {
		return cmp.Or(cmp.Compare(status[b], status[a]), cmp.Compare(a, b))
	})
	var parts []string
	for _, code := range codes {
		parts = append(parts, text(status[code])+" "+statusName(code))
	}
	return parts
}

func missingColumns(d inspect.Description) []string {
	var missing []string
	for _, c := range d.Columns {
		if c.Known == 0 {
			missing = append(missing, c.Name)
		}
	}
	for _, g := range d.Groups {
		if g.Known == 0 {
			missing = append(missing, g.Name)
		}
	}
	return missing
}
