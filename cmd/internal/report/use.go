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

// The breakdowns of the page.
const (
	bySize      = "size:1:8:64:512"
	byQueue     = "queue_id"
	byPartition = "partition_id"
	byUser      = "user_id"
	byAccount   = "account_id"
)

// classes returns the classes of a breakdown, except the class of jobs without a value.
func (r *Report) classes(by string) []inspect.ByValue {
	for _, b := range r.Log.Also {
		if b.Column == by {
			return slices.DeleteFunc(slices.Clone(b.Values), func(v inspect.ByValue) bool { return v.Value == "" && !v.Class })
		}
	}
	return nil
}

// WaitTables returns tables of the waits by size; by reason, if known; and by queue or, if there
// are not several queues, by partition.
func (r *Report) WaitTables() []*page.Table {
	sizes := r.classes(bySize)
	slices.SortFunc(sizes, func(a, b inspect.ByValue) int { return cmp.Compare(a.Size.Min, b.Size.Min) })
	tables := []*page.Table{waitTable("processors", sizes)}
	if r.Log.Pending != nil {
		tables = append(tables, pageTable("Why jobs waited, by Slurm's reasons", view.For(r.Log.Pending).Table()))
	}
	by, queues := "queue", r.classes(byQueue)
	if partitions := r.classes(byPartition); len(queues) < 2 && len(partitions) > 1 {
		by, queues = "partition", partitions
	}
	if len(queues) > 1 {
		slices.SortStableFunc(queues, func(a, b inspect.ByValue) int { return cmp.Compare(b.Wait.Known, a.Wait.Known) })
		tables = append(tables, waitTable(by, queues[:min(len(queues), mostWaitRows)]))
	}
	return tables
}

// waitTable returns a table of the waits of the classes in which some wait is known.
func waitTable(by string, classes []inspect.ByValue) *page.Table {
	var rows []waitRow
	for _, v := range classes {
		if w := v.Wait; w.Known > 0 {
			rows = append(rows, waitRow{strings.TrimPrefix(strings.TrimPrefix(v.Label(), "size="), "size"), w.Known, w.Mean, w.Median, w.Q95})
		}
	}
	return pageTable("Waits by "+by, view.For(rows).Heading(0, by).Table())
}

// waitRow is a row of a table of waits.
type waitRow struct {
	Name   string       `show:"class"`
	Jobs   int64        `show:"jobs"`
	Mean   stats.Number `show:"mean wait,s"`
	Median stats.Number `show:"median wait,s"`
	Q95    stats.Number `show:"95th percentile,s"`
}

// mostWaitRows is the largest number of queues shown, those with the most jobs. mostShares is the
// largest number of users or accounts shown, those with the most processor time.
const (
	mostWaitRows = 12
	mostShares   = 10
)

// Users returns the users in the log by decreasing processor time.
func (r *Report) Users() []inspect.ByValue { return r.classes(byUser) }

// Accounts returns the accounts in the log by decreasing processor time.
func (r *Report) Accounts() []inspect.ByValue { return r.classes(byAccount) }

// Shares returns tables of the users and the accounts with the most processor time.
func (r *Report) Shares() (all []*page.Table) {
	for _, of := range []struct {
		what   string
		shares []inspect.ByValue
	}{{"user", r.Users()}, {"account", r.Accounts()}} {
		if len(of.shares) > 0 {
			all = append(all, r.shareTable(of.what, of.shares))
		}
	}
	return all
}

func (r *Report) shareTable(what string, all []inspect.ByValue) *page.Table {
	top := all[:min(len(all), mostShares)]
	caption := fmt.Sprintf("The %s with the most processor time", countedText(int64(len(top)), what))
	switch {
	case len(all) == 1:
		caption = "The only " + what
	case len(top) < len(all):
		caption += ", of " + view.Grouped(int64(len(all)))
	}
	var rows []shareRow
	for _, x := range top {
		rows = append(rows, shareRow{x.Label(), float64(x.Work) / 3600, stats.Share(x.Pct / 100), stats.Share(r.WorkShare(x))})
	}
	return pageTable(caption, view.For(rows).Heading(0, what).Table())
}

// shareRow is a row of the table of shares.
type shareRow struct {
	Name    string      `show:"name"`
	Hours   float64     `show:"processor hours,%.1f"`
	JobsPct stats.Share `show:"share of jobs,%"`
	WorkPct stats.Share `show:"share of hours,%"`
}

// WorkShare returns the share of the processor time that the classes used, NaN if unknown.
func (r *Report) WorkShare(classes ...inspect.ByValue) (share float64) {
	for _, x := range classes {
		share += float64(x.Work) / r.Log.Work
	}
	return share
}

// TopUsers returns the users with the most processor time, at most mostShares of them.
func (r *Report) TopUsers() []inspect.ByValue {
	users := r.Users()
	return users[:min(len(users), mostShares)]
}

// TopShare returns the share of the processor time that TopUsers used.
func (r *Report) TopShare() float64 { return r.WorkShare(r.TopUsers()...) }
