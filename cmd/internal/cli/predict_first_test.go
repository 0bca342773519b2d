package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loadstone-hpc/loadstone/cmd/internal/view"
	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/stats"
)

// The first jobs of a log are scored as a log of those alone, from a file and
// from standard input; a log of no more is as it was.
func TestPredictFirstJobs(t *testing.T) {
	log := made(t, "7")
	text, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	var head []string
	jobs := 0
	for _, line := range strings.SplitAfter(string(text), "\n") {
		if !strings.HasPrefix(line, ";") {
			jobs++
		}
		if jobs <= 300 {
			head = append(head, line)
		}
	}
	beginning := filepath.Join(t.TempDir(), filepath.Base(log))
	if err := os.WriteFile(beginning, []byte(strings.Join(head, "")), 0o666); err != nil {
		t.Fatal(err)
	}
	scores := func(args ...string) evaluate.WaitsResult {
		var js evaluate.WaitsResult
		decode(t, &js, append([]string{"predict", "-q"}, args...)...)
		js.Log.Name = ""
		return js
	}
	want := scores(beginning)
	if want.Log.Jobs != 300 || want.FirstJobs != 0 || len(want.Scores) < 8 {
		t.Fatalf("%d jobs, %d scores", want.Log.Jobs, len(want.Scores))
	}
	got := scores(log, "--first-jobs", "300")
	if got.FirstJobs != 300 {
		t.Errorf("first_jobs %d, want 300", got.FirstJobs)
	}
	got.FirstJobs = 0
	if d := cmp.Diff(want, got, cmp.Comparer(func(a, b stats.Number) bool { return a == b || !view.Known(a) && !view.Known(b) })); d != "" {
		t.Error(d)
	}
	if all := scores(beginning, "--first-jobs", "300"); all.FirstJobs != 0 {
		t.Errorf("first_jobs %d of a log of no more", all.FirstJobs)
	}
	if r := loadstone(t, string(text), "predict", "-", "--first-jobs", "300", "--predictors", "bmbp", "--format", "json"); r.code != exitDone || !strings.Contains(r.out, `"first_jobs": 300`) || !strings.Contains(r.err, "only the first 300 jobs") {
		t.Errorf("of standard input: exit code %d, %s", r.code, r.err)
	}
	if r := loadstone(t, "", "predict", log, "--first-jobs", "0"); r.code != exitUsage || !strings.Contains(r.err, "--first-jobs 0: want 1 or more") {
		t.Errorf("exit code %d, %s", r.code, r.err)
	}
}
