//go:build long

package evaluate

import (
	"context"
	"testing"
)

// TestSlurmSnapshotsAll: on all days, from the sixth on, the error is at most .75 of the
// better of partition means and of ridge regressions on the features as they are, and
// the 95 % bounds cover 93 to 97 %, on no day less than 85 %. The last holds with the
// default seed; with others the worst day was covered to 77 to 84 % (see docs/findings/waits.md).
func TestSlurmSnapshotsAll(t *testing.T) {
	r, err := Snapshots(context.Background(), "slurm", slurmDays(t, 0), SnapshotsOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range r.Scores {
		t.Logf("%s: %.4f, covered %.3f, on the worst day %.3f", s.Predictor, s.SquaredError, s.Coverage, s.CoverageWorst)
	}
	f := r.Score("forest")
	best := min(r.Score("group-means").SquaredError, r.Score("ridge-100").SquaredError, r.Score("ridge-10000").SquaredError)
	if f.SquaredError > 0.75*best || f.Coverage < 0.93 || f.Coverage > 0.97 || f.CoverageWorst < 0.85 {
		t.Errorf("error %.4f against %.4f, covered %.3f, on the worst day %.3f", f.SquaredError, best, f.Coverage, f.CoverageWorst)
	}
}
