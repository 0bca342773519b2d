package report

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"html"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/loadstone-hpc/loadstone/cmd/internal/page"
	"github.com/loadstone-hpc/loadstone/cmd/internal/view"
	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/inspect"
)

// textOf returns the text of a section as one line.
func textOf(t *testing.T, r *Report, section string) string {
	t.Helper()
	body, err := page.Body(templates, section, r)
	if err != nil {
		t.Fatal(err)
	}
	text := regexp.MustCompile(`</?(span|b|code)[^>]*>`).ReplaceAllString(string(body), "")
	text = html.UnescapeString(regexp.MustCompile(`<[^>]*>`).ReplaceAllString(text, " "))
	return strings.Join(strings.Fields(text), " ")
}

// A report is computed by a call: its results, the omitted parts with reasons, and the commands
// that give the numbers are values; the page is written from these.
func TestCompute(t *testing.T) {
	var rows strings.Builder
	rows.WriteString("; MaxProcs: 16\n")
	for i := range 40 {
		fmt.Fprintf(&rows, "%d %d 0 %d 1 -1 -1 1 -1 -1 1 1 1 1 1 -1 -1 -1\n", i+1, 60*i, 10+i*i%300)
	}
	log := filepath.Join(t.TempDir(), "a log.swf")
	jobtest.NoError(t, os.WriteFile(log, []byte(rows.String()), 0o600))
	r, err := Compute(context.Background(), Options{Log: log, Output: "r.html", Without: []string{Waits}, Seed: 3, Processors: 8, Global: []string{"--timezone", "UTC"}})
	if err != nil {
		t.Fatal(err)
	}
	if r.Log.Jobs != 40 || r.Fits == nil || r.runTimes == nil || r.waits != nil || r.Why[Waits] != "It was left out by --without predict." {
		t.Errorf("%d jobs, %+v", r.Log.Jobs, r.Why)
	}
	want := "loadstone describe '" + log + "' --by size:1:8:64:512 --timezone UTC --procs 8"
	if typed := r.Commands(); !slices.Contains(typed, want) || len(typed) != 6 {
		t.Errorf("%q lacks %q", typed, want)
	}
	var text bytes.Buffer
	p, err := r.Page()
	if err == nil {
		err = page.Write(&text, p)
	}
	if err != nil || !strings.Contains(text.String(), "Workload of a log") {
		t.Errorf("%v, %d bytes", err, text.Len())
	}
	if _, err := Compute(context.Background(), Options{Log: log + "x"}); err == nil || !strings.HasPrefix(err.Error(), log+"x") {
		t.Errorf("no log: %v", err)
	}
}

func TestOptions(t *testing.T) {
	for want, o := range map[string]Options{"procs": {Processors: -1}, "without": {Without: []string{"fit"}}, "": {Without: Parts()}} {
		got := ""
		var option *workload.OptionError
		if errors.As(o.Validate(), &option) {
			got = option.Option
		}
		if got != want {
			t.Errorf("%+v: fault of %q, want %q", o, got, want)
		}
	}
}

