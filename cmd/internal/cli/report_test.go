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
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/stats"
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
	valueInPage   = regexp.MustCompile(`<data value="([^"]*)">`)
	shellInPage   = regexp.MustCompile(`(?s)<pre tabindex="0">(.*?)</pre>`)
	fileInPage    = regexp.MustCompile(`href="data:application/json;base64,([^"]*)"`)
)

// cellOfPage is a cell: its words, and the number behind them.
type cellOfPage struct {
	text  string
	value float64 // NaN for none
}

// tablesOf are the rows of a page's tables by caption, without their heads.
func tablesOf(t *testing.T, page string) map[string][][]cellOfPage {
	t.Helper()
	all := map[string][][]cellOfPage{}
	for _, m := range captionInPage.FindAllStringSubmatch(page, -1) {
		caption := html.UnescapeString(m[1])
		for i, row := range rowInPage.FindAllStringSubmatch(m[2], -1) {
			var cells []cellOfPage
			for _, c := range cellInPage.FindAllStringSubmatch(row[1], -1) {
				cell := cellOfPage{html.UnescapeString(regexp.MustCompile(`<[^>]*>`).ReplaceAllString(c[1], "")), math.NaN()}
				if v := valueInPage.FindStringSubmatch(c[1]); v != nil {
					x, err := strconv.ParseFloat(v[1], 64)
					if err != nil {
						t.Fatal(err)
					}
					cell.value = x
				}
				cells = append(cells, cell)
			}
			if i > 0 {
				all[caption] = append(all[caption], cells)
			}
		}
	}
	return all
}

// jsonOf runs the commands that a page says its numbers are from, with their
// stable form, by the command.
func jsonOf(t *testing.T, page string) map[string][]byte {
	t.Helper()
	blocks := shellInPage.FindAllStringSubmatch(page, -1)
	all := map[string][]byte{}
	for _, line := range strings.Split(strings.TrimSpace(html.UnescapeString(blocks[len(blocks)-1][1])), "\n") {
		args := shellWords(line)
		r := loadstone(t, "", append(args[1:], "--format", "json", "-q")...)
		if r.code != exitDone {
			t.Fatalf("%s: exit code %d: %s", line, r.code, r.err)
		}
		name := args[1]
		all[name] = []byte(r.out)
	}
	return all
}

// expect compares the cells of a row from some column on.
func expect(t *testing.T, tables map[string][][]cellOfPage, caption, row string, from int, want ...stats.Number) {
	t.Helper()
	for _, cells := range tables[caption] {
		if cells[0].text != row {
			continue
		}
		for i, x := range want {
			got := cells[from+i].value
			if !present.Known(x) {
				x = stats.Number(math.NaN())
			}
			if got != float64(x) && !(math.IsNaN(got) && math.IsNaN(float64(x))) {
				t.Errorf("%s, %s: cell %d is %v (%q), want %v", caption, row, from+i, got, cells[from+i].text, float64(x))
			}
		}
		return
	}
	t.Errorf("%q has no row %q", caption, row)
}

// jsonNumber is a number or null.
type jsonNumber stats.Number

