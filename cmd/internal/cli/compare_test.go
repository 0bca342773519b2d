package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/score"
)

// logOf writes a log of some lines beside others.
func logOf(t *testing.T, dir, name, header string, lines ...string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte("; UnixStartTime: 978307200\n; TimeZoneString: UTC\n"+header+strings.Join(lines, "\n")+"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestCompareLogs(t *testing.T) {
	dir := t.TempDir()
	a := writeLog(t, tiny)
	b := logOf(t, dir, "b.swf", "; MaxProcs: 8\n",
		"1 0 0 10 1 -1 -1 1 -1 -1 1 1 1 1 0 1 -1 -1",
		"2 1800 0 50 3 -1 -1 3 -1 -1 1 1 1 1 1 1 -1 -1",
		"3 86400 0 200 8 -1 -1 8 -1 -1 1 1 1 1 1 1 -1 -1")
	var d score.Compared
	decode(t, &d, "compare", a, b, "--by", "queue_id")
	// The numbers are those of package score's test, where they are worked out.
	run := d.Comparison.Attributes[0]
	if d.Schema != "loadstone.compare/1" || run.Column != "run_time_s" || !near(run.D, 1.0/3) || run.At != 100 || !near(run.Wasserstein, 10/12.0+30/6.0+50/12.0+100/3.0) ||
		!near(run.A.Median, 35) || run.B.Jobs != 3 {
		t.Errorf("%+v", run)
	}
	if w := d.Workloads; w[0].Kind != "log" || w[1].Name != "b.swf" || w[1].Processors != 8 || !near(w[0].OfferedLoad, 5) || w[0].Seed != nil {
		t.Errorf("%+v", w)
	}
	if c := d.Comparison; !near(c.Day.ChiSquare, 1.2) || !near(c.Day.D, 1.0/3) || len(c.Day.A) != 48 || !near(c.Day.B[1], 1.0/3) || len(c.Week.A) != 7 || c.By != "queue_id" || len(c.Classes) != 2 {
		t.Errorf("%+v", c)
	}
	// A log and itself.
	decode(t, &d, "compare", a, a)
	for _, x := range d.Comparison.Attributes {
		if x.D != 0 || x.Wasserstein != 0 || x.WassersteinLn != 0 {
			t.Errorf("with itself: %+v", x)
		}
	}
	if d.Comparison.Day.ChiSquare != 0 || d.Workloads[0].Name != d.Workloads[1].Name {
		t.Errorf("%+v", d.Comparison.Day)
	}
	if got := loadstone(t, "", "compare", a, b); !strings.Contains(got.out, "\nA: "+filepath.Base(a)+"; B: b.swf; ") || strings.Contains(got.out, "Wasserstein") {
		t.Errorf("which is A: %s", got.out)
	}
	short := loadstone(t, "", "compare", a, b, "--section", "distances")
	if head := "                  jobs of A  of B  median of A"; short.code != exitDone || !strings.HasPrefix(short.out, head) || strings.Contains(short.out, "cycle") || strings.Contains(short.out, "lag") || !strings.Contains(short.out, "\ntime of day") {
		t.Errorf("the distances alone: %s%s", short.out, short.err)
	}
	got := loadstone(t, "", "compare", a, b, "--by", "queue_id", "--format", "csv")
	if rows := strings.Split(got.out, "\n"); got.code != exitDone || len(rows) != 1+3*5+1 || !strings.HasPrefix(rows[1], ",run_time_s,4,3,45,") || !strings.HasPrefix(rows[6], "0,run_time_s,") && !strings.HasPrefix(rows[6], "1,run_time_s,") {
		t.Errorf("%d rows\n%s", len(rows), got.out)
	}
}

// What a log lacks is said in words, and null in JSON.
func TestCompareLogsThatLackThings(t *testing.T) {
	dir := t.TempDir()
	one := logOf(t, dir, "one.swf", "; MaxProcs: 8\n", "1 7 0 10 1 -1 -1 1 -1 -1 1 1 1 1 0 1 -1 -1")
	bare := logOf(t, dir, "bare.swf", "", "1 -1 -1 10 -1 -1 -1 -1 -1 -1 1 -1 -1 -1 -1 -1 -1 -1", "2 -1 -1 0 -1 -1 -1 -1 -1 -1 1 -1 -1 -1 -1 -1 -1 -1")
	full := writeLog(t, tiny)
	for _, c := range []struct {
		a, b string
		want []string
	}{
		{one, full, []string{"interarrival: known of no job in the first", "offered load: submissions cover no time in the first"}},
		{full, bare, []string{"size: known of no job in the second", "cycles: submissions are known of no job in the second", "offered load: the processors of the machine are not known in the second"}},
		{bare, bare, []string{"work: known of no job in either"}},
	} {
		table := loadstone(t, "", "compare", c.a, c.b)
		doc := loadstone(t, "", "compare", c.a, c.b, "--format", "json")
		csv := loadstone(t, "", "compare", c.a, c.b, "--format", "csv")
		for _, want := range c.want {
			if !strings.Contains(table.out, want) {
				t.Errorf("%s lacks %q", table.out, want)
			}
		}
		for _, o := range []outcome{table, doc, csv} {
			if o.code != exitDone || strings.Contains(o.out, "NaN") || strings.Contains(o.out, "Inf") {
				t.Errorf("exit code %d, %s\n%s", o.code, o.err, o.out)
			}
		}
		if !json.Valid([]byte(doc.out)) || !strings.Contains(doc.out, `"ks_d": null`) {
			t.Error(doc.out)
		}
	}
	empty := logOf(t, dir, "empty.swf", "")
	if got := loadstone(t, "", "compare", full, empty); got.code != exitFailed || !strings.Contains(got.err, "empty.swf") {
		t.Errorf("an empty log: %d %s", got.code, got.err)
	}
}

func TestCompareUsage(t *testing.T) {
	a, model := writeLog(t, tiny), filepath.Join(t.TempDir(), "m.json")
	if got := loadstone(t, "", "models", "show", "lublin2003"); os.WriteFile(model, []byte(got.out), 0o666) != nil {
		t.Fatal("no model file")
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"compare", a}, "want two logs or models, saw 1"},
		{[]string{"compare", a, ""}, "a log's name is empty"},
		{[]string{"compare", "-", "-"}, "standard input can be read only once"},
		{[]string{"compare", a, a, a}, "want two logs or models, saw 3"},
		{[]string{"compare", a, "lublin1999", "--jobs", "1"}, "--jobs 1: want 2 or more"},
		{[]string{"compare", a, a, "-o", a}, "is also the input"},
		{[]string{"compare", a, a, "-o", a + "x"}, "want a name that ends in .json, .csv or .txt"},
		{[]string{"compare", a, "nowhere.swf", "-o", "x.xyz"}, "x.xyz: want a name that ends in"}, // before anything is read
		{[]string{"compare", a, model, "-o", model}, "is also the input"},
	} {
		if got := loadstone(t, "", c.args...); got.code != exitUsage || !strings.Contains(got.err, c.want) {
			t.Errorf("%q: %d %q, want %q", c.args[1:], got.code, got.err, c.want)
		}
	}
	if got := loadstone(t, "", "compare", a, "poisson"); got.code != exitFailed || !strings.Contains(got.err, "poisson is a template") {
		t.Errorf("%d %s", got.code, got.err)
	}
	if got := loadstone(t, "", "compare", a, "nowhere.swf"); got.code != exitFailed || !strings.Contains(got.err, "nowhere.swf") {
		t.Errorf("%d %s", got.code, got.err)
	}
	bad := filepath.Join(t.TempDir(), "bad.json")
	if err := os.WriteFile(bad, []byte(`{"schema":"something else"}`), 0o666); err != nil {
		t.Fatal(err)
	}
	if got := loadstone(t, "", "compare", a, bad); got.code != exitFailed || !strings.Contains(got.err, "bad.json") || !strings.Contains(got.err, "schema") {
		t.Errorf("a file that is no model: %d %s", got.code, got.err)
	}
}

