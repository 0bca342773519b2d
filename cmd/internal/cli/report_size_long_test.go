//go:build long

package cli

import (
	"path/filepath"
	"testing"
)

// The page's size does not grow with the log's: ten times the jobs, the same
// size within a tenth.
func TestReportSizeIsNotTheLogs(t *testing.T) {
	size := func(jobs string) float64 {
		log := filepath.Join(t.TempDir(), "made.parquet")
		if r := loadstone(t, "", "generate", "--model", "lublin1999", "--jobs", jobs, "--procs", "256", "--set", "users.count=50", "--seed", "3", "-q", "-o", log); r.code != exitDone {
			t.Fatal(r.err)
		}
		page := reportOf(t, log)
		if len(page) > 1e6 {
			t.Errorf("%s jobs: the page has %d bytes", jobs, len(page))
		}
		return float64(len(page))
	}
	small, large := size("30000"), size("300000")
	if r := large / small; r > 1.1 || r < 0.9 {
		t.Errorf("of 300,000 jobs the page has %.0f bytes, of 30,000 %.0f", large, small)
	}
}