func (n *jsonNumber) UnmarshalJSON(b []byte) error {
	*n = jsonNumber(math.NaN())
	if bytes.Equal(b, []byte("null")) {
		return nil
	}
	return json.Unmarshal(b, (*float64)(n))
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

// The page's numbers are those of the commands that it names.
func TestReportHasTheCommandsNumbers(t *testing.T) {
	log := made(t, "7")
	t.Chdir(t.TempDir()) // the commands draw pictures into it
	page := reportOf(t, log)
	tables, js := tablesOf(t, page), jsonOf(t, page)
	read := func(name string, v any) {
		t.Helper()
		if err := json.Unmarshal(js[name], v); err != nil {
			t.Fatalf("%s: %v in %.200s", name, err, js[name])
		}
	}

	var d inspect.Description
	read("describe", &d)
	columns := 0
	for name, c := range d.Columns {
		if c.Known > 0 {
			columns++
			expect(t, tables, "What was measured", strings.TrimSuffix(name, "_s"), 1, c.KnownPct, c.Mean, c.CV, c.Q25, c.Median, c.Q75, c.Min, c.Max)
		}
	}
	for _, h := range d.Arrivals.ByHour {
		expect(t, tables, "The numbers, by whole hour", strconv.Itoa(h.Hour)+":00", 1, stats.Number(h.Jobs), h.Pct)
	}
	for _, g := range d.Sizes.Groups {
		expect(t, tables, "Groups of sizes and their run times", present.Range(g.From, g.To), 1, stats.Number(g.Jobs), g.Mean, g.Q25, g.Median, g.Q75)
	}
	var v inspect.Validation
	read("validate", &v)
	for _, f := range v.Findings {
		expect(t, tables, "What was found", f.Rule, 2, stats.Number(f.Count))
	}

	var f struct {
		Fits []struct {
			Family        string     `json:"family"`
			N             int64      `json:"n"`
			LogLikelihood jsonNumber `json:"log_likelihood"`
			BIC           jsonNumber `json:"bic"`
			KS            struct{ D, P jsonNumber }
			Attribute     string
		} `json:"fits"`
	}
	read("fit", &f)
	for _, x := range f.Fits {
		expect(t, tables, "The fits and their goodness, by BIC, the best first", x.Family, 1, stats.Number(x.N), stats.Number(x.KS.D))
		expect(t, tables, "The fits and their goodness, by BIC, the best first", x.Family, 4, stats.Number(x.BIC), stats.Number(x.LogLikelihood))
	}
	fits := len(f.Fits)
	for i, cells := range tables["The fits and their goodness, by BIC, the best first"] {
		if cells[0].text != f.Fits[i].Family {
			t.Errorf("place %d of the fits is %s, in 'loadstone fit' %s", i+1, cells[0].text, f.Fits[i].Family)
		}
	}
	var r evaluate.RunTimesResult
	read("runtime", &r)
	for _, s := range r.Scores {
		expect(t, tables, "All scores", s.Classes+", "+s.Predictor, 1, stats.Number(s.Predicted), stats.Number(s.Coverage), stats.Number(s.AccuracyMean), stats.Number(s.AccuracyLow), stats.Number(s.AccuracyHigh),
			s.AccuracyCommon, stats.Number(s.AbsoluteErrorMean), stats.Number(s.AbsoluteErrorMedian), stats.Number(s.UnderPct))
	}
	var p evaluate.WaitsResult
	read("predict", &p)
	for _, s := range p.Scores {
		waits := map[string]string{evaluate.LogWaits: "the log's waits", evaluate.QueueWaits: "waits in a simulated queue, first come, first served",
			evaluate.HeadWaits: "waits at the head of a simulated queue, first come, first served"}[s.Waits]
		bounds, points := "Upper bounds on "+waits, "Point predictions of "+waits
		if s.Waits == evaluate.LogWaits {
			bounds = "Upper bounds for 95 % of " + waits + ", with 95 % confidence"
		}
		if s.Predictor == "estimates" || slices.Contains(predict.BoundNames(), s.Predictor) {
			expect(t, tables, bounds, s.Predictor, 1, stats.Number(s.Jobs), stats.Number(s.Predicted), stats.Number(s.Coverage))
		} else {
			expect(t, tables, points, s.Predictor, 1, stats.Number(s.Jobs), stats.Number(s.Predicted), stats.Number(s.AccuracyMean))
			expect(t, tables, points, s.Predictor, 6, orNaN(stats.Number(s.CorrelationLog)), stats.Number(s.UnderPct), stats.Number(s.OverPct), stats.Number(s.AbsoluteErrorMean))
		}
	}
	var c score.Compared
	read("compare", &c)
	twins := "The log and its twins, under EASY backfilling with " + c.Verdict.Estimates + " estimates; ratios of waits are of the waits and 60 s"
	for name, words := range map[string]string{"offered_load": "offered load", "dispersion_1_h": "dispersion of arrivals in an hour", "wait_mean_s": "mean wait, simulated", "bounded_slowdown_mean": "mean bounded slowdown"} {
		r := c.Verdict.Row(name, "", "")
		if r == nil {
			r = c.Verdict.Row(name, "easy", "")
		}
		expect(t, tables, twins, words, 1, r.A, r.B, r.Compared, r.NoiseQ05, r.NoiseQ95)
	}
	if !strings.Contains(page, fmt.Sprintf("In %d of the %d traits", c.Verdict.Inside, c.Verdict.Tested)) || c.Verdict.Replicas != 20 {
		t.Errorf("the page does not have %d of %d rows inside of %d twins", c.Verdict.Inside, c.Verdict.Tested, c.Verdict.Replicas)
	}
	if columns < 5 || len(d.Sizes.Groups) < 3 || fits < 10 || len(r.Scores) < 5 || len(p.Scores) < 8 {
		t.Errorf("compared %d columns, %d groups, %d fits, %d and %d scores: are there no more?",
			columns, len(d.Sizes.Groups), fits, len(r.Scores), len(p.Scores))
	}

	// The model's file is that of fit -o.
	if r := loadstone(t, "", "fit", log, "-q", "-o", "model.json"); r.code != exitDone {
		t.Fatal(r.err)
	}
	want, _ := os.ReadFile("model.json")
	got, err := base64.StdEncoding.DecodeString(html.UnescapeString(fileInPage.FindStringSubmatch(page)[1]))
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("the model in the page has %d bytes, that of fit -o %d, %v", len(got), len(want), err)
	}
}

// orNaN is the number, of a null: json leaves 0.
func orNaN(x stats.Number) stats.Number {
	if x == 0 {
		return stats.Number(math.NaN())
	}
	return x
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
