package site

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"math"
	"os"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/fit/internal/fittest"
	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

var updateLublin2003 = flag.Bool("update-lublin2003", false, "write what comes out into testdata/lublin2003.md")

// fitOf fits a site to jobs.
func fitOf(t testing.TB, jobs workload.JobSeq, clock workload.Clock, o Options, by ...workload.ClassColumn) (model.Site, Report, error) {
	t.Helper()
	classes, err := collect(t, jobs, clock, o.Status, by...)
	if err != nil {
		return model.Site{}, Report{}, err
	}
	return Fit(classes, clock, o)
}

// collect returns the classes of jobs.
func collect(t testing.TB, jobs workload.JobSeq, clock workload.Clock, status []int64, by ...workload.ClassColumn) ([]fit.Class, error) {
	t.Helper()
	classes := jobtest.Must(workload.NewClassifier(by))
	return fit.Collect(jobs, clock, fit.CollectOptions{Classes: classes, Status: status}, nil)
}

// collectLog returns the classes of a real log.
func collectLog(t testing.TB, name string, status []int64, by ...workload.ClassColumn) []fit.Class {
	t.Helper()
	log := fittest.OpenLog(t, name)
	clock, _ := log.Header.Clock()
	classes, err := collect(t, log.Jobs(), clock, status, by...)
	if err != nil {
		t.Fatal(err)
	}
	return classes
}

// fitLog fits a site to a real log.
func fitLog(t testing.TB, name string, o Options, by ...workload.ClassColumn) (model.Site, Report) {
	t.Helper()
	log := fittest.OpenLog(t, name)
	clock, _ := log.Header.Clock()
	m, r, err := fitOf(t, log.Jobs(), clock, o, by...)
	if err != nil {
		t.Fatal(err)
	}
	return m, r
}

// at returns the number at a path of fields, methods, indexes and names of parameters.
func at(t testing.TB, x any, path string) float64 {
	t.Helper()
	v := reflect.ValueOf(x)
	for _, name := range strings.Split(path, ".") {
		for v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface {
			v = v.Elem()
		}
		if parameters, ok := v.Interface().(fit.Parameters); ok {
			return fittest.Parameter(t, parameters, name)
		}
		if method := v.MethodByName(name); method.IsValid() {
			v = method.Call(nil)[0]
		} else if i, err := strconv.Atoi(name); err == nil {
			v = v.Index(i)
		} else if v = v.FieldByName(name); !v.IsValid() {
			t.Fatalf("%T has no %s (%s)", x, path, name)
		}
	}
	if v.CanInt() {
		return float64(v.Int())
	}
	return v.Float()
}

func readJSON(t testing.TB, path string, into any) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(data, into)
	}
	if err != nil {
		t.Fatal(path, err)
	}
}

// paperClass is a class with the fits of the paper that are not part of a model: the Gamma of
// table 1, the total work of table 3 and the ranges of sizes of table 4.
type paperClass struct {
	ClassReport
	Gamma struct {
		Law      fit.Report
		DRounded stats.Number
	}
	Work   fit.Report
	BySize []struct{ RunTime, Work fit.Report }
}

