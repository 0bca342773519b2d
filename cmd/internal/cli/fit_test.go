package cli

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// generated is a log of 3000 jobs, drawn from a published model.
func generated(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "made.swf")
	if got := loadstone(t, "", "-q", "generate", "--model", "lublin1999-batch", "--jobs", "3000", "--seed", "5", "-o", path); got.code != exitDone {
		t.Fatal(got.err)
	}
	return path
}

type fitted struct {
	Family     string
	N          int64
	Parameters map[string]float64
	BIC        *float64
	AD         *struct {
		PValue float64 `json:"p_value"`
		Method string
	} `json:"anderson_darling"`
	ChiSquare *struct {
		PValue float64 `json:"p_value"`
	} `json:"chi_square"`
	Intervals *struct {
		Level float64
	}
	Subsamples *struct{ Samples int }
}

func fitsOf(t *testing.T, args ...string) []fitted {
	t.Helper()
	got := loadstone(t, "", append([]string{"-q", "fit", "--format", "json"}, args...)...)
	var js struct {
		Fits []fitted
		Site struct{ Classes []struct{ Jobs int64 } }
	}
	if err := json.Unmarshal([]byte(got.out), &js); got.code != exitDone || err != nil {
		t.Fatalf("%q: exit code %d, %v, %s", args, got.code, err, got.err)
	}
	if slices.Contains(args, "none") {
		return js.Fits
	}
	if len(js.Site.Classes) != 1 || js.Site.Classes[0].Jobs != 3000 {
		t.Errorf("%q: the site's report has %+v", args, js.Site)
	}
	return js.Fits
}

// What is asked for is in the report, and nothing else.
func TestFitOnRequest(t *testing.T) {
	log := generated(t)
	for _, f := range fitsOf(t, log, "--family", "hyper-gamma") {
		if f.AD != nil || f.ChiSquare != nil || f.Intervals != nil || f.Subsamples != nil {
			t.Errorf("not asked for: %+v", f)
		}
	}
	f := fitsOf(t, log, "--family", "gamma", "--tests", "--replicates", "39", "--intervals", "0.9", "--subsamples", "20")[0]
	switch {
	case f.AD == nil || f.AD.Method != "parametric-bootstrap" || f.AD.PValue > 0.05: // one Gamma is not two
		t.Errorf("Anderson-Darling: %+v", f.AD)
	case f.ChiSquare == nil || f.ChiSquare.PValue > 0.05:
		t.Errorf("chi-square: %+v", f.ChiSquare)
	case f.Intervals == nil || f.Intervals.Level != 0.9, f.Subsamples == nil || f.Subsamples.Samples != 20:
		t.Errorf("%+v", f)
	}
	text := loadstone(t, "", "-q", "fit", log, "--family", "gamma", "--tests", "--replicates", "39", "--intervals", "0.9").out
	for _, want := range []string{"Anderson-Darling", "chi-square", "shape ", " ["} {
		if !strings.Contains(text, want) {
			t.Errorf("the table has no %q:\n%s", want, text)
		}
	}
}

// Ranked families are of the same jobs, in the order of BIC.
func TestFitRank(t *testing.T) {
	log := generated(t)
	last, n := math.Inf(-1), int64(0)
	fits := fitsOf(t, log)
	if len(fits) < 10 {
		t.Errorf("%d families", len(fits))
	}
	for i, f := range fits {
		if i == 0 {
			n = f.N
		}
		if f.N != n {
			t.Errorf("%s is of %d jobs, the first of %d", f.Family, f.N, n)
		}
		if f.BIC == nil {
			last = math.Inf(1)
			continue
		}
		if *f.BIC < last {
			t.Errorf("%s is behind one with a larger BIC", f.Family)
		}
		last = *f.BIC
	}
	// The log is of two Gammas.
	if fits[0].Family != "hyper-gamma" {
		t.Errorf("the best family is %s", fits[0].Family)
	}
}

