package cli

import (
	"fmt"
	"html"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// wordsOf is a page's text.
func wordsOf(page string) string {
	text := regexp.MustCompile(`(?s)<(script|style)[^>]*>.*?</(script|style)>`).ReplaceAllString(page, "")
	text = regexp.MustCompile(`</?span[^>]*>`).ReplaceAllString(text, "")
	text = regexp.MustCompile(`<[^>]*>`).ReplaceAllString(text, " ")
	return regexp.MustCompile(`\s+`).ReplaceAllString(html.UnescapeString(text), " ")
}

// The sections for a computing centre say what can be computed by hand of this log: for
// five days from Monday 1 January 2024 on, a job of two of the four processors is
// submitted at midnight, waits one hour longer than that of the day before, and runs for
// 12 hours; the last submission is a job of four processors that fails.
func TestReportForACentre(t *testing.T) {
	text := "; MaxProcs: 4\n; UnixStartTime: 1704067200\n; TimeZoneString: UTC\n; User: 1 alice\n"
	line := func(submit, wait, run, size, status, user, queue int) {
		text += fmt.Sprintf("1 %d %d %d %d -1 -1 %d -1 -1 %d %d -1 -1 %d -1 -1 -1\n", submit, wait, run, size, size, status, user, queue)
	}
	for d := range 5 {
		line(d*86400, d*3600, 43200, 2, 1, 1, 3)
	}
	line(5*86400, 0, 3600, 4, 0, 2, 4)
	page := reportOf(t, writeLog(t, text), "--without", "predict,runtime,compare")
	said, tables := wordsOf(page), tablesOf(t, page)
	for _, want := range []string{
		"2 users submitted 6 jobs from 2024-01-01 to 2024-01-06.",
		// 5*2*12 processor hours and 4*1, and 5*2*12, of 4*5*24.
		"The work submitted (offered load) is 25.8% of the capacity of the machine's 4 processors; 25.0% of that capacity was used (utilisation).",
		// 0, 0, 1, 2, 3 and 4 h.
		"Half of the jobs waited no longer than 90 min; one in ten waited longer than 3.500 h.",
		// 120 of 124 processor hours.
		"Of the processor time, user alice used 96.8%, more than any other user; the first 2 of 2 users used 100.0%.",
		// With eight measures of five days, 2*8/5 stand out on average.
		"Outside its earlier range in the last day compared, 2024-01-05, by chance 3.2 of 8 measures: mean wait 4 h (highest of 5 days), median wait 4 h (highest of 5 days), 90th percentile of waits 4 h (highest of 5 days).",
		"without any change, 3.2 of the 8 measures would be one of the two on average.",
		// The hour of the last submission is not covered.
		"The work submitted exceeded the machine's capacity in 5 of 120 hours.",
		"2024-01-06 is left out: the log covers 0.0% of the day.",
		"The log has no accounts or projects.",
	} {
		if !strings.Contains(said, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	for _, want := range []struct{ caption, row string }{
		// (0+1+2+3+4+0)/6 h on the mean.
		{"Waits by processors", "all jobs | 6 | 100 min | 90 min | 3.500 h"},
		{"Waits by queue", "3 | 5 | 2 h | 2 h | 3.600 h"},
		{"Waits by queue", "4 | 1 | 0 h | 0 h | 0 h"},
		{"The 2 users with the most processor time", "alice | 120.0 | 83.3% | 96.8%"},
		{"The 2 users with the most processor time", "2 | 4.0 | 16.7% | 3.2%"},
		{"2024-01-05 compared with the complete days before it", "median wait | 4 h | 1.500 h"},
		{"2024-01-05 compared with the complete days before it", "jobs a day | 1 | 1"},
		{"2024-01-05 compared with the complete days before it", "utilisation | 25.0% | 25.0%"},
		{"2024-01-05 compared with the complete days before it", "failed jobs | 0.0% | 0.0%"},
	} {
		if !slices.ContainsFunc(tables[want.caption], func(row []string) bool { return strings.HasPrefix(strings.Join(row, " | "), want.row) }) {
			t.Errorf("%s: %q lacks %q", want.caption, tables[want.caption], want.row)
		}
	}
}

// Where a log lacks a value, the page says so in its place and does not draw a 0.
func TestReportWithoutWaits(t *testing.T) {
	text := "; MaxProcs: 4\n"
	for d := range 60 {
		text += fmt.Sprintf("1 %d -1 600 1 -1 -1 1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1\n", d*40000)
	}
	page := reportOf(t, writeLog(t, text), "--without", "predict,runtime,compare")
	said := wordsOf(page)
	for _, want := range []string{
		"There is no utilisation: it needs", "The log has no waiting times.", "The log does not identify users",
		"Not compared, because the log lacks the data: active users.", "Not compared, because the log lacks the data: mean wait.",
		"Waits are not in the log.", "The log does not say when it began",
	} {
		if !strings.Contains(said, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	if !strings.Contains(page, `id="load-and-use"`) || strings.Contains(page, `id="queue-jobs"`) || strings.Contains(said, "used (utilisation)") {
		t.Error("no load, or a queue that nobody knows")
	}
}

// Of a log that has no failed job it is not said that 0 % failed: the site may not record it.
func TestReportWithoutFailures(t *testing.T) {
	text := "; MaxProcs: 4\n; UnixStartTime: 1704067200\n; TimeZoneString: UTC\n"
	for d := range 6 {
		text += fmt.Sprintf("1 %d 60 600 2 -1 -1 2 -1 -1 %d 1 -1 -1 -1 -1 -1 -1\n", d*86400, 1+4*(d%2)) // completed, cancelled
	}
	said := wordsOf(reportOf(t, writeLog(t, text), "--without", "predict,runtime,compare"))
	for _, want := range []string{"Failed jobs none recorded", "Not compared, because the log lacks the data: failed jobs.", "measures: none."} {
		if !strings.Contains(said, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	if strings.Contains(said, "0.0% to 0.0%") {
		t.Error("the page compares shares of failed jobs")
	}
}