func fitAttribute(t testing.TB, family string, a fit.Attribute, s fit.Sample) fit.Report {
	t.Helper()
	r, err := fit.Fit(family, a, s, fit.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// paperClasses fits a log as the paper does, class by class.
func paperClasses(t testing.TB, name string, status []int64, by ...workload.ClassColumn) map[string]paperClass {
	t.Helper()
	m, report := fitLog(t, name, Options{Status: status}, by...)
	all := map[string]paperClass{}
	for i, class := range collectLog(t, name, status, by...) {
		c := paperClass{ClassReport: report.Classes[i], Work: fitAttribute(t, "hyper-gamma", fit.Work, class.Sample(fit.Work))}
		parallel, _ := class.Sample(fit.Size).Above(1)
		c.Gamma.Law = fitAttribute(t, "gamma", fit.Size, parallel)
		c.Gamma.DRounded = roundedDistance(parallel, c.Gamma.Law.Law, m.Classes[i].Sizes.(*model.TwoStageSizes).PowerOfTwoShare)
		all[c.Name] = c
		if of := m.Classes[i]; of.Column != "" && (c.Name != of.Name || of.Column != "partition_id" || of.Value != int64(i+1)) {
			t.Errorf("class %s is %s, %s=%d", c.Name, of.Name, of.Column, of.Value)
		}
	}
	return all
}

// sizeRangesOf holds the groups of sizes of table 4 by log, in the syntax of ParseClasses.
var sizeRangesOf = map[string]string{fittest.SDSC: "size:8:16:320", fittest.KTH: "size:4:100"}

// allJobs returns the paper's fits to all jobs of a log.
func allJobs(t testing.TB, name string) paperClass {
	t.Helper()
	all := paperClasses(t, name, nil)["all"]
	by, err := workload.ParseClasses([]string{sizeRangesOf[name]}, workload.Grouping{})
	if err != nil {
		t.Fatal(err)
	}
	for _, class := range collectLog(t, name, nil, by...) {
		if sizes := class.Sample(fit.Size); len(sizes.Values) > 0 && sizes.Values[len(sizes.Values)-1] <= 320 {
			all.BySize = append(all.BySize, struct{ RunTime, Work fit.Report }{
				fitAttribute(t, "hyper-gamma", fit.RunTime, class.Sample(fit.RunTime)), fitAttribute(t, "hyper-gamma", fit.Work, class.Sample(fit.Work)),
			})
		}
	}
	return all
}

// TestLublin2003 compares tables 1 to 7 with an independent reproduction from the same files: all
// jobs, those of status 1, and interactive and batch jobs. EM on the interactive run times has
// several optima and is not compared.
func TestLublin2003(t *testing.T) {
	var reference struct {
		Logs map[string]map[string]map[string][3]float64 // value, relative and absolute tolerance
	}
	readJSON(t, "testdata/lublin2003.json", &reference)
	for name, classes := range reference.Logs {
		reports := map[string]paperClass{"all": allJobs(t, name), "completed": paperClasses(t, name, []int64{1})["all"]}
		if classes["batch"] != nil {
			maps.Copy(reports, paperClasses(t, name, nil, workload.ClassColumn{Column: "partition_id", Groups: map[int64]string{1: workload.KindInteractive}, Other: workload.KindBatch}))
		}
		for class, values := range classes {
			r, ok := reports[class]
			if !ok {
				t.Fatalf("%s has no class %s", name, class)
			}
			for path, w := range values {
				fittest.Near(t, fmt.Sprintf("%s, %s: %s", name, class, path), at(t, r, path), w[0], w[1]*math.Abs(w[0])+w[2])
			}
		}
	}
}

// TestAgreesWithSciPy compares fits with those of fit's testdata/reference.py and of
// testdata/site.py.
func TestAgreesWithSciPy(t *testing.T) {
	type numbers map[string]any
	var reference, parts struct{ Logs map[string]numbers }
	readJSON(t, "../testdata/reference.json", &reference)
	readJSON(t, "testdata/site.json", &parts)
	var find func(v any, path []string) float64
	find = func(v any, path []string) float64 {
		switch v := v.(type) {
		case map[string]any:
			if next, ok := v[path[0]]; ok {
				return find(next, path[1:])
			}
		case []any:
			i, _ := strconv.Atoi(path[0])
			return find(v[i], path[1:])
		case float64:
			return v
		}
		t.Fatalf("no reference %v", path)
		return 0
	}
	for name, processors := range map[string]int64{fittest.KTH: 100, fittest.SDSC: 400} {
		site, report := fitLog(t, name, Options{Processors: processors, PForm: FormLinear})
		of, r := site.Classes[0], report.Classes[0]
		check := func(ours any, reference numbers, within float64, pairs ...string) {
			t.Helper()
			for i := 0; i < len(pairs); i += 2 {
				fittest.Relative(t, name+": "+pairs[i], at(t, ours, pairs[i]), find(map[string]any(reference), strings.Split(pairs[i+1], "/")), within)
			}
		}
		all := numbers(reference.Logs[name]["all"].(map[string]any))
		check(r, all, 0, "Sizes.N", "sizes/n", "Sizes.Serial", "sizes/serial", "Sizes.Parallel", "sizes/parallel", "Sizes.PowersOfTwo", "sizes/powers_of_two",
			"Arrivals.Peak.N", "arrivals/peak_gaps", "Arrivals.Gaps", "arrivals/gaps")
		check(of, all, 5e-4, "Sizes.Log2.Low", "sizes/log2/0", "Sizes.Log2.Mid", "sizes/log2/1", "Sizes.Log2.High", "sizes/log2/2", "Sizes.Log2.P", "sizes/log2/3")
		check(r, all, 5e-4, "Sizes.DRounded", "sizes/d_rounded", "Sizes.DGenerated", "sizes/d_generated")
		check(of, all, 1e-3, "RunTimes.PSlope", "share_by_size/slope", "RunTimes.PIntercept", "share_by_size/intercept")
		check(of, all, 1e-9, "Arrivals.Peak.Shape", "arrivals/peak/0", "Arrivals.Peak.Scale", "arrivals/peak/1", "Arrivals.ARAR", "arrivals/arar",
			"Arrivals.Cycle.Shape", "arrivals/cycle/0", "Arrivals.Cycle.Scale", "arrivals/cycle/1")
		check(r, all, 1e-9, "Arrivals.Cycle.D", "arrivals/cycle_d")
		for i := range r.RunTimes.Groups {
			ours, theirs := fmt.Sprintf("RunTimes.Groups.%d.", i), fmt.Sprintf("share_by_size/groups/%d/", i)
			check(r, all, 0, ours+"Smallest", theirs+"smallest", ours+"Largest", theirs+"largest", ours+"Median", theirs+"median", ours+"Jobs", theirs+"jobs")
			check(r, all, 1e-4, ours+"P", theirs+"p")
		}
		part := parts.Logs[name]
		check(paperClasses(t, name, nil)["all"], part, 1e-9, "Gamma.Law.N", "size_gamma/n", "Gamma.Law.Parameters.shape", "size_gamma/shape", "Gamma.Law.Parameters.scale", "size_gamma/scale",
			"Gamma.Law.LogLikelihoodTransformed", "size_gamma/log_likelihood", "Gamma.Law.KS.D", "size_gamma/d", "Gamma.DRounded", "size_gamma/d_rounded")
		for d := range model.Weekdays {
			check(r, part, 1e-12, fmt.Sprint("Arrivals.Week.", d), fmt.Sprint("week/weights/", d))
		}
		// The values of p(size) for the two Gammas of SciPy's fit.
		var p [5]float64
		for i := range p {
			p[i] = find(map[string]any(all), []string{"hyper_gamma", "parameters", strconv.Itoa(i)})
		}
		runs := newSizedRuns(collectLog(t, name, nil)[0].Collector, hyperGammaOf(p))
		for _, f := range runs.shares(runs.groups())[:2] {
			of := "forms/" + f.Form + "/"
			check(f, part, 1e-5, "Slope", of+"slope", "Intercept", of+"intercept", "LogLikelihood", of+"log_likelihood", "D", of+"d")
		}
		// Gaps above several limits; a limit of 0 is the same as 1.
		log := fittest.OpenLog(t, name)
		clock, _ := log.Header.Clock()
		for i, gaps := range part["arrivals"].(map[string]any)["gaps"].([]any) {
			of := fmt.Sprintf("arrivals/gaps/%d/", i)
			f := fitter{o: Options{MinGap: gaps.(map[string]any)["min"].(float64)}.filled(), clock: clock}
			var r ClassReport
			if _, err := f.arrivals(collectLog(t, name, nil)[0], &r); err != nil {
				t.Fatal(err)
			}
			check(r.Arrivals, part, 1e-9, "Peak.N", of+"n", "Peak.Law.Shape", of+"law/0", "Peak.Law.Scale", of+"law/1", "ARAR", of+"arar")
		}
	}
}

// lublinTable returns testdata/lublin2003.md, from which documents quote: every published figure
// of tables 1 to 7, with the figure computed here.
func lublinTable(t testing.TB) [][]string {
	t.Helper()
	data := jobtest.Must(os.ReadFile("testdata/lublin2003.md"))
	var rows [][]string
	for _, line := range strings.Split(strings.TrimSpace(string(data)), "\n") {
		cells := strings.Split(strings.Trim(line, "|"), "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		rows = append(rows, cells)
	}
	return rows
}

// published returns the figures of a log's row of a table, in the order of the paper.
func published(t testing.TB, log, table string) (figures []float64) {
	t.Helper()
	for _, row := range lublinTable(t) {
		if row[0] == log && row[1] == table {
			for _, text := range strings.Split(row[3], ", ") {
				x := jobtest.Must(strconv.ParseFloat(text, 64))
				figures = append(figures, x)
			}
		}
	}
	return figures
}

// TestLublin2003Table compares the table with the computed figures.
func TestLublin2003Table(t *testing.T) {
	ours := map[string][]float64{}
	add := func(log, table string, x any, paths ...string) {
		for _, path := range paths {
			ours[log+table] = append(ours[log+table], at(t, x, path))
		}
	}
	em := []string{"Law.First.Shape", "Law.First.Scale", "Law.Second.Shape", "Law.Second.Scale", "Law.P", "KS.D"}
	for log, name := range map[string]string{"KTH": fittest.KTH, "SDSC96": fittest.SDSC} {
		m, _ := fitLog(t, name, Options{})
		r := allJobs(t, name)
		add(log, "1, two-stage uniform", m.Classes[0], "Sizes.SerialShare", "Sizes.PowerOfTwoShare", "Sizes.Log2.Low", "Sizes.Log2.Mid", "Sizes.Log2.High", "Sizes.Log2.P")
		add(log, "1, two-stage uniform", r, "Sizes.DRounded")
		add(log, "1, Gamma", r, "Gamma.Law.Law.Shape", "Gamma.Law.Law.Scale", "Gamma.DRounded")
		add(log, "2, run time", r.RunTimes.Law, em...)
		add(log, "3, total work", r.Work, em...)
		for i, s := range r.BySize {
			add(log, "4, work, sizes "+map[string][]string{"KTH": {"1-4", "5-100"}, "SDSC96": {"1-8", "9-16", "17-320"}}[log][i], s.Work, em...)
		}
		add(log, "5, p(size)", r.RunTimes.Shares[0], "Slope", "Intercept", "D")
		add(log, "6, peak interarrivals", r.Arrivals.Peak, "Law.Shape", "Law.Scale", "KS.D")
		add(log, "7, daily cycle", r.Arrivals.Cycle, "Law.Law.Shape", "Law.Law.Scale", "D")
	}
	average, search := averageOfPublished(t, MethodAverage), averageOfPublished(t, MethodSearch)
	c := average.Model.Model.Classes[0]
	add("final model", "1, two-stage uniform", c, "Sizes.SerialShare", "Sizes.PowerOfTwoShare", "Sizes.Log2.P")
	add("average model", "2, run time", c.RunTimes, em[:5]...)
	averageWork, searchedWork := summaries(t, publishedLaws(t, "3, total work"))
	add("average model", "3, total work", fit.Report{Law: averageWork}, em[:5]...)
	add("search model", "2, run time", search.Searches[0], em[:5]...)
	add("search model", "3, total work", searchedWork, em[:5]...)
	add("final model", "5, p(size)", c.RunTimes, "PSlope", "PIntercept")
	add("final model", "6, peak interarrivals", c.Arrivals.Peak, "Shape", "Scale")
	add("final model", "7, daily cycle", c.Arrivals.Cycle, "Shape", "Scale")
	var was, is strings.Builder
	for _, row := range lublinTable(t) {
		fmt.Fprintf(&was, "| %s |\n", strings.Join(row, " | "))
		if of := ours[row[0]+row[1]]; len(of) > 0 {
			printed := jobtest.Must(strconv.ParseFloat(row[3], 64))
			row[4], row[5] = fmt.Sprintf("%.4g", of[0]), fmt.Sprintf("%+.3g", of[0]-printed)
			ours[row[0]+row[1]] = of[1:]
		}
		fmt.Fprintf(&is, "| %s |\n", strings.Join(row, " | "))
	}
	for row, left := range ours {
		if len(left) > 0 {
			t.Errorf("the table lacks %d figures of %s", len(left), row)
		}
	}
	if *updateLublin2003 {
		text := strings.ReplaceAll(strings.ReplaceAll(is.String(), "|  |", "| |"), "|  |", "| |")
		jobtest.NoError(t, os.WriteFile("testdata/lublin2003.md", []byte(text), 0o666))
	} else if diff := cmp.Diff(was.String(), is.String()); diff != "" {
		t.Errorf("testdata/lublin2003.md is out of date (-update-lublin2003 rewrites it):\n%s", diff)
	}
}
