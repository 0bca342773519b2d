package report

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/cmd/internal/page"
	"github.com/loadstone-hpc/loadstone/workload/inspect"
)

// reportOf is the report of a log of 60 days, of which only the first week is without jobs:
// second 0 is Monday, 1 January 1996, the first job is submitted on Thursday of the week
// after. Jobs are submitted in the half hours of the day that half returns, have the status,
// and wait as many seconds as wait returns.
func reportOf(t *testing.T, status int, half func(i int) int, wait func(i int) int) (*Report, string) {
	t.Helper()
	var rows strings.Builder
	rows.WriteString("; MaxProcs: 16\n; UnixStartTime: 820454400\n; TimeZoneString: UTC\n")
	for i := range 1200 {
		fmt.Fprintf(&rows, "%d %d %d %d 1 -1 -1 1 3600 -1 %d %d 1 1 -1 -1 -1 -1\n", i+1, 86400*(10+i/24)+1800*half(i)+i%24, wait(i), 600+i%300, status, 1+i%7)
	}
	log := filepath.Join(t.TempDir(), "log.swf")
	if err := os.WriteFile(log, []byte(rows.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	r, err := Compute(context.Background(), Options{Log: log, Output: "r.html", Without: []string{Waits, Twins, RunTimes}, Seed: 3})
	if err != nil {
		t.Fatal(err)
	}
	var html bytes.Buffer
	if err := page.Write(&html, r.Page()); err != nil {
		t.Fatal(err)
	}
	return r, html.String()
}

func byDay(i int) int { return 16 + i%20 }

func zero(int) int { return 0 }

// A log in which every job has the status 0 records no outcome: a share of failed jobs of
// 100 % would mislead.
func TestNoOutcomes(t *testing.T) {
	for status, want := range map[int]string{0: "not recorded", 1: "none recorded"} {
		l, _ := reportOf(t, status, byDay, zero)
		for _, f := range l.key() {
			if f.Name == "Failed jobs" && f.Value.Text != want {
				t.Errorf("status %d: %q, want %q", status, f.Value.Text, want)
			}
		}
		for _, c := range l.use.Changes {
			if c.Measure == "failed_pct" {
				t.Errorf("status %d: failed jobs are compared", status)
			}
		}
	}
}

// Nothing is dated before the first submission, 11 January 1996, although the week or the
// day of it begins earlier.
func TestFirstIntervalBeginsWithTheFirstJob(t *testing.T) {
	l, _ := reportOf(t, 1, byDay, zero)
	first := float64(l.describe.Log.FirstSubmit)
	if e := l.edges(); e[0] != first || !(e[1] > first) {
		t.Errorf("edges from %v, want from %v", e[:2], first)
	}
	if got, want := l.date(l.begins(l.use.Intervals[0])), "1996-01-11 08:00"; got != want {
		t.Errorf("the first interval is from %s, want %s", got, want)
	}
}

// A cycle is drawn as fitted only if it fits. Jobs in one hump about two o'clock have a
// Gamma close by; those of 8:00 and 20:00 alone have none, since a Gamma has one peak.
func TestCyclesThatDoNotFit(t *testing.T) {
	for _, c := range []struct {
		what string
		half func(int) int
		fits bool
	}{
		{"jobs about two", func(i int) int {
			return []int{15, 17, 19, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 38, 40, 42, 44, 46}[i%24]
		}, true},
		{"two peaks", func(i int) int { return 16 + 24*(i%2) }, false},
	} {
		l, html := reportOf(t, 1, c.half, zero)
		cycle := l.site().Arrivals.Cycle
		if cycle.Fits() != c.fits {
			t.Fatalf("%s: D %v", c.what, cycle.D)
		}
		if drawn := strings.Contains(html, "fitted cycle"); drawn != c.fits {
			t.Errorf("%s: a fitted cycle is drawn: %t, D is %v", c.what, drawn, cycle.D)
		}
		for _, caution := range []string{"the law of the daily cycle does not fit", "is not drawn, since it does not fit", ": does not fit"} {
			if strings.Contains(strings.ToLower(html), caution) == c.fits {
				t.Errorf("%s: %q is there: %t", c.what, caution, c.fits)
			}
		}
	}
}

// The card of waits has one unit. By hand: the waits are 100 to 120,000 s in equal steps of
// 100 s, so that the median is 60,050 s and the 0.9-quantile 108,010 s: 16.7 and 30.0 h,
// where each alone would be in hours and in hours or days.
func TestWaitsHaveOneUnit(t *testing.T) {
	l, _ := reportOf(t, 1, byDay, func(i int) int { return 100 * (1 + i*7%1200) })
	for _, f := range l.key() {
		if f.Name == "Median wait" && (f.Value.Text != "16.7 h" || f.More != "one in ten waited longer than 30 h" && f.More != "one in ten waited longer than 30.0 h") {
			t.Errorf("%q, %q", f.Value.Text, f.More)
		}
		if strings.HasPrefix(f.Name, "Faults") {
			t.Errorf("a card counts faults, which are jobs, moments and header lines")
		}
	}
	if got := quartileFact("x", inspect.Column{Known: 3, Median: 32000, Q25: 4000, Q75: 236000}, timeTexts); got.Value.Text != "8.9 h" || got.More != "middle half 1.1 h to 65.6 h" {
		t.Errorf("got %q, %q", got.Value.Text, got.More)
	}
	if math.IsNaN(float64(l.use.Waits.Median)) {
		t.Error("no waits")
	}
}
