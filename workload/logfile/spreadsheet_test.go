package logfile_test

import (
	"testing"

	"github.com/loadstone-hpc/loadstone/workload"
)

// A quote precedes text that a spreadsheet would interpret as a formula.
func TestSpreadsheetText(t *testing.T) {
	for _, text := range []string{"", "-", "alice", "a=b", " =1", "'=1", "-5", "-0.25", "-1e-7", "+5", "-Inf", "12"} {
		if got := workload.SpreadsheetText(text); got != text {
			t.Errorf("%q: got %q", text, got)
		}
	}
	for _, text := range []string{"=1+1", `=HYPERLINK("http://x","y")`, "+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "\n=1"} {
		if got := workload.SpreadsheetText(text); got != "'"+text {
			t.Errorf("%q: got %q", text, got)
		}
	}
}
