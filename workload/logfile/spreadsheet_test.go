package logfile_test

import (
	"testing"

	"github.com/loadstone-hpc/loadstone/workload"
)

func TestSpreadsheetText(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", ""}, {"-", "-"}, {"alice", "alice"}, {"a=b", "a=b"}, {" =1", " =1"}, {"'=1", "'=1"},
		{"-5", "-5"}, {"-0.25", "-0.25"}, {"-1e-7", "-1e-7"}, {"+5", "+5"}, {"-Inf", "-Inf"}, {"12", "12"},
		{"=1+1", "'=1+1"}, {`=HYPERLINK("http://x","y")`, `'=HYPERLINK("http://x","y")`},
		{"+cmd|' /C calc'!A0", "'+cmd|' /C calc'!A0"}, {"-2+3", "'-2+3"}, {"@SUM(A1)", "'@SUM(A1)"},
		{"\t=1", "'\t=1"}, {"\r=1", "'\r=1"}, {"\n=1", "'\n=1"},
	} {
		if got := workload.SpreadsheetText(c.text); got != c.want {
			t.Errorf("%q: got %q, want %q", c.text, got, c.want)
		}
	}
}
