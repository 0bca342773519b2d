package inspect

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loadstone-hpc/loadstone/internal/reallogs"
	"github.com/loadstone-hpc/loadstone/workload"
)

// TestRealLogsAgainstPython holds every rule's count on the real logs, and how
// far their machines were over full, against a plain Python program that has
// everything in memory: testdata/validate.py.
func TestRealLogsAgainstPython(t *testing.T) {
	dir := reallogs.Path(t, "")
	var reference struct {
		Logs map[string]struct {
			Jobs   int64            `json:"jobs"`
			Counts map[string]int64 `json:"counts"`
			Busy   *struct {
				Placed  int64   `json:"placed"`
				Moments int64   `json:"moments"`
				Periods int64   `json:"periods"`
				Seconds float64 `json:"seconds"`
				Jobs    int64   `json:"jobs"`
				Peak    float64 `json:"peak"`
				PeakAt  float64 `json:"peak_at"`
			} `json:"busy"`
		} `json:"logs"`
	}
	text, err := os.ReadFile("testdata/validate.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &reference); err != nil {
		t.Fatal(err)
	}
	if len(reference.Logs) != 12 {
		t.Fatalf("%d logs", len(reference.Logs))
	}
	for name, want := range reference.Logs {
		t.Run(name, func(t *testing.T) {
			log, err := workload.Open(filepath.Join(dir, "swf", name), workload.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer log.Close()
			v, err := Validate(log, log.Batches(), ValidateOptions{First: 2})
			if err != nil {
				t.Fatal(err)
			}
			got := map[string]int64{}
			for _, f := range v.Findings {
				got[f.Name] = f.Count
				for i, p := range f.Places {
					if i > 0 && p.Line <= f.Places[i-1].Line && f.Name != "machine-over-full" && p.Row >= 0 {
						t.Errorf("%s: places out of order: %+v", f.Name, f.Places)
					}
				}
			}
			if d := cmp.Diff(want.Counts, got); d != "" || v.Jobs != want.Jobs {
				t.Errorf("%d jobs, want %d; counts: %s", v.Jobs, want.Jobs, d)
			}
			if want.Busy == nil {
				if v.Busy.Placed != 0 {
					t.Errorf("busy %+v, want none", v.Busy)
				}
				return
			}
			w := want.Busy
			if d := cmp.Diff(Busy{w.Placed, w.Moments, w.Periods, w.Seconds, w.Jobs, int64(w.Peak), w.PeakAt}, v.Busy); d != "" {
				t.Error(d)
			}
		})
	}
}
