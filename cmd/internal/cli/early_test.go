package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What a Parquet file says of its columns is reported before its jobs are read: here
// their pages are damaged, which nobody gets to see.
func TestMissingColumnsAreToldBeforeTheLogIsRead(t *testing.T) {
	for name, c := range map[string]struct {
		lines, want string
		args        []string
	}{
		"waits":     {"1 0 -1 5 1 -1 -1 1 -1 -1 1 1 1 1 1 1 -1 -1\n", "no job has a known wait: 'loadstone simulate'", []string{"predict", "--predictors", "bmbp,qbets"}},
		"run times": {"1 0 3 -1 1 -1 -1 1 -1 -1 1 1 1 1 1 1 -1 -1\n", "no job has a run time to score: no jobs", []string{"runtime"}},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, "log.parquet")
			text := "; MaxProcs: 8\n" + strings.Repeat(c.lines, 500)
			if got := loadstone(t, text, "convert", "-", "-o", path); got.code != exitDone {
				t.Fatal(got.err)
			}
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			for i := 4; i < 60; i++ { // behind the magic number: the first page
				data[i] = 0xff
			}
			if err := os.WriteFile(path, data, 0o600); err != nil {
				t.Fatal(err)
			}
			got := loadstone(t, "", append(c.args, path)...)
			if got.code != exitFailed || !strings.Contains(got.err, c.want) {
				t.Errorf("exit %d, %s; want %q", got.code, got.err, c.want)
			}
		})
	}
}

// A text tells nothing before it is read, but a hundred thousand jobs without a wait
// are worth a warning; and what was read once is not read again to find no wait.
func TestWaitlessTextsAreToldEarly(t *testing.T) {
	text := "; MaxProcs: 8\n" + strings.Repeat("1 0 -1 5 1 -1 -1 1 -1 -1 1 1 1 1 1 1 -1 -1\n", 100_000)
	got := loadstone(t, text, "predict", "-", "--predictors", "bmbp")
	want := "warning: -: none of the first 100000 jobs has a wait, from which bounds are computed: 'loadstone simulate' gives a log simulated waits\n"
	if got.code != exitFailed || !strings.Contains(got.err, want) || !strings.HasSuffix(got.err, "loadstone: -: no job has a known wait: 'loadstone simulate' gives a log simulated waits\n") {
		t.Errorf("exit %d, %s", got.code, got.err)
	}
}
