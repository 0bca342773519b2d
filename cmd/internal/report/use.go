package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/cmd/internal/page"
	"github.com/loadstone-hpc/loadstone/cmd/internal/view"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload/inspect"
)

// WaitTables are the waits by size, whose last row is of all jobs, and by queue or partition.
func (r *Report) WaitTables() []*page.Table {
	rows := append(slices.Clone(r.Use.BySize), inspect.WaitClass{Name: "all jobs", WaitSummary: r.Use.Waits})
	tables := []*page.Table{pageTable("Waits by processors", view.For(rows).Heading(0, "processors").Table())}
	if r.Log.Pending != nil {
		tables = append(tables, pageTable("Why jobs waited, by Slurm's reasons", view.For(r.Log.Pending).Table()))
	}
	if r.Log.By == nil || len(r.Log.By.Values) < 2 {
		return tables
	}
	var classes []waitRow
	for _, v := range r.Log.By.Values {
		if w := v.Wait; w.Known > 0 && v.Value != "" {
			classes = append(classes, waitRow{v.Label(), w.Known, w.Mean, w.Median, w.Q95})
		}
	}
	slices.SortStableFunc(classes, func(a, b waitRow) int { return cmp.Compare(b.Jobs, a.Jobs) })
	by := strings.TrimSuffix(r.Log.By.Column, "_id")
	return append(tables, pageTable("Waits by "+by, view.For(classes[:min(len(classes), mostWaitRows)]).Heading(0, by).Table()))
}

// waitRow is a row of the waits by queue.
type waitRow struct {
	Name   string       `show:"class"`
	Jobs   int64        `show:"jobs"`
	Mean   stats.Number `show:"mean wait,s"`
	Median stats.Number `show:"median wait,s"`
	Q95    stats.Number `show:"95th percentile,s"`
}

// mostWaitRows is how many queues are shown, those with the most jobs.
const mostWaitRows = 12

// Shares are the users and the accounts with most processor time.
func (r *Report) Shares() (all []*page.Table) {
	for _, of := range []struct {
		what   string
		shares *inspect.Shares
	}{{"user", r.Use.Users}, {"account", r.Use.Accounts}} {
		if of.shares != nil {
			all = append(all, shareTable(of.what, of.shares))
		}
	}
	return all
}

func shareTable(what string, s *inspect.Shares) *page.Table {
	caption := fmt.Sprintf("The %s with the most processor time", countedText(int64(len(s.Top)), what))
	switch {
	case s.Distinct == 1:
		caption = "The only " + what
	case int64(len(s.Top)) < s.Distinct:
		caption += ", of " + view.Grouped(s.Distinct)
	}
	var rows []shareRow
	for _, x := range s.Top {
		rows = append(rows, shareRow{shareName(x), x.Work / 3600, x})
	}
	t := pageTable(caption, view.For(rows).Table())
	t.Head[0] = what
	return t
}

// shareRow is a row of the table of shares.
type shareRow struct {
	Name  string  `show:"name"`
	Hours float64 `show:"processor hours,%.1f"`
	inspect.UserShare
}

// shareName is what a user or an account is called.
func shareName(x inspect.UserShare) string { return cmp.Or(x.Name, fmt.Sprint(x.ID)) }

// TopUser is the user with most processor time, and TopShare that of all that are listed.
func (r *Report) TopUser() string { return shareName(r.Use.Users.Top[0]) }

func (r *Report) TopShare() (sum float64) {
	for _, x := range r.Use.Users.Top {
		sum += float64(x.WorkPct)
	}
	return sum
}

// measures are those that can be compared, in their order.
var measures = []struct {
	name, words string
	texts       func(...float64) []string
}{
	{"jobs_per_day", "jobs a day", each(decimal)},
	{"users", "active users", each(decimal)},
	{"offered_load", "offered load", each(percentText)},
	{"utilisation", "utilisation", each(percentText)},
	{"wait_mean_s", "mean wait", timeTexts},
	{"wait_median_s", "median wait", timeTexts},
	{"wait_q90_s", "90th percentile of waits", timeTexts},
	{"failed_pct", "failed jobs", each(view.Percent[float64])},
}

// decimal is a number with a decimal, where that is not 0.
func decimal(x float64) string { return strings.TrimSuffix(view.Fixed(x, 1), ".0") }

func each(text func(float64) string) func(...float64) []string {
	return func(numbers ...float64) (all []string) {
		for _, x := range numbers {
			all = append(all, text(x))
		}
		return all
	}
}

// change is a row of the table of changes.
type change struct {
	Words, Last, Beyond, Median, Range string
	Known                              bool // in the last period and enough of those before
}

// Changes are all measures, in their order.
func (r *Report) Changes() (all []change) {
	for _, m := range measures {
		x := change{Words: m.words}
		for _, c := range r.Use.Changes {
			if c.Measure == m.name {
				texts := m.texts(float64(c.Last), float64(c.Median), float64(c.Low), float64(c.High))
				x = change{m.words, texts[0], "", texts[1], texts[2] + " to " + texts[3], true}
				if end := map[string]string{"above": "highest", "below": "lowest"}[c.Beyond]; end != "" {
					x.Beyond = fmt.Sprintf("%s of %d %ss", end, c.Earlier+1, r.Use.Unit)
				}
			}
		}
		all = append(all, x)
	}
	return all
}

// ChangeTable are those of the measures that are known.
func (r *Report) ChangeTable() *page.Table {
	last := r.Use.Changes[0].Period
	t := &page.Table{Caption: last + " compared with the complete " + r.Use.Unit + "s" + " before it", Head: []string{"measure", last, "earlier median", "earlier range", ""}}
	for _, c := range r.Changes() {
		if c.Known {
			t.Rows = append(t.Rows, []string{c.Words, c.Last, c.Median, c.Range, c.Beyond})
		}
	}
	return t
}

// ByChance is how many measures would stand out on average if nothing had changed.
func (r *Report) ByChance() string {
	expected := 0.0
	for _, c := range r.Use.Changes {
		expected += 2 / float64(c.Earlier+1)
	}
	return view.Fixed(expected, 1)
}
