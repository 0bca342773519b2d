package cli

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
)

// A table without jobs goes through every format, and is described and
// validated; a command that takes jobs says that there are none.
func TestEmptyTables(t *testing.T) {
	dir := t.TempDir()
	in := filepath.Join("..", "..", "..", "workload", "columnar", "testdata", "foreign", "no_rows.parquet")
	for _, ending := range []string{"swf", "csv", "csv.gz", "arrow", "arrows", "parquet"} {
		out := filepath.Join(dir, "x."+ending)
		if got := loadstone(t, "", "convert", in, "-o", out); got.code != exitDone || !strings.Contains(got.err, "x."+ending+": 0 jobs") {
			t.Errorf("to %s: exit code %d: %s", ending, got.code, got.err)
		}
		for _, args := range [][]string{{"describe", out}, {"validate", out}, {"convert", out}, {"anonymise", out, "--key", writeLog(t, strings.Repeat("k", 32))}} {
			got := loadstone(t, "", append(args, "--format", "json")...)
			if got.code != exitDone || !json.Valid([]byte(got.out)) {
				t.Errorf("%q: exit code %d: %s%s", args, got.code, got.out, got.err)
			}
			if got := loadstone(t, "", args...); got.code != exitDone || strings.Contains(got.out, "NaN") {
				t.Errorf("%q: exit code %d: %s%s", args, got.code, got.out, got.err)
			}
		}
		for _, args := range [][]string{{"fit", out}, {"runtime", out}, {"simulate", out, "--procs", "4"}, {"predict", out, "--procs", "4"}} {
			if got := loadstone(t, "", args...); got.code != exitFailed || !strings.Contains(got.err, "no jobs") {
				t.Errorf("%q: exit code %d: %s%s", args, got.code, got.out, got.err)
			}
		}
		in = out // from format to format
	}
	if got := loadstone(t, "", "describe", filepath.Join(dir, "x.swf")); !strings.Contains(got.out, "jobs           0\n") {
		t.Error(got.out)
	}
}
