package cli

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Each file that a command writes is named once on standard error, and not with --quiet.
func TestOutputsAreNamed(t *testing.T) {
	t.Parallel()
	log, waits, dir := writeLog(t, runtimeLog), predictLog(t), t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	batch := filepath.Join(t.TempDir(), "batch.swf")
	if got := loadstone(t, "", "generate", "--model", "lublin1999", "--jobs", "2000", "-q", "-o", batch); got.code != exitDone {
		t.Fatal(got.err)
	}
	for _, c := range [][]string{
		{"runtime", log, "--classes", "user", "-o", in("run-times.json"), "--predictions", in("run-times.csv")},
		{"runtime", log, waits, "--classes", "user", "-o", in("board.csv")},
		{"score", log, in("run-times.csv"), "-o", in("scored.txt")},
		{"predict", waits, "--predictors", "bmbp", "-o", in("waits.csv"), "--predictions", in("waits.parquet")},
		{"describe", log, "-o", in("log.json")},
		{"validate", log, "-o", in("checks.txt")},
		{"lifetimes", waits, "-o", in("lifetimes.csv")},
		{"compare", log, waits, "-o", in("compared.json")},
		{"models", "show", "lublin2003", "-o", in("model.json")},
		{"models", "-o", in("models.csv")},
		{"clean", log, "--filter", "run_time_s > 100", "-o", in("clean.swf"), "--removed", in("removed.csv")},
		{"clean", "--list", "-o", in("filters.csv")},
		{"anonymise", log, "-o", in("anonymous.swf"), "--mapping", in("numbers.csv")},
		{"split", log, "--parts", "2", "-o", in("part-{n}.swf")},
		{"convert", log, "-o", in("log.csv")},
		{"fit", waits, "--family", "gamma", "-o", in("fit.json")},
		{"report", log, "--without", "predict,runtime,compare", "-o", in("report.html")},
		{"describe", log, "--plots", in("."), "--plot-format", "png", "-o", in("described.json")},
	} {
		before := files(t, dir)
		got := loadstone(t, "", c...)
		if got.code != exitDone {
			t.Errorf("%v: exit code %d, %s", c, got.code, got.err)
			continue
		}
		made := slices.DeleteFunc(files(t, dir), func(name string) bool { return slices.Contains(before, name) })
		if len(made) == 0 {
			t.Errorf("%v: no file", c)
		}
		for _, name := range made {
			if n := strings.Count("\n"+got.err, "\n"+in(name)+": ") + strings.Count(got.out, in(name)+"\n"); n != 1 {
				t.Errorf("%v: names %s %d times, want once:\n%s", c, name, n, got.err)
			}
		}
		if got := loadstone(t, "", append(slices.Clone(c), "-q")...); got.err != "" {
			t.Errorf("%v -q: %s", c, got.err)
		}
	}
}
