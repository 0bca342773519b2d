package cli

import (
	"fmt"
	"html"
	"regexp"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/stats"
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
	page := reportOf(t, writeLog(t, text), "--without", "predict,runtime,twins")
	said, tables := wordsOf(page), tablesOf(t, page)
	for _, want := range []string{
		"2 users submitted 6 jobs from 2024-01-01 to 2024-01-06.",
		// 5*2*12 processor hours and 4*1, and 5*2*12, of 4*5*24.
		"The work submitted (offered load) is 25.8 % of the capacity of the machine's 4 processors; 25.0 % of that capacity was used (utilisation).",
		// 0, 0, 1, 2, 3 and 4 h.
		"Half of the jobs waited no longer than 1.5 h; one in ten waited longer than 3.5 h.",
		// 120 of 124 processor hours.
		"Of the processor time, alice used 96.8 %, more than any other user.",
		// With eight measures of five days, 2*8/5 stand out on average.
		"In the last day compared, 2024-01-05, 3 of 8 measures are outside their earlier range (by chance: 3.2): mean wait 4 h (highest of 5 days), median wait 4 h (highest of 5 days), 90th percentile of waits 4 h (highest of 5 days).",
		"each measure would be one of the two with a probability of 2 in 5; on average, 3.2 of the 8 measures would be.",
		// The hour of the last submission is not covered.
		"In 5 of the 120 hours, the work submitted exceeded the machine's capacity.",
		"Left out, because the log covers less than 90 % of the day: 2024-01-06 (0.0 %).",
		"The log has no accounts or projects.",
	} {
		if !strings.Contains(said, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	expect(t, tables, "Waits by number of processors", "2-4", 1, 6, 5400, 12600)
	// (0+1+2+3+4+0)/6 h on the mean.
	expect(t, tables, "Waits by number of processors", "all jobs", 1, 6, 5400, 12600)
	expect(t, tables, "Waits by queue", "3", 1, 5, 7200)
	expect(t, tables, "Waits by queue", "4", 1, 1, 0, 0)
	expect(t, tables, "The 2 users with the most processor time", "alice", 1, 120, 120./124, 5./6)
	expect(t, tables, "The 2 users with the most processor time", "user 2", 1, 4, 4./124, 1./6)
	day := "2024-01-05 compared with the complete days before it"
	expect(t, tables, day, "median wait", 1, 14400, 5400)
	expect(t, tables, day, "jobs a day", 1, 1, 1)
	expect(t, tables, day, "utilisation", 1, 0.25, 0.25)
	expect(t, tables, day, "failed jobs", 1, 0, stats.Number(0))
}

// Where a log lacks a value, the page says so in its place and does not draw a 0.
func TestReportWithoutWaits(t *testing.T) {
	text := "; MaxProcs: 4\n"
	for d := range 60 {
		text += fmt.Sprintf("1 %d -1 600 1 -1 -1 1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1\n", d*40000)
	}
	page := reportOf(t, writeLog(t, text), "--without", "predict,runtime,twins")
	said := wordsOf(page)
	for _, want := range []string{
		"there is no utilisation and no queue", "The log has no waiting times, so the queue is unknown.", "The log does not identify users",
		"Not compared, because the log lacks the data: active users, utilisation, mean wait, median wait, 90th percentile of waits, failed jobs.",
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
	said := wordsOf(reportOf(t, writeLog(t, text), "--without", "predict,runtime,twins"))
	for _, want := range []string{"Failed jobs none recorded", "Not compared, because the log lacks the data: failed jobs.", "in every measure compared"} {
		if !strings.Contains(said, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	if strings.Contains(said, "0.0 % to 0.0 %") {
		t.Error("the page compares shares of failed jobs")
	}
}
