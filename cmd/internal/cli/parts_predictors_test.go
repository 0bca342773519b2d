package cli

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/longtest"
)

// short cuts a log after some lines.
func short(t testing.TB, log string, lines int) string {
	b, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "short.swf")
	if err := os.WriteFile(path, []byte(strings.Join(strings.SplitAfter(string(b), "\n")[:lines], "")), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestPartsOfPredictors holds that predictors in parts, of which some have nothing to do,
// give the bytes of one run: standard output, standard error, exit code and files.
func TestPartsOfPredictors(t *testing.T) {
	t.Parallel()
	log := short(t, divided(t, false), 1000)
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	for _, flags := range [][]string{{"runtime", "-o", in("runtime.json")}, {"predict", "--quantile", "0.9", "-o", in("predict.json")}} {
		if got := loadstone(t, "", slices.Insert(flags, 1, log)...); got.code != 0 {
			t.Fatal(got.err)
		}
	}
	for _, c := range []struct {
		flags, merge []string
		files        []string // patterns of those that are written
		code         int
		parts        []int
	}{
		{[]string{"predict"}, []string{"-o", in("out.json")}, []string{"out.json"}, 0, []int{1, 7}},
		{[]string{"predict", "--predictors", "downey-a,downey-b,downey-a-exact,simulated,simulated-easy,bmbp,conformal", "--by", "month,burst", "--unbias", "--calibration", "--replicates", "39"},
			[]string{"--format", "csv"}, nil, 0, []int{2}},
		{[]string{"predict", "--sample", strconv.Itoa(longtest.Size(30, 100)), "--plots", in("sample")}, []string{"--format", "json"}, []string{"sample/*.svg"}, 0, []int{7}},
		{[]string{"predict", "--parameters", "previous"}, nil, nil, 0, []int{2}},
		{[]string{"predict", "--predictors", "simulated,bmbp"}, []string{"--require", "coverage(bmbp)>=0.999", "--require", "accuracy(simulated)>0"}, nil, exitThreshold, []int{2, 64}},
		{[]string{"predict", "--predictors", "simulated,bmbp", "--quantile", "0.6"}, []string{"--baseline", in("predict.json")}, nil, exitThreshold, []int{2}},
		{[]string{"runtime"}, []string{"-o", in("out.json"), "--plots", in("runtime"), "--predictions", in("said.csv")}, []string{"out.json", "said.csv", "runtime/*.svg"}, 0, []int{2, 25}},
		{[]string{"runtime", "--predictors", "last2,rm"}, []string{"--require", "accuracy(last2,user)>=0.999", "--baseline", in("runtime.json"), "--max-drop", "0.5"}, nil, exitThreshold, []int{1, 2}},
		{[]string{"runtime", "--predictors", "last2", "--classes", "user", "--exec", `hundred: test -e ` + in("gone") + ` || sed -u -n 's/^{"submit":{"row":\([0-9]*\),.*/{"row":\1,"predicted_s":100,"history_n":7}/p'`}, nil, nil, 0, []int{1, 2, 7}},
		{[]string{"describe"}, []string{"--plots", in("describe")}, []string{"describe/*.svg"}, 0, []int{2}},
	} {
		args := slices.Insert(slices.Clone(c.flags), 1, log)
		want := loadstone(t, "", slices.Concat(args, c.merge)...)
		if want.code != c.code {
			t.Fatalf("%q %q: %+v", c.flags, c.merge, want)
		}
		written := contents(t, dir, c.files)
		if len(written) < len(c.files) {
			t.Fatalf("%q %q: %d files", c.flags, c.merge, len(written))
		}
		for _, n := range c.parts {
			for path := range written {
				os.Remove(path)
			}
			if got := inParts(t, n, args, c.merge); got != want {
				t.Errorf("%q, %q in %d parts: exit code %d, not the bytes of one run\n%s\n%s", args, c.merge, n, got.code, firstDifference(got.out, want.out), firstDifference(got.err, want.err))
			}
			files := contents(t, dir, c.files)
			for path, content := range written {
				if files[path] != content {
					t.Errorf("%q, %q in %d parts: %s: %s", args, c.merge, n, path, firstDifference(files[path], content))
				}
			}
		}
	}
}

// contents are those of the files of patterns, by path.
func contents(t *testing.T, folder string, patterns []string) map[string]string {
	all := map[string]string{}
	for _, pattern := range patterns {
		paths, err := filepath.Glob(filepath.Join(folder, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			b, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			all[path] = string(b)
		}
	}
	return all
}

// TestPartsOfPredictHoldScores holds that merge says what parts of predict have not gathered.
func TestPartsOfPredictHoldScores(t *testing.T) {
	log := short(t, divided(t, false), 1000)
	for flag, want := range map[string]string{
		"--plots":       "--plots: give it to the parts too, which gather what it shows",
		"--predictions": "--predictions together with --part: want one run without it: a part keeps scores, not predictions",
	} {
		got := inParts(t, 2, []string{"predict", log, "--predictors", "bmbp"}, []string{flag, filepath.Join(t.TempDir(), "x.csv")})
		if got.code != exitUsage || got.out != "" || !strings.Contains(got.err, want) {
			t.Errorf("%s: %+v, want %q", flag, got, want)
		}
	}
}
