package cli

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/cmd/internal/view"
	"github.com/loadstone-hpc/loadstone/workload/inspect"
)

// reportOf writes a report and returns the page.
func reportOf(t *testing.T, args ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "report.html")
	if r := loadstone(t, "", append([]string{"report", "-o", path}, args...)...); r.code != exitDone {
		t.Fatalf("exit code %d: %s", r.code, r.err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

var (
	captionInPage = regexp.MustCompile(`(?s)<caption class="hidden">(.*?)</caption>(.*?)</table>`)
	rowInPage     = regexp.MustCompile(`(?s)<tr[^>]*>(.*?)</tr>`)
	cellInPage    = regexp.MustCompile(`(?s)<t[hd][^>]*>(.*?)</t[hd]>`)
	shellInPage   = regexp.MustCompile(`(?s)<pre tabindex="0">(.*?)</pre>`)
	fileInPage    = regexp.MustCompile(`href="data:application/json;base64,([^"]*)"`)
)

// tablesOf are the rows of a page's tables by caption, without their heads.
func tablesOf(t *testing.T, page string) map[string][][]string {
	t.Helper()
	all := map[string][][]string{}
	for _, m := range captionInPage.FindAllStringSubmatch(page, -1) {
		caption := html.UnescapeString(m[1])
		for i, row := range rowInPage.FindAllStringSubmatch(m[2], -1) {
			var cells []string
			for _, c := range cellInPage.FindAllStringSubmatch(row[1], -1) {
				cells = append(cells, html.UnescapeString(regexp.MustCompile(`<[^>]*>`).ReplaceAllString(c[1], "")))
			}
			if i > 0 {
				all[caption] = append(all[caption], cells)
			}
		}
	}
	return all
}

// made is a log with users, waits and estimates that a published model makes.
func made(t *testing.T, seed string) string {
	t.Helper()
	jobs, log := filepath.Join(t.TempDir(), "jobs.swf"), filepath.Join(t.TempDir(), "made"+seed+".swf")
	for _, args := range [][]string{
		{"generate", "--model", "lublin1999", "--jobs", "700", "--procs", "64", "--load", "1.1", "--seed", seed, "-o", jobs},
		{"simulate", jobs, "-o", log},
	} {
		if r := loadstone(t, "", append(args, "-q")...); r.code != exitDone {
			t.Fatal(r.err)
		}
	}
	return log
}

// The page's numbers are those of the commands that it names: every row of the tables for
// modelling is a line that one of them prints.
func TestReportHasTheCommandsNumbers(t *testing.T) {
	log := made(t, "7")
	t.Chdir(t.TempDir()) // a command writes the model into it
	page := reportOf(t, log)
	blocks := shellInPage.FindAllStringSubmatch(page, -1)
	printed := map[string]bool{}
	for line := range strings.SplitSeq(strings.TrimSpace(html.UnescapeString(blocks[len(blocks)-1][1])), "\n") {
		r := loadstone(t, "", append(shellWords(line)[1:], "-q")...)
		if r.code != exitDone {
			t.Fatalf("%s: exit code %d: %s", line, r.code, r.err)
		}
		for text := range strings.Lines(r.out) {
			printed[strings.Join(strings.Fields(text), " ")] = true
		}
	}
	_, modelling, _ := strings.Cut(page, "For modelling")
	rows := 0
	for caption, table := range tablesOf(t, modelling) {
		if caption == "The numbers" { // of the chart of run times
			continue
		}
		for _, row := range table {
			rows++
			if text := strings.Join(strings.Fields(strings.Join(row, " ")), " "); !printed[text] {
				t.Errorf("%s: no command prints %q", caption, text)
			}
		}
	}
	if rows < 50 { // 12 fits, 27 traits, 10 predictors of run time and 9 of waits
		t.Errorf("compared %d rows: are there no more?", rows)
	}
	var d inspect.Description
	decode(t, &d, "describe", log)
	said := wordsOf(page)
	for _, want := range []string{"Offered load " + view.Percent(100*d.OfferedLoad), "Median run time " + view.Duration(d.Columns["run_time_s"].Median)} {
		if !strings.Contains(said, want) {
			t.Errorf("the page lacks %q", want)
		}
	}

	// The model's file is that of fit -o.
	want, err := os.ReadFile("made7.json")
	if err != nil {
		t.Fatal(err)
	}
	got, err := base64.StdEncoding.DecodeString(html.UnescapeString(fileInPage.FindStringSubmatch(page)[1]))
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("the model in the page has %d bytes, that of fit -o %d, %v", len(got), len(want), err)
	}
}

// What the charts draw is what the library measures.
func TestReportChartsHaveTheMeasuredNumbers(t *testing.T) {
	// The log covers the last ten minutes of its first hour.
	text := "; MaxProcs: 8\n"
	for i := range 60 {
		text += fmt.Sprintf("%d %d %d %d 2 -1 -1 2 -1 -1 1 1 1 1 1 1 -1 -1\n", i+1, 3000+1000*i, 100*(i%3), 100+10*(i%7))
	}
	log := writeLog(t, text)
	page := reportOf(t, log, "--without", "predict,runtime")
	var d inspect.Description
	decode(t, &d, "describe", log, "--section", "load", "--interval", "1h") // for it is shorter than a week
	chart := regexp.MustCompile(`id="load-and-use-data">(.*?)</script>`).FindStringSubmatch(page)
	if chart == nil {
		t.Fatal("no chart of the load")
	}
	var c struct {
		Y     struct{ Max float64 }
		Lines []struct{ Name string }
		Data  [][]*float64
	}
	if err := json.Unmarshal([]byte(chart[1]), &c); err != nil {
		t.Fatal(err)
	}
	if n := len(d.Load.Intervals); n < 10 || len(c.Data[0]) != n+1 {
		t.Fatalf("%d points of %d hours, want one more", len(c.Data[0]), n)
	}
	if len(c.Lines) != 3 || c.Lines[0].Name != "used (utilisation)" || *c.Data[3][0] != 1 || c.Y.Max <= 1 {
		t.Fatalf("lines %v up to %v, want use, load and the whole machine at 1", c.Lines, c.Y.Max)
	}
	if d.Load.Intervals[0].Covered != 600 {
		t.Fatalf("the first hour is covered for %v s, want 600", d.Load.Intervals[0].Covered)
	}
	for i, hour := range d.Load.Intervals {
		y := c.Data[2][i]
		switch {
		case hour.Covered < 1800 && y != nil:
			t.Errorf("hour %d is covered for %v s, and drawn", i, hour.Covered)
		case hour.Covered >= 1800 && (y == nil || math.Abs(*y-float64(hour.Load)) > 1e-4*float64(hour.Load)):
			t.Errorf("hour %d: drawn at %v, want %v", i, y, hour.Load)
		}
	}
	// Jobs of 2 of 8 processors; in the sixth hour they are submitted at 18000, 19000,
	// 20000 and 21000 s (the 15th to the 18th), wait 0, 100, 200 and 0 s, and run for
	// 110, 120, 130 and 140 s.
	if use, want := *c.Data[1][5], 2*(110+120+130+140)/(8*3600.); math.Abs(use-want) > 1e-6 {
		t.Errorf("the sixth hour is used at %v, want %v", use, want)
	}
}
