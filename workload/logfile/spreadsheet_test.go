package logfile_test

import (
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/columnar"
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

// A plain table has the escape in CSV alone: the other forms have types.
func TestPlainTableEscapesFormulas(t *testing.T) {
	type row struct {
		Group string  `json:"group"`
		Wait  float64 `json:"wait_s"`
		Job   int     `json:"job"`
	}
	form := columnar.PlainForm[row]{Schema: "test/1"}
	for format, want := range map[string]string{"csv": "group,wait_s,job\n\"'=cmd,\"\"x\"\"\",-1.5,-7\n", "arrow": `=cmd,"x"`} {
		var b strings.Builder
		if err := form.Write(format, &b, func(save func(row) error) error { return save(row{`=cmd,"x"`, -1.5, -7}) }); err != nil {
			t.Fatal(err)
		}
		if got := b.String(); !strings.Contains(got, want) || format == "arrow" && strings.Contains(got, "'=cmd") {
			t.Errorf("%s: got %q, want %q", format, got, want)
		}
	}
}
