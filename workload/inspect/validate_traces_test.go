package inspect

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/stats"
)

// TestRealLogsAgainstPython compares every rule's count on the real logs, and the extent to which
// their machines were over capacity, with a plain Python program that keeps everything in memory:
// testdata/validate.py.
func TestRealLogsAgainstPython(t *testing.T) {
	var reference struct {
		Logs map[string]struct {
			Jobs   int64            `json:"jobs"`
			Counts map[string]int64 `json:"counts"`
			Busy   *struct {
				Placed  int64        `json:"placed"`
				Moments int64        `json:"moments"`
				Seconds stats.Number `json:"seconds"`
				Peak    float64      `json:"peak"`
				PeakAt  stats.Number `json:"peak_at"`
			} `json:"busy"`
		} `json:"logs"`
	}
	text, err := os.ReadFile("testdata/validate.json")
	jobtest.NoError(t, err)
	jobtest.NoError(t, json.Unmarshal(text, &reference))
	if len(reference.Logs) != 12 {
		t.Fatalf("%d logs", len(reference.Logs))
	}
	for name, want := range reference.Logs {
		t.Run(name, func(t *testing.T) {
			v, err := Validate(t.Context(), jobtest.Open(t, name), ValidateOptions{First: 2})
			jobtest.NoError(t, err)
			got := map[string]int64{}
			for _, f := range v.Findings {
				got[f.Rule] = f.Count
				for i, p := range f.Places {
					if i > 0 && p.Line <= f.Places[i-1].Line && f.Rule != "machine-over-full" && p.Row.Known() {
						t.Errorf("%s: places out of order: %+v", f.Rule, f.Places)
					}
				}
			}
			if d := cmp.Diff(want.Counts, got); d != "" || v.Log.Jobs != want.Jobs {
				t.Errorf("%d jobs, want %d; counts: %s", v.Log.Jobs, want.Jobs, d)
			}
			if want.Busy == nil {
				if v.Busy != nil {
					t.Errorf("busy %+v, want none", v.Busy)
				}
				return
			}
			w := want.Busy
			if d := cmp.Diff(&Busy{Placed: w.Placed, Moments: w.Moments, Seconds: w.Seconds, Peak: int64(w.Peak), PeakAt: w.PeakAt, PeakPct: v.Busy.PeakPct}, v.Busy); d != "" {
				t.Error(d)
			}
		})
	}
}