// Several logs are fitted each, and the laws of one family stand together.
func TestFitSeveral(t *testing.T) {
	log := generated(t)
	other := filepath.Join(t.TempDir(), "interactive.swf")
	if got := loadstone(t, "", "-q", "generate", "--model", "lublin1999-interactive", "--jobs", "2000", "--seed", "5", "-o", other); got.code != exitDone {
		t.Fatal(got.err)
	}
	args := []string{"-q", "fit", log, other, "--family", "gamma,weibull", "--format"}
	var js struct {
		Schema string
		Logs   []struct {
			Log  struct{ Name string }
			Fits []fitted
		}
	}
	got := loadstone(t, "", append(args, "json")...)
	if err := json.Unmarshal([]byte(got.out), &js); got.code != exitDone || err != nil || js.Schema != "loadstone.fits/1" || len(js.Logs) != 2 {
		t.Fatalf("exit code %d, %v, %+v, %s", got.code, err, js, got.err)
	}
	for i, name := range []string{log, other} {
		alone := fitsOf(t, name, "--family", "gamma,weibull", "--site", "none")
		if js.Logs[i].Log.Name != name || !reflect.DeepEqual(js.Logs[i].Fits, alone) {
			t.Errorf("%s: %+v, alone %+v", name, js.Logs[i], alone)
		}
	}
	table := loadstone(t, "", append(args, "table")...).out
	if !regexp.MustCompile(`gamma +\S+\.swf.*\n.* gamma +\S+interactive\.swf.*\n.*weibull`).MatchString(table) {
		t.Error(table)
	}
	csv := loadstone(t, "", append(args, "csv")...).out
	if !strings.HasPrefix(csv, "log,attribute,") || strings.Count(csv, "\n"+other+",run_time,") != 4 {
		t.Error(csv)
	}
}

func TestFitPlotsByClass(t *testing.T) {
	dir, log := t.TempDir(), generated(t)
	for _, args := range [][]string{
		{"fit", log, "--plots", dir, "--family", "hyper-gamma"},
		{"fit", log, "--plots", dir, "--by", "queue_id", "--family", "gamma"},
		{"lifetimes", log, "--plots", dir, "--by", "size", "--periods", "3"},
	} {
		if got := loadstone(t, "", append(args, "-q")...); got.code != exitDone {
			t.Fatalf("%q: %s", args, got.err)
		}
	}
	for name, want := range map[string]string{"run-times-by-size": " processors", "lifetimes": "size=", "lifetimes-drift": "part 3 of 3"} {
		b, err := os.ReadFile(filepath.Join(dir, name+".svg"))
		if err != nil || !strings.Contains(string(b), want) || !strings.Contains(string(b), "fitted") {
			t.Errorf("%s: no %q: %v", name, want, err)
		}
	}
	// One queue alone is no picture of several.
	if _, err := os.Stat(filepath.Join(dir, "run-times-by-queue_id.svg")); err == nil {
		t.Error("one class is drawn as several")
	}
}

func TestFitUsage(t *testing.T) {
	log := writeLog(t, tiny)
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--components", "1"}, `--components: saw "1", want 2 to`},
		{[]string{"--components", "many"}, "or auto"},
		{[]string{"--intervals", "0.95"}, "--replicates 0: want at least 39"},
		{[]string{"--intervals", "2"}, "want a level between 0 and 1"},
		{[]string{"--censored", "--replicates", "39"}, "--replicates 39: want 0 with --censored"},
		{[]string{log, "--site", "full"}, "--site does not go with several logs, of which the distributions are shown"},
		{[]string{log, "-o", "x.json"}, "2 logs: a model of users is of one: want --form lublin2003 for one model of several"},
		{[]string{log, "--combine", "search"}, "--combine does not go with several logs"},
		{[]string{"--combine", "search"}, "--combine does not go with one log"},
		{[]string{"lublin1999-batch"}, "lublin1999-batch: want a log, to which distributions are fitted, not a model; --form lublin2003 makes one model of several"},
		{[]string{"--size-ranges", "1-4,3-9"}, "--size-ranges 1-4 and 3-9: want each size in one group"},
	} {
		if got := loadstone(t, "", append([]string{"fit", log}, c.args...)...); got.code != exitUsage || !strings.Contains(got.err, c.want) {
			t.Errorf("%q: exit code %d, %q, want %q", c.args, got.code, got.err, c.want)
		}
	}
}
