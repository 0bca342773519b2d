//go:build long

package cli

import (
	"path/filepath"
	"strings"
	"testing"
)

// The page's size does not grow with the log's: ten times the jobs, the same
// size within a tenth. Predictors of wait are scored on as many jobs of both.
func TestReportSizeIsNotTheLogs(t *testing.T) {
	size := func(jobs string) float64 {
		log := filepath.Join(t.TempDir(), "made.parquet")
		if r := loadstone(t, "", "generate", "--model", "lublin1999", "--jobs", jobs, "--procs", "256", "--set", "users.count=50", "--seed", "3", "-q", "-o", log); r.code != exitDone {
			t.Fatal(r.err)
		}
		page := reportOf(t, log, "--predict-jobs", "2000")
		if !strings.Contains(page, "its first 2,000 jobs by submission") || !strings.Contains(page, "--first-jobs 2000") {
			t.Error("the page does not say that waits are of a part of the log")
		}
		if len(page) > 3e6 {
			t.Errorf("%s jobs: the page has %d bytes", jobs, len(page))
		}
		return float64(len(page))
	}
	small, large := size("30000"), size("300000")
	if r := large / small; r > 1.1 || r < 0.9 {
		t.Errorf("of 300,000 jobs the page has %.0f bytes, of 30,000 %.0f", large, small)
	}
}
