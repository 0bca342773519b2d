package report

import (
	"slices"
	"testing"
	"time"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/inspect"
)

// What was measured has a row, times of seconds as times; what is unknown has none.
func TestColumns(t *testing.T) {
	run := inspect.Column{Unit: "s", Known: 4, KnownPct: 80, CV: .5}
	run.Mean, run.Q25, run.Median, run.Q75, run.Min, run.Max = 7200, 60, 3600, 7200, 1, 86400
	size := inspect.Column{Known: 5, KnownPct: 100, CV: 2}
	size.Mean, size.Q25, size.Median, size.Q75, size.Min, size.Max = 60, 1, 2, 64, 1, 128
	names := inspect.Measured()
	l := &Report{describe: &inspect.Description{Columns: map[string]inspect.Column{"run_time_s": run, names[len(names)-1]: size}}}
	var got [][]string
	for _, row := range l.columns().Rows {
		var cells []string
		for _, c := range row {
			cells = append(cells, c.Text)
		}
		got = append(got, cells)
	}
	want := [][]string{
		{"run_time", "80.0 %", "2 h", "0.50", "60 s", "60 min", "2 h", "1 s", "24 h"},
		{names[len(names)-1], "100.0 %", "60", "2.00", "1", "2", "64", "1", "128"},
	}
	if !slices.EqualFunc(got, want, slices.Equal) {
		t.Errorf("%q, want %q", got, want)
	}
}

// The columns of moments are dates where the log has some: 19 days after 1 January 2024 is
// 20 January.
func TestColumnsOfDates(t *testing.T) {
	at := inspect.Column{Unit: "s", Known: 1, KnownPct: 100}
	at.Mean, at.Q25, at.Median, at.Q75, at.Min, at.Max = 19*86400, 19*86400, 19*86400, 19*86400, 19*86400, 19*86400
	d := &inspect.Description{Columns: map[string]inspect.Column{"submit_time_s": at, "eligible_time_s": at}}
	d.Clock = workload.Clock{Start: time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC), Known: true}
	l := &Report{describe: d, o: &Options{}}
	rows := l.columns().Rows
	if len(rows) != 2 {
		t.Fatalf("%d rows, want 2", len(rows))
	}
	for _, row := range rows {
		if row[2].Text != "2024-01-20" || row[8].Text != "2024-01-20" {
			t.Errorf("%s: %q to %q, want 2024-01-20", row[0].Text, row[2].Text, row[8].Text)
		}
	}
}
