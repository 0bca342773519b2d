package cli

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/browser"
	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/internal/longtest"
)

// Checks what a person would look for in the page, in a real browser, with
// testdata/report_checks.js.
func TestReportInBrowser(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("a browser, and all commands on a whole log")
	}
	b := browser.New(t)
	page := filepath.Join(t.TempDir(), "report.html")
	if r := loadstone(t, "", "report", made(t), "-o", page); r.code != exitDone {
		t.Fatal(r.err)
	}
	b.Screen(1280, 900, "", "light")
	b.Open("file://" + page)
	b.Eval(mustRead("testdata/report_checks.js")+"; 0", nil)
	check := func(what, call string) {
		t.Helper()
		var faults []string
		b.Eval("checks."+call, &faults)
		for _, fault := range faults {
			t.Errorf("%s: %s", what, fault)
		}
	}
	// axe runs the accessibility checks, which are skipped if axe is not installed.
	axe := func(what string) { t.Run("axe "+what, func(t *testing.T) { b.Axe(t, what) }) }
	// fits checks the page in the test's font and in a wider one.
	fits := func(what string, width int) {
		t.Helper()
		for _, em := range []float64{.08, 0} {
			b.Spread(em)
			check(fmt.Sprintf("%s, spread by %g em", what, em), fmt.Sprintf("fits(%d)", width))
		}
	}
	b.Screen(375, 900, "", "light")
	fits("a phone, folded", 375)
	b.Screen(1280, 900, "", "light")
	axe("as it opens")
	for _, name := range []string{"folded", "drawn", "legends", "whole", "zoom", "hover"} {
		check(name, name+"()")
	}
	b.Screen(1280, 2600, "", "light")
	check("moved", "moved()")
	b.Screen(1280, 900, "", "light")
	for _, figure := range []string{"load-and-use", "run-times-distribution", "queue-jobs"} {
		for i, key := range []string{"Home", "ArrowRight", "End"} {
			if key == "End" {
				b.Eval(fmt.Sprintf("checks.press(%q, 'Zoom in')", figure), nil)
			}
			b.Eval(fmt.Sprintf("checks.slider(%q)", figure), nil)
			b.Key(key, []int{36, 39, 35}[i])
			check("keyboard", fmt.Sprintf("heard(%q, %q)", figure, key))
		}
	}
	for _, s := range []struct {
		name, media, scheme string
		width               int
	}{
		{"report-1280-dark", "", "dark", 1280},
		{"report-375", "", "light", 375},
		{"report-375-dark", "", "dark", 375},
		{"report-print", "print", "light", 794},
	} {
		b.Screen(s.width, 900, s.media, s.scheme)
		check(s.name, "fitted()")
		fits(s.name, s.width)
		if s.media != "print" {
			check(s.name, "drawn()")
			if longtest.Size(0, 1) == 1 || s.width < 500 && s.scheme == "light" {
				axe(s.name) // takes several seconds
			}
		}
	}
	checkQuiet(t, b, page)
}

// checkQuiet fails for errors, warnings and requests among the events.
func checkQuiet(t *testing.T, b *browser.Browser, page string) {
	b.Call("Page.getLayoutMetrics", nil, nil) // pending events have arrived after this
	requests := 0
	for _, e := range b.Events {
		switch e.Method {
		case "Runtime.exceptionThrown", "Log.entryAdded", "Runtime.consoleAPICalled":
			t.Errorf("%s: %s", e.Method, e.Params)
		case "Network.requestWillBeSent":
			var p struct{ Request struct{ URL string } }
			jobtest.NoError(t, json.Unmarshal(e.Params, &p))
			requests++
			if p.Request.URL != "file://"+page && !strings.HasPrefix(p.Request.URL, "data:") {
				t.Errorf("a request for %.100s", p.Request.URL)
			}
		}
	}
	if requests == 0 {
		t.Error("no request was seen, not even for the page")
	}
}
