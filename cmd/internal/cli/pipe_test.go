package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// longLog is a log of so many jobs, more than a pipe holds.
func longLog(jobs int) string {
	var b strings.Builder
	b.WriteString("; Version: 2.2\n; MaxProcs: 8\n; UnixStartTime: 978307200\n; TimeZoneString: UTC\n")
	for i := range jobs {
		fmt.Fprintf(&b, "%d %d 10 %d %d -1 -1 4 200 -1 1 %d 1 1 0 1 -1 -1\n", i+1, 60*i+i*i%50, 60+i%97, 1+i%8, 1+i%11)
	}
	return b.String()
}

// TestReaderGone: a command whose output nobody reads any more fails, and
// leaves no file behind: neither a temporary one nor a part of its results.
func TestReaderGone(t *testing.T) {
	if testing.Short() {
		t.Skip("runs processes")
	}
	log := longLog(20_000)
	for _, c := range []struct {
		name string
		args []string
		read int64
	}{
		{"runtime predictions", []string{"runtime", "k.swf", "--predictions", "p.csv"}, 0},
		{"predict predictions", []string{"predict", "k.swf", "--predictions", "p.parquet", "--predictors", "bmbp", "--plots", "figures"}, 0},
		{"anonymise mapping", []string{"anonymise", "k.swf", "--mapping", "m.csv", "--format", "swf"}, 1},
		{"anonymise standard input", []string{"anonymise", "-", "--mapping", "m.csv", "--format", "csv"}, 1},
		{"clean removed", []string{"clean", "k.swf", "--filter", "user=3", "--removed", "gone.csv", "--format", "swf"}, 1},
		{"scale", []string{"scale", "-", "--load", "1.5", "--format", "swf"}, 1},
		{"sample", []string{"sample", "-", "--fraction", ".9", "--format", "swf"}, 1},
		{"split", []string{"split", "k.swf", "-o", "part-{n}.swf", "--parts", "3"}, 0},
		{"fit", []string{"fit", "k.swf", "--attribute", "run_time", "-o", "m.json", "--plots", "figures"}, 0},
		{"simulate", []string{"simulate", "k.swf", "--format", "swf"}, 1},
		{"demo", []string{"demo", "k.swf", "-o", "."}, 0},
		{"help", []string{"fit", "--help"}, 0},
		{"version", []string{"--version"}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, "k.swf"), []byte(log), 0o666); err != nil {
				t.Fatal(err)
			}
			p := newProcess(t, dir, c.args...)
			if slices.Contains(c.args, "-") {
				p.Stdin = strings.NewReader(log)
			}
			if code := p.runUnread(t, c.read); code != 141 || strings.Contains(p.err.String(), "pipe") {
				t.Errorf("exit code %d, want %d and no word of a pipe on standard error: %s", code, 141, &p.err)
			}
			if got := files(t, dir); !slices.Equal(got, []string{"k.swf"}) {
				t.Errorf("left in the folder: %q, want the log alone", got)
			}
			if got := files(t, p.temp); len(got) > 0 {
				t.Errorf("left in the folder of temporary files: %q", got)
			}
		})
	}
}
