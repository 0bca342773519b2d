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
	written := map[string]string{}
	for _, format := range columnar.PlainFormats() {
		var b strings.Builder
		if err := form.Write(format, &b, func(save func(row) error) error { return save(row{`=cmd,"x"`, -1.5, -7}) }); err != nil {
			t.Fatal(err)
		}
		written[format] = b.String()
	}
	if want := "group,wait_s,job\n\"'=cmd,\"\"x\"\"\",-1.5,-7\n"; written["csv"] != want {
		t.Errorf("CSV: got %q, want %q", written["csv"], want)
	}
	file := strings.NewReader(written["parquet"])
	for rows, err := range columnar.ReadTable("p.parquet", file, file.Size(), []workload.TableColumn{{Name: "group", Kind: workload.TableText}}) {
		if err != nil {
			t.Fatal(err)
		}
		if got := rows.Columns[0].TextAt(0); got != `=cmd,"x"` {
			t.Errorf("Parquet: got %q", got)
		}
	}
}
