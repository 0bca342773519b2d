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

// functions are those of the templates, beside those of all prose. Numbers are in groups of three
// digits.
var functions = template.FuncMap{
	"count": func(n reflect.Value, noun string) string { return countedText(n.Int(), noun) },
	"join":  strings.Join,
}

// countedText is a number of things, in groups of three digits.
func countedText(n int64, noun string) string {
	return view.Grouped(n) + " " + words.Noun(n, noun)
}

func percentText(share float64) string { return view.Percent(100 * share) }

// sentence begins with a capital, if it begins with a word, and ends with a full
// stop. Names of files, distributions and workloads stay as they are: those have other
// characters than letters, or a colon behind them.
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

// Dates are the days of the first and the last submission: none where the log has no dates,
// one where they are the same.
func (r *Report) Dates() []string {
	first, last := float64(r.Log.Log.FirstSubmit), float64(r.Log.Log.LastSubmit)
	if !r.Log.Clock.Dates(first, last) {
		return nil
	}
	from, to := r.Log.Clock.At(first).Format(time.DateOnly), r.Log.Clock.At(last).Format(time.DateOnly)
	return slices.Compact([]string{from, to})
}

// Period is the time that submissions span.
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

// A log that has more processors busy than mostBusyPct of the machine's for leastBusyShare of
// its time has no load to rely on: a few jobs that overlap for minutes are faults of a clock.
const (
	mostBusyPct    = 110
	leastBusyShare = 0.01
)

// Overbooked says how many processors are busy where those are many more than the machine
// has; else "".
func (r *Report) Overbooked() string {
	b, d := r.Checks.Busy, r.Log.Log
	if b == nil || !d.Processors.Known() || !(float64(b.PeakPct) > mostBusyPct) || !(b.Seconds >= leastBusyShare*(d.LastSubmit-d.FirstSubmit)) {
		return ""
	}
	return fmt.Sprintf("up to %s processors are busy on a machine of %s", view.Grouped(b.Peak), view.Grouped(int64(d.Processors)))
}

// leastPlaced is the share of jobs, or of work, with known times from which on the use of the
// machine is told without a warning.
const leastPlaced = 0.99

// Uncounted says which work the utilisation does not count; "" if that is hardly any.
func (r *Report) Uncounted() string {
	if !view.Known(r.Use.Utilisation) || !(r.Use.Unplaced > 1-leastPlaced) {
		return ""
	}
	return fmt.Sprintf("jobs whose wait is unknown, with %s of the work, are not counted", percentText(r.Use.Unplaced))
}

// Partly are the columns of times that some or all jobs lack.
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

// endings are those of files of jobs.
var endings = []string{".gz", ".zst", ".xz", ".bz2", ".swf", ".gwf", ".csv", ".parquet", ".arrow", ".arrows", ".json"}

// shortName is a name without endings.
func shortName(name string) string {
	for {
		ending := filepath.Ext(name)
		if ending == name || !slices.Contains(endings, strings.ToLower(ending)) {
			return name
		}
		name = strings.TrimSuffix(name, ending)
	}
}

// pageTable is a table of a command on the page.
func pageTable(caption string, t view.Table) *page.Table {
	return &page.Table{Caption: caption, Head: t.Head, Rows: t.Rows}
}
