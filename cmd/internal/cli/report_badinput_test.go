package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Names in logs, and of logs, are words on the page and nothing else.
func TestReportEscapesNames(t *testing.T) {
	const evil = `<script>alert(1)</script><img src=x onerror=alert(2)>"'&`
	log := strings.Replace(tiny, "; Computer: Abacus\n", "; Computer: "+evil+"\n; Queue: 0 "+evil+"\n; Queue: 1 </script><b>\n", 1)
	path := filepath.Join(t.TempDir(), `a<b>&"'$(x).swf`)
	if err := os.WriteFile(path, []byte(log), 0o666); err != nil {
		t.Fatal(err)
	}
	page := reportOf(t, path)
	for _, never := range []string{"<script>alert", "<img", "a<b>", "</script><b>"} {
		if strings.Contains(page, never) {
			t.Errorf("the page has %s", never)
		}
	}
	for _, want := range []string{`role="rowheader">&lt;script&gt;alert(1)&lt;/script&gt;`, "a&lt;b&gt;&amp;"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	if n := strings.Count(page, "<script>"); n != 2 {
		t.Errorf("%d scripts, want the page's own two", n)
	}
}

// Logs with nothing to show say so, section by section.
func TestReportOfLittle(t *testing.T) {
	var nameless, noTimes, noSizes strings.Builder
	for i := range 60 {
		fmt.Fprintf(&nameless, "%d %d -1 %d %d -1 -1 %d -1 -1 1 -1 -1 -1 -1 -1 -1 -1\n", i+1, 100*i, 10+i*7%50, 1+i%4, 1+i%4)
		fmt.Fprintf(&noTimes, "%d -1 -1 -1 %d -1 -1 -1 -1 -1 1 1 1 1 1 1 -1 -1\n", i+1, 1+i%4)
		fmt.Fprintf(&noSizes, "%d %d 5 %d -1 -1 -1 -1 -1 -1 1 1 1 1 1 1 -1 -1\n", i+1, 100*i, 10+i*7%50)
	}
	for _, c := range []struct {
		name, log string
		want      []string
	}{
		{"no users, waits, machine or clock", nameless.String(), []string{
			"The log does not identify users", "The log does not say how many processors the machine has", "The log does not say when it began",
			"Waits are not in the log", "The model was not compared with the log:",
		}},
		{"a machine, no waits", "; MaxProcs: 8\n; MaxJobs: 61\n" + nameless.String(), []string{"header-jobs", "Predictors of wait were not scored:"}},
		{"no times", "; MaxProcs: 8\n" + noTimes.String(), []string{"No job has a submit time", "There is no file of the model:", "Predictors of run time were not scored"}},
		{"no sizes", noSizes.String(), []string{"There is no file of the model:"}},
		{"four jobs", tiny, []string{"What to trust"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			page := reportOf(t, writeLog(t, c.log))
			for _, want := range c.want {
				if !strings.Contains(page, want) {
					t.Errorf("the page lacks %q", want)
				}
			}
			if strings.Contains(page, "NaN") || strings.Contains(page, "ZgotmplZ") {
				t.Error("the page has NaN, or what a template refused")
			}
		})
	}
}

func TestReportWrongUsage(t *testing.T) {
	log := writeLog(t, tiny)
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"report"}, "a log is missing"},
		{[]string{"report", log}, "-o is missing"},
		{[]string{"report", "-", "-o", "r.html"}, "not standard input"},
		{[]string{"report", log, "-o", "r.pdf"}, "want a name that ends in .html"},
		{[]string{"report", log, "-o", "-"}, "a page is a file"},
		{[]string{"report", log, "-o", "r.html", "--without", "fit"}, "--without"},
		{[]string{"report", "a", "b", "-o", "r.html"}, "want one log"},
	} {
		if r := loadstone(t, "", c.args...); r.code != exitUsage || !strings.Contains(r.err, c.want) {
			t.Errorf("%q: exit code %d, %s want %q", c.args, r.code, r.err, c.want)
		}
	}
}
