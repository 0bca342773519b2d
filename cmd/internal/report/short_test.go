package report

import (
	"math"
	"testing"
	"time"

	"github.com/loadstone-hpc/loadstone/cmd/internal/page"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/inspect"
)

// A log that covers no interval by half is too short for a chart, whatever else it lacks; a
// longer one lacks the data.
func TestWhyNoSeries(t *testing.T) {
	nan := stats.Number(math.NaN())
	for _, c := range []struct {
		width   stats.Number
		covered []stats.Number
		value   stats.Number
		load    string
		queue   string
	}{
		{3600, []stats.Number{1068}, .1, "missing: The log is too short for this chart: it covers less than half of each hour.", "missing: The log is too short for this chart: it covers less than half of each hour."},
		{6 * 3600, []stats.Number{1068, 60}, nan, "missing: The log is too short for this chart: it covers less than half of each interval of 6 hours.", "missing: The log is too short for this chart: it covers less than half of each interval of 6 hours."},
		{3600, []stats.Number{60, 3600}, nan, "missing: No job has both a size and a run time, so the load is unknown.", "missing: The log has no waiting times, so the queue is unknown."},
	} {
		l := &Report{use: &inspect.Usage{Width: c.width}, describe: &inspect.Description{}}
		l.describe.Log.Processors = 64
		for _, seconds := range c.covered {
			l.use.Intervals = append(l.use.Intervals, inspect.UsageInterval{Covered: seconds, Load: c.value, Utilisation: nan, JobsWaiting: c.value, ProcessorsWaiting: nan})
		}
		same(t, "load", lines(l.loadAndUse()), []string{c.load})
		same(t, "queue", lines(l.queue()), []string{c.queue})
	}
}

// A period below two days is in hours, minutes or seconds, and a date that is the same at
// both ends stands once.
func TestPeriodOfShortLogs(t *testing.T) {
	for _, c := range []struct {
		last              float64
		value, more, said string
	}{
		{1068, "17.8 min", "2024-01-01", " on 2024-01-01"},
		{3 * 3600, "3 h", "2024-01-01", " on 2024-01-01"},
		{36 * 3600, "36 h", "2024-01-01 to 2024-01-02", " from 2024-01-01 to 2024-01-02"},
		{2.5 * 86400, "2.5 days", "2024-01-01 to 2024-01-03", " from 2024-01-01 to 2024-01-03"},
	} {
		l := &Report{describe: &inspect.Description{Clock: workload.Clock{Start: time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC), Known: true}}}
		l.describe.Log.LastSubmit = stats.Number(c.last)
		if p := l.period(); p.Value.Text != c.value || p.More != c.more || l.periodWords() != c.said {
			t.Errorf("%g s: %q, %q, %q", c.last, p.Value.Text, p.More, l.periodWords())
		}
	}
}

// Processor time is in minutes where no one has used two hours.
func TestShareTableUnits(t *testing.T) {
	top := []inspect.UserShare{{Name: "root", Work: 3600, WorkPct: .75, JobsPct: .5}, {Name: "alice", Work: 1200, WorkPct: .25, JobsPct: .5}, {Name: "bob", Work: 90}}
	table := shareTable("user", &inspect.Shares{Distinct: 3, Top: top})
	same(t, "minutes", tableLines(&table), []string{"# The 3 users with the most processor time", "user | processor minutes | share of minutes | share of jobs",
		"root | 60 | 75.0 % | 50.0 %", "alice | 20 | 25.0 % | 50.0 %", "bob | 1.5 | 0.0 % | 0.0 %"})
	top[0].Work = 432_000
	table = shareTable("user", &inspect.Shares{Distinct: 3, Top: top[:2]})
	same(t, "hours", tableLines(&table), []string{"# The 2 users with the most processor time, of 3", "user | processor hours | share of hours | share of jobs",
		"root | 120 | 75.0 % | 50.0 %", "alice | 0.3 | 25.0 % | 50.0 %"})
}

// The columns that a log lacks are named as those that it has.
func TestColumnNames(t *testing.T) {
	l := &Report{describe: &inspect.Description{Columns: map[string]inspect.Column{"think_time_s": {}, "used_memory_kb": {}}}}
	var got []page.Block
	for _, b := range l.who() {
		if b.Remark != nil {
			got = append(got, b)
		}
	}
	same(t, "who", lines(got), []string{"missing: Not in the log: used_memory_kb, think_time."})
}

// The clock is named after a colon: it may be a zone, or a sentence about one.
func TestClockWords(t *testing.T) {
	for clock, want := range map[string]string{
		"Europe/Stockholm": "Clock of the hours and weekdays: Europe/Stockholm.",
		"no time zone in the header: UTC is used (--timezone names another)": "Clock of the hours and weekdays: no time zone in the header, so UTC is used (--timezone names another).",
	} {
		if got := clockWords(clock); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