// reportOf returns a report of a log of 1200 jobs on 50 days, the first of which is submitted on
// Thursday, 11 January 1996, at 8:00.
func reportOf(t *testing.T, status int) *Report {
	t.Helper()
	var rows strings.Builder
	rows.WriteString("; MaxProcs: 16\n; UnixStartTime: 820454400\n; TimeZoneString: UTC\n")
	for i := range 1200 {
		fmt.Fprintf(&rows, "%d %d 0 %d 1 -1 -1 1 3600 -1 %d %d 1 1 -1 -1 -1 -1\n", i+1, 86400*(10+i/24)+1800*(16+i%20)+i%24, 600+i%300, status, 1+i%7)
	}
	log := filepath.Join(t.TempDir(), "log.swf")
	jobtest.NoError(t, os.WriteFile(log, []byte(rows.String()), 0o600))
	r, err := Compute(context.Background(), Options{Log: log, Output: "r.html", Without: Parts(), Seed: 3})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// A log in which every job has status 0 records no outcomes: a share of failed jobs of 100 % would
// be misleading.
func TestNoOutcomes(t *testing.T) {
	for status, want := range map[int]string{0: "Failed jobs not recorded", 1: "Failed jobs none recorded"} {
		r := reportOf(t, status)
		if key := textOf(t, r, "key"); !strings.Contains(key, want) {
			t.Errorf("status %d: %q lacks %q", status, key, want)
		}
	}
}

// However many users, accounts and queues there are, those that appear late are included. Of
// 600,000 s of work, user 5000 has 540,010 s, the nine after it 6,000 s each, which together is
// 594,010 s with the first, and 5,990 users have 1 s each. Each has an account and a queue; only
// the queue of user 5000 has two jobs, which wait 40 s and 60 s.
func TestManyUsers(t *testing.T) {
	var jobs []workload.Job
	add := func(user int64, wait, run float64) {
		j := workload.UnknownJob()
		j.Submit, j.Wait, j.Run, j.Processors = float64(user), wait, run, 1
		j.User, j.Queue = user, user
		workload.ColumnAt(workload.ColAccount).SetInt(&j, user)
		jobs = append(jobs, j)
	}
	for user := int64(1); user <= 6000; user++ {
		switch {
		case user == 5000:
			add(user, 40, 270_005)
			add(user, 60, 270_005)
		case user > 5000 && user < 5010:
			add(user, 0, 6000)
		default:
			add(user, 0, 1)
		}
	}
	open := func(name string) (*workload.Log, error) { return workload.LogOf(name, workload.Header{}, jobs), nil }
	r := &Report{o: &Options{Open: open}, Use: &inspect.Usage{}}
	if err := r.describe(t.Context(), &step{}); err != nil {
		t.Fatal(err)
	}
	const want = "user 5000 used 90.0%, more than any other user; the first 10 of 6,000 users used 99.0%."
	if got := textOf(t, r, "summary"); !strings.Contains(got, want) {
		t.Errorf("%q lacks %q", got, want)
	}
	for i, table := range r.Shares() {
		caption := "The 10 " + []string{"users", "accounts"}[i] + " with the most processor time, of 6,000"
		if want := []string{"5000", "150.0", "0.0%", "90.0%"}; table.Caption != caption || !slices.Equal(table.Rows[0], want) {
			t.Errorf("%s: %q, want %q", table.Caption, table.Rows[0], want)
		}
	}
	waits := r.WaitTables()[1]
	if want := []string{"5000", "2", "50 s", "50 s", "59 s"}; waits.Caption != "Waits by queue" || !slices.Equal(waits.Rows[0], want) {
		t.Errorf("%s: %q, want %q", waits.Caption, waits.Rows[0], want)
	}
}

// Nothing is drawn before the first submission, although its week or day begins earlier.
func TestFirstIntervalBeginsWithTheFirstJob(t *testing.T) {
	f := reportOf(t, 1).LoadChart()
	first := time.Date(1996, 1, 11, 8, 0, 0, 0, time.UTC).Unix()
	if f.Why != "" || !strings.Contains(string(f.Chart), fmt.Sprintf(`"data":[[%d,`, first)) {
		t.Errorf("%s: %.200s", f.Why, f.Chart)
	}
}

// busyReport returns a report of a machine with the given number of processors and a load of 0.875.
func busyReport(processors int64) *Report {
	r := &Report{o: &Options{Log: "a"}, Log: &inspect.Description{Jobs: 9, OfferedLoad: 0.875}}
	r.Use = &inspect.Usage{Utilisation: 0.875, Width: 3600, Intervals: []inspect.UsageInterval{{Covered: 3600, Load: 0.875, Utilisation: 0.875}}}
	r.Log.Log.Processors, r.Log.Log.LastSubmit = workload.Integer(processors), 100_000
	return r
}

// If more than 110 % of the machine is busy for 1 % of the log's time (of 100,000 s, 1,000 s), load
// and utilisation are called unreliable, with both numbers, at the tiles, in the summary, with the
// load and among the caveats.
func TestOverbooked(t *testing.T) {
	r := busyReport(8192)
	const busy = "up to 28,416 processors are busy on a machine of 8,192"
	for _, c := range []struct {
		what string
		busy *inspect.Busy
		want int // number of occurrences in the sections
	}{
		{"not checked", nil, 0},
		{"far more", &inspect.Busy{Peak: 28_416, PeakPct: 346.875, Seconds: 1000}, 1},
		{"for a moment", &inspect.Busy{Peak: 28_416, PeakPct: 346.875, Seconds: 999}, 0},
		{"a few more", &inspect.Busy{Peak: 9011, PeakPct: 109.998, Seconds: 50_000}, 0},
	} {
		r.Checks.Busy = c.busy
		for section, times := range map[string]int{"key": 2, "summary": 1, "load": 1, "caveats": 1} {
			if text := textOf(t, r, section); strings.Count(text, "unreliable: "+busy) != c.want*times {
				t.Errorf("%s: %s has %q", c.what, section, text)
			}
		}
	}
}

// The utilisation is a lower bound if jobs without a known wait have work.
func TestUncountedWork(t *testing.T) {
	r := busyReport(416)
	r.Use.Utilisation = 0.635
	for unplaced, want := range map[float64]bool{0.149: true, 0.01: false} {
		r.Use.Unplaced = unplaced
		const of = "jobs whose wait is unknown, with 14.9% of the work, are not counted"
		for section, words := range map[string]string{
			"key": "63.5% at least: " + of, "summary": "; at least 63.5% of that capacity was used (utilisation): " + of + ".",
			"load": "The utilisation and the queue are too low: " + of + ".",
		} {
			if text := textOf(t, r, section); strings.Contains(text, words) != want {
				t.Errorf("%v: %s has %q", unplaced, section, text)
			}
		}
	}
}

// A log that does not cover at least half of any interval is too short for a chart, whatever other
// data are missing; for a longer one the missing data are the reason.
func TestWhyNoChart(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		width       float64
		covered     []float64
		value       float64
		load, queue string
	}{
		{3600, []float64{1068}, .1, "The log is too short for this chart, which has a value for each hour.", "The log is too short for this chart, which has a value for each hour."},
		{6 * 3600, []float64{1068, 60}, nan, "The log is too short for this chart, which has a value for each 6 hours.", "The log is too short for this chart, which has a value for each 6 hours."},
		{3600, []float64{60, 3600}, nan, "No job has both a size and a run time, so the load is unknown.", "The log has no waiting times, so the queue is unknown."},
	} {
		r := busyReport(64)
		r.Use = &inspect.Usage{Width: c.width}
		for _, seconds := range c.covered {
			r.Use.Intervals = append(r.Use.Intervals, inspect.UsageInterval{Covered: seconds, Load: c.value, Utilisation: nan, JobsWaiting: c.value})
		}
		if got := r.LoadChart().Why; got != c.load {
			t.Errorf("load: %q, want %q", got, c.load)
		}
		if got := r.QueueChart().Why; got != c.queue {
			t.Errorf("queue: %q, want %q", got, c.queue)
		}
	}
}

