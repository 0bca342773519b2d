package mapping_test

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/logtest"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
	"github.com/loadstone-hpc/loadstone/workload/mapping"
)

// Our parser of times agrees with Go's.
func TestParseStamp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		layout := rapid.SampledFrom([]string{time.RFC3339Nano, time.RFC3339, "2006-01-02 15:04:05", "2006-01-02T15:04:05.000", "2006-01-02", "2006-01-02 15:04", "2006-01-02 15:04:05 -0700", "2006-01-02 15:04:05-07:00"}).Draw(t, "layout")
		zone := time.FixedZone("", 60*rapid.IntRange(-14*60-59, 14*60+59).Draw(t, "zone"))
		at := time.Unix(rapid.Int64Range(-2208902400, 253402214400).Draw(t, "seconds"), rapid.Int64Range(0, 999).Draw(t, "ms")*1e6).In(zone)
		text := at.Format(layout)
		want, err := time.Parse(layout, text)
		if err != nil {
			t.Fatal(err)
		}
		seconds, fraction, _, bad := parse.Stamp([]byte(text))
		if bad != "" || seconds != want.Unix() || math.Abs(fraction-float64(want.Nanosecond())/1e9) > 1e-12 {
			t.Fatalf("%s is %d and %g, %s; want %d and %d ns", text, seconds, fraction, bad, want.Unix(), want.Nanosecond())
		}
	})
	for _, text := range []string{
		"", "2024", "2024-13-01", "2024-00-01", "2024-02-30", "2023-02-29", "1900-02-29", "2024-01-01 24:00:00", "2024-01-01 10:60", "2024-01-01 1:00:00",
		"2024-01-01T", "2024-01-01 10:00:00.", "2024-01-01 10:00:00X", "2024-01-01 10:00:0", "2024-01-01 10:00:00+99:99",
		"2024-01-01 10:00:00+15:00", "2024-01-01 10:00:00-1500", "2024-01-01 10:00:00+24:00", "2024-01-01 10:00:00+13:60", "2024-01-01 10:00:00-0060", "2024-01-01 10:00:00+01", "2024-01-01 10:00:00ZZ",
		"0000-00-00 00:00:00", "0000-01-01", "1899-12-31", "12024-01-01",
	} {
		if _, _, _, want := parse.Stamp([]byte(text)); want == "" {
			t.Errorf("%q is taken for a time", text)
		}
	}
}

func TestParseElapsed(t *testing.T) {
	for text, want := range map[string]float64{
		"0": 0, "12.5": 12.5, "-3": -3, "1e3": 1000, "01:02": 62, "1:02:03": 3723, "2-01:02:03": 176523, "100:00:00": 360000, "00:00:01.250": 1.25, "1-00:30": 88200,
		"4 days 16:26:18": 404778, "1 day 00:00:01": 86401, "0 days 00:10:00.5": 600.5, // pandas, PostgreSQL
	} {
		if got, bad := parse.Elapsed([]byte(text)); bad != "" || got != want {
			t.Errorf("%s is %g s, %s; want %g", text, got, bad, want)
		}
	}
	for _, text := range []string{"", "x", ":", "1:", ":1", "1:60:00", "1:2:3:4", "-1:00", "1-2-3:04", "1:00:61", "1:00:-5", "1:00:x", "9999999999:00", "1:1e5", "1 days", "1 days 2:03", "-1 days +23:59:00", "1 daysx 00:00:01"} {
		if got, bad := parse.Elapsed([]byte(text)); bad == "" {
			t.Errorf("%q is taken for %g s", text, got)
		}
	}
}

// The first chunk determines the type of a column: a text after thousands of numbers is unknown,
// and reported.
func TestCSVLateText(t *testing.T) {
	text := "user_id,submit_time_s\n" + strings.Repeat("1,2\n", 100) + "root,3\n"
	l, err := mapping.OpenChunks("x", strings.NewReader(text), workload.Options{}, 64)
	if err != nil {
		t.Fatal(err)
	}
	jobs, err := logtest.ReadAll(l)
	if err != nil || jobs.Rows != 101 || jobs.Int(workload.ColUser, 100) != workload.Unknown {
		t.Errorf("%v", err)
	}
	if w := l.Warnings(); len(w) != 1 || w[0].Rule != "text-user-id" || w[0].Line != 102 {
		t.Errorf("warnings %v", w)
	}
}

// Line numbers after blank lines and multi-line fields are correct in warnings, in Log.Line and in
// errors.
func TestCSVLines(t *testing.T) {
	text := "\r\n\"user\nname\",submit_time_s,note\r\n" + // lines 1 to 3
		"a,1,\"x\ny\"\n" + // 4 and 5
		"\n" +
		"b,0,\n" + // 7
		"\"c\r\nd\",2,\"\"\"\"\n" // 8 and 9
	for size := 1; size < 80; size++ {
		l, err := mapping.OpenChunks("x", strings.NewReader(text), workload.Options{Map: map[string]string{"user": "user\nname"}}, size)
		if err != nil {
			t.Fatal(err)
		}
		var lines []int64
		row := int64(0)
		for rec, err := range l.Batches() {
			if err != nil {
				t.Fatal(err)
			}
			for range rec.Rows {
				lines = append(lines, l.Line(row))
				row++
			}
		}
		if !slices.Equal(lines, []int64{4, 7, 8}) {
			t.Fatalf("size %d: lines %v", size, lines)
		}
		if got := strings.Join(l.Header.Lines, "|"); got != " User: 1 a| User: 2 b| User: 3 c d" {
			t.Errorf("header %q", got)
		}
		for _, w := range l.Warnings() {
			if w.Rule == "submit-order" && w.Line != 7 {
				t.Errorf("size %d: %v", size, w)
			}
		}
		l, err = mapping.OpenChunks("x", strings.NewReader(text+"\n\ne,what,\n"), workload.Options{}, size)
		if err == nil {
			_, err = logtest.ReadAll(l)
		}
		if want := `x:12: submit_time_s: saw "what", want seconds, or a time such as 2024-05-31 14:30:00`; err == nil || err.Error() != want {
			t.Fatalf("size %d: error %v, want %s", size, err, want)
		}
	}
}

// Texts that are too long, and binary data, are refused.
func TestLongTexts(t *testing.T) {
	for text, want := range map[string]string{
		"1,2\n\n1,\"a\n" + strings.Repeat("1,2\n", 3<<19):          `log.csv:4: saw a record of more than 4 MiB that begins with "1,\"a\n1,2`,
		"1," + strings.Repeat("x", 600) + "\x00":                   "binary data",
		"1," + strings.Repeat("x", parse.MaxText+1):                "want a name of at most 65536 bytes",
		strings.Repeat("a,", 1<<20):                                "log.csv:2: saw a line of more than 1 MiB",
		strings.Repeat("a,", 10_000) + "\n" + "submit_time_s\n1\n": "saw 10001 fields, want 2",
	} {
		_, _, err := readCSV("submit_time_s,user\n"+text, workload.Options{})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %s", err, want)
		}
	}
	if _, _, err := readCSV(strings.Repeat("a,", 10_000), workload.Options{}); err == nil || !strings.Contains(err.Error(), "log.csv:1: saw 10001 columns, want at most 10000") {
		t.Error(err)
	}
}