func TestComparePlots(t *testing.T) {
	dir := t.TempDir()
	a := writeLog(t, tiny)
	if got := loadstone(t, "", "compare", a, "lublin1999", "--jobs", "500", "--plots", dir); got.code != exitDone || !strings.Contains(got.err, "run-times.svg and 4 other pictures: written\n") {
		t.Fatal(got.err)
	}
	if got := files(t, dir); !slices.Equal(got, []string{"daily-cycles.svg", "interarrivals.svg", "run-times.svg", "sizes.svg", "work.svg"}) {
		t.Errorf("%v", got)
	}
	picture, _ := os.ReadFile(filepath.Join(dir, "run-times.svg"))
	for _, want := range []string{"4 and 500 jobs, whose shares are at most", ">tiny.swf<", ">lublin1999<"} {
		if !strings.Contains(string(picture), want) {
			t.Errorf("the picture lacks %q", want)
		}
	}
	bare := logOf(t, dir, "bare.swf", "", "1 -1 -1 10 -1 -1 -1 -1 -1 -1 1 -1 -1 -1 -1 -1 -1 -1")
	got := loadstone(t, "", "compare", a, bare, "--plots", filepath.Join(dir, "two"))
	if got.code != exitDone || !strings.Contains(got.err, "sizes.svg: not drawn") || !strings.Contains(got.err, "daily-cycles.svg: not drawn") {
		t.Errorf("%d %s", got.code, got.err)
	}
}
