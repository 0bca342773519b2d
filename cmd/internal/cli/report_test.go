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
	"github.com/loadstone-hpc/loadstone/fit/lifetimes"
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
		if strings.Contains(line, "--attribute") {
			name = "others"
		}
		if strings.Contains(line, "--intervals") {
			name = "intervals"
		}
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
			Intervals     struct {
				Parameters []struct {
					Parameter string
					Low, High stats.Number
				}
			}
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
	read("others", &f)
	of := map[string]int{}
	for _, x := range f.Fits {
		caption := map[string]string{"size": "The fits of sizes and their goodness, by BIC, the best first", "interarrival": "The fits of interarrival times and their goodness, by BIC, the best first"}[x.Attribute]
		expect(t, tables, caption, x.Family, 1, stats.Number(x.N), stats.Number(x.KS.D))
		expect(t, tables, caption, x.Family, 4, stats.Number(x.BIC), stats.Number(x.LogLikelihood))
		of[x.Attribute]++
	}
	if of["size"] < 8 || of["interarrival"] < 8 {
		t.Errorf("fits by attribute: %v", of)
	}
	read("intervals", &f)
	drawn := 0
	for _, x := range f.Fits {
		for _, i := range x.Intervals.Parameters {
			drawn++
			expect(t, tables, "Parameters of the fits", x.Family+": "+i.Parameter, 2, i.Low, i.High)
			row := map[string]string{"shape_1": "short jobs, shape", "scale_1": "short jobs, scale", "shape_2": "long jobs, shape", "scale_2": "long jobs, scale"}[i.Parameter]
			if x.Family == "hyper-gamma" && row != "" {
				for _, cells := range tables["Parameters of the model, for 64 processors"] {
					if cells[1].text == row && (cells[3].value != float64(i.Low) || cells[4].value != float64(i.High)) {
						t.Errorf("the model's %s is within %v and %v, want %v and %v", row, cells[3], cells[4], i.Low, i.High)
					}
				}
			}
		}
	}
	if drawn < 9 {
		t.Errorf("%d intervals, want those of hyper-gamma and uniform-log", drawn)
	}
	var l struct {
		Classes []struct{ Remaining []lifetimes.Remaining }
	}
	read("lifetimes", &l)
	for i, r := range l.Classes[0].Remaining {
		row := tables["Remaining run time, in the log and by uniform-log"][i]
		expect(t, map[string][][]cellOfPage{"": {row}}, "", row[0].text, 0, r.Age, r.Left, orNaN(r.MedianData), orNaN(r.MedianModel), orNaN(r.MeanData), orNaN(r.MeanModel))
	}
	// The picture beside has the same law, before the closest one.
	_, figure, _ := strings.Cut(page, `<figure id="remaining-lifetimes"`)
	figure, _, _ = strings.Cut(figure, "</figure>")
	figure = strings.ReplaceAll(figure, ` role="columnheader"`, "")
	if !strings.Contains(figure, `<th scope="col" class="n">uniform-log, median</th><th scope="col" class="n">uniform-log, mean</th><th scope="col" class="n">hyper-gamma, median</th>`) {
		t.Error("the picture of remaining lifetimes has other distributions than uniform-log and the closest")
	}
	drawnLives, first := tablesOf(t, figure)["The numbers"][0], l.Classes[0].Remaining[0]
	if drawnLives[0].value != float64(first.Age) || drawnLives[1].value != float64(first.MedianData) || drawnLives[3].value != float64(first.MedianModel) || drawnLives[4].value != float64(first.MeanModel) {
		t.Errorf("at the least age %v is drawn, the table has %+v", drawnLives, first)
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
	if columns < 5 || len(d.Sizes.Groups) < 3 || fits < 10 || len(l.Classes[0].Remaining) < 10 || len(r.Scores) < 5 || len(p.Scores) < 8 {
		t.Errorf("compared %d columns, %d groups, %d fits, %d ages, %d and %d scores: are there no more?",
			columns, len(d.Sizes.Groups), fits, len(l.Classes[0].Remaining), len(r.Scores), len(p.Scores))
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

func TestReportOfTwo(t *testing.T) {
	a, b := made(t, "7"), made(t, "8")
	t.Chdir(t.TempDir())
	page := reportOf(t, a, b, "--without", "predict,runtime,lifetimes")
	var c score.Compared
	decode(t, &c, "compare", a, b)
	tables := tablesOf(t, page)
	for _, x := range c.Comparison.Attributes {
		expect(t, tables, "Attributes of made7.swf (A) and made8.swf (B)", x.Column, 1, stats.Number(x.A.Jobs), stats.Number(x.B.Jobs), x.A.Median, x.B.Median, x.A.Mean, x.B.Mean, x.D, x.Chance, x.WassersteinLn)
	}
	for _, want := range []string{`id="log1-load-and-use"`, `id="log2-load-and-use"`, `id="compare-run-times"`, `id="compare-daily-cycles"`, "left out by --without predict", "work submitted, as a share of the machine&#39;s capacity from the first to the last submission",
		"only the parameters of hyper-gamma and uniform-log have intervals", "all distributions are fitted to the same", "--jobs 100000 --load 1.1"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	nasa := trace(t, "NASA-iPSC-1993-3.1-cln.swf.gz")
	three := reportOf(t, a, b, nasa, "--without", "predict,runtime,lifetimes")
	var logs []float64
	for _, log := range []string{a, b, nasa} {
		var d inspect.Description
		decode(t, &d, "describe", log)
		logs = append(logs, float64(d.OfferedLoad))
	}
	// A model whose load is farther than a tenth from its log's is told of.
	loads := regexp.MustCompile(`The offered load of the model is ([0-9.]+), that of the log ([0-9.]+):`).FindAllStringSubmatch(three, -1)
	if len(loads) == 0 {
		t.Error("no load of a model")
	}
	for _, l := range loads {
		made, _ := strconv.ParseFloat(l[1], 64)
		load, _ := strconv.ParseFloat(l[2], 64)
		if !slices.ContainsFunc(logs, func(x float64) bool { return math.Abs(x-load) < 0.0006 }) || math.Abs(made-load) < 0.1*load {
			t.Errorf("%s, and the loads of the logs are %v", l[0], logs)
		}
	}
	if !strings.Contains(three, `id="compare-map"`) || strings.Contains(three, "-pp\"") || !strings.Contains(three, "The logs side by side") {
		t.Error("no map of three logs, or pictures that are for two")
	}
}