// Loads above 1 are counted over the intervals of which the log covers at least half.
func TestOverload(t *testing.T) {
	r := busyReport(64)
	for _, load := range []float64{1.5, 0.5, math.NaN(), 1} {
		r.Use.Intervals = append(r.Use.Intervals, inspect.UsageInterval{Covered: 1800, Load: load}, inspect.UsageInterval{Covered: 1799, Load: 2})
	}
	if got, want := r.OverloadWords(), "The work submitted exceeded the machine's capacity in 1 of 4 hours."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	r.Use.Width = 3 * 3600
	if got, want := r.intervals(5), "5 intervals of 3 hours"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// A period below two days is in hours, minutes or seconds, and a date that is the same at both ends
// is given once.
func TestPeriodOfShortLogs(t *testing.T) {
	for _, c := range []struct {
		last               float64
		value, dates, said string
	}{
		{1068, "17.80 min", "2024-01-01", "9 jobs submitted on 2024-01-01."},
		{3 * 3600, "3 h", "2024-01-01", "9 jobs submitted on 2024-01-01."},
		{36 * 3600, "36 h", "2024-01-01 to 2024-01-02", "9 jobs submitted from 2024-01-01 to 2024-01-02."},
		{2.5 * 86400, "2.5 days", "2024-01-01 to 2024-01-03", "9 jobs submitted from 2024-01-01 to 2024-01-03."},
	} {
		r := busyReport(64)
		r.Log.Users = workload.Integer(workload.Unknown)
		r.Log.Clock = workload.Clock{Start: time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC), Known: true}
		r.Log.Log.LastSubmit = stats.Number(c.last)
		if text := textOf(t, r, "summary"); r.Period() != c.value || strings.Join(r.Dates(), " to ") != c.dates || !strings.HasPrefix(text, c.said) {
			t.Errorf("%g s: %q, %q, %q", c.last, r.Period(), r.Dates(), text)
		}
	}
}

