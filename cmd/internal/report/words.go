package report

import (
	"fmt"
	"html/template"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/loadstone-hpc/loadstone/cmd/internal/page"
	"github.com/loadstone-hpc/loadstone/cmd/internal/view"
	"github.com/loadstone-hpc/loadstone/internal/words"
)

// functions are functions of the templates, in addition to view.Functions. They write numbers in
// groups of three digits.
var functions = template.FuncMap{
	"count": func(n reflect.Value, noun string) string { return countedText(n.Int(), noun) },
	"join":  strings.Join,
}

// countedText returns a number of things as text, with digits in groups of three.
func countedText(n int64, noun string) string {
	return view.Grouped(n) + " " + words.Noun(n, noun)
}

func percentText(share float64) string { return view.Percent(100 * share) }

// sentence returns text with a full stop and, if it begins with a word, a capital. Names of
// files, distributions and workloads are kept as they are: they contain other characters than
// letters, or are followed by a colon.
func sentence(text string) string {
	if text == "" {
		return ""
	}
	first := strings.IndexFunc(text, func(r rune) bool { return r < 'a' || r > 'z' })
	if first < 0 || first == len(text)-1 || first > 0 && strings.ContainsRune(" ,", rune(text[first])) {
		text = strings.ToUpper(text[:1]) + text[1:]
	}
	if !strings.HasSuffix(text, ".") {
		text += "."
	}
	return text
}

func lowerFirst(text string) string { return strings.ToLower(text[:1]) + text[1:] }

// Dates returns the days of the first and the last submission: none if the log has no dates,
// one if they are the same.
func (r *Report) Dates() []string {
	first, last := float64(r.Log.Log.FirstSubmit), float64(r.Log.Log.LastSubmit)
	if !r.Log.Clock.Dates(first, last) {
		return nil
	}
	from, to := r.Log.Clock.At(first).Format(time.DateOnly), r.Log.Clock.At(last).Format(time.DateOnly)
	return slices.Compact([]string{from, to})
}

// Period returns the time from the first to the last submission, in words.
func (r *Report) Period() string {
	seconds := float64(r.Log.Log.LastSubmit - r.Log.Log.FirstSubmit)
	switch days := seconds / 86400; {
	case !view.Known(days):
		return "unknown"
	case days < 2:
		return view.Duration(seconds)
	case days < 60:
		return view.Fixed(days, 1) + " days"
	}
	return view.Fixed(r.Log.Months, 1) + " months"
}

// If more than mostBusyPct of the machine's processors are busy for at least leastBusyShare of the
// time, the load of the log is not reliable. Shorter times are ignored: a few jobs that overlap
// for minutes are errors of a clock.
const (
	mostBusyPct    = 110
	leastBusyShare = 0.01
)

// Overbooked returns a clause on the number of busy processors if it is well above that of the
// machine; otherwise "".
func (r *Report) Overbooked() string {
	b, d := r.Checks.Busy, r.Log.Log
	if b == nil || !d.Processors.Known() || !(float64(b.PeakPct) > mostBusyPct) || !(b.Seconds >= leastBusyShare*(d.LastSubmit-d.FirstSubmit)) {
		return ""
	}
	return fmt.Sprintf("up to %s processors are busy on a machine of %s", view.Grouped(b.Peak), view.Grouped(int64(d.Processors)))
}

// leastPlaced is the least share of jobs, or of work, with known times for which the use of the
// machine is shown without a warning.
const leastPlaced = 0.99

// Uncounted returns a clause on the work that the utilisation does not count; "" if it is
// negligible.
func (r *Report) Uncounted() string {
	if !view.Known(r.Use.Utilisation) || !(r.Use.Unplaced > 1-leastPlaced) {
		return ""
	}
	return fmt.Sprintf("jobs whose wait is unknown, with %s of the work, are not counted", percentText(r.Use.Unplaced))
}

// Partly returns sentences on the columns of times that some or all jobs lack.
func (r *Report) Partly() (all []string) {
	for _, c := range []struct{ column, what string }{{"run_time_s", "Run times"}, {"wait_time_s", "Waits"}} {
		switch x := r.Log.Columns[c.column]; {
		case x.Known == 0:
			all = append(all, c.what+" are not in the log.")
		case float64(x.KnownPct) < 100*leastPlaced:
			all = append(all, c.what+" are known for "+view.Percent(x.KnownPct)+" of the jobs.")
		}
	}
	return all
}

// endings are the extensions of files of jobs.
var endings = []string{".gz", ".zst", ".xz", ".bz2", ".swf", ".gwf", ".csv", ".parquet", ".arrow", ".arrows", ".json"}

// shortName returns a name without the extensions in endings.
func shortName(name string) string {
	for {
		ending := filepath.Ext(name)
		if ending == name || !slices.Contains(endings, strings.ToLower(ending)) {
			return name
		}
		name = strings.TrimSuffix(name, ending)
	}
}

// pageTable converts a table of a command to one of the page.
func pageTable(caption string, t view.Table) *page.Table {
	return &page.Table{Caption: caption, Head: t.Head, Rows: t.Rows}
}