// A median wait of 0 s is put in everyday words.
func TestWaitedWords(t *testing.T) {
	r := busyReport(64)
	for _, c := range []struct {
		median, q90 float64
		want        string
	}{
		{0, 0, "At least nine in ten jobs did not wait at all."},
		{0, 7200, "At least half of the jobs did not wait; one in ten waited longer than 2 h."},
		{5, 7200, "Half of the jobs waited no longer than 5 s; one in ten waited longer than 2 h."},
	} {
		r.Use.Waits.Median, r.Use.Waits.Q90 = c.median, c.q90
		if got := textOf(t, r, "waited"); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// Values far above the others are marked at the end of the axis.
func TestOffScale(t *testing.T) {
	r := busyReport(64)
	r.Log.Log.FirstSubmit = 0
	r.Use.Intervals = nil
	for k := range 40 {
		load := 0.5
		if k == 7 {
			load = 50
		}
		r.Use.Intervals = append(r.Use.Intervals, inspect.UsageInterval{Start: float64(3600 * k), Covered: 3600, Load: load, Utilisation: 0.5})
	}
	if c := string(r.LoadChart().Chart); !strings.Contains(c, `"name":"off the scale"`) {
		t.Error(c)
	}
	r.Use.Intervals[7].Load = 0.6
	if c := string(r.LoadChart().Chart); strings.Contains(c, "off the scale") {
		t.Error(c)
	}
}

// A sentence begins with a capital letter, unless that would change the spelling of a name.
func TestSentence(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "nothing ran": "Nothing ran.", "oh.": "Oh.", "unknown": "Unknown.", "as asked, none": "As asked, none.",
		"kth.swf: 8 jobs left out": "kth.swf: 8 jobs left out.", "twin: no size": "twin: no size.", "log-normal: one value": "log-normal: one value.",
		"p(size): a line": "p(size): a line.", "8 jobs": "8 jobs.", "a job": "A job.",
	} {
		if got := sentence(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// The output of commands is in order; the line before a table is its caption.
func TestPrinted(t *testing.T) {
	tables := [2]view.Table{{Head: []string{"a"}}, {Head: []string{"b"}}}
	prose := view.NewProse(fstest.MapFS{"a.txt": {Data: []byte("{{index . 0}}best: a\n\nlegend\nof two lines\n\nheading\n\n{{index . 1}}end\n")}}, "*.txt", nil)
	all := printed("the title", prose.Result("a.txt", tables, nil))
	var got []string
	for _, p := range all {
		if p.Table != nil {
			got = append(got, p.Table.Head[0]+" of "+p.Table.Caption)
		} else {
			got = append(got, strings.Join(p.Lines, "/"))
		}
	}
	if want := []string{"a of the title", "best: a", "legend/of two lines", "b of heading", "end"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
