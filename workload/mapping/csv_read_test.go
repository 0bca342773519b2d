package mapping_test

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/delimited"
	"github.com/loadstone-hpc/loadstone/workload/internal/logtest"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
	"github.com/loadstone-hpc/loadstone/workload/mapping"
)

// The real file, against encoding/csv and strconv.
func TestCSVRealLog(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	path := filepath.Join(logtest.Traces(t), "other", "hpcwld-HPC_KRC.csv")
	l, jobs := readTrace(t, path, workload.Options{Map: map[string]string{
		"interarrival_time": "interarrival", "run_time": "service", "requested_processors": "cores_requested", "wait_time_s": "Delays",
	}})
	if l.Format != "csv" || len(jobs) != 8281 {
		t.Fatalf("format %s, %d jobs", l.Format, len(jobs))
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	submit := 0.0
	for i, row := range rows[1:] {
		var x [5]float64
		for k := range x {
			if x[k], err = strconv.ParseFloat(row[k], 64); err != nil {
				t.Fatal(err)
			}
		}
		submit += x[0]
		wantJob(t, jobs[i], func(j *workload.Job) { j.Submit, j.Run, j.Processors, j.Wait = submit, x[1], int64(x[2]), x[4] })
	}
	// awk -F, '{s+=$1} END{print s}' of the file.
	if last := jobs[len(jobs)-1].Submit; last != 52615632 {
		t.Errorf("the last submission at %.0f s", last)
	}
	logtest.WantCounts(t, l, map[string]int64{"unmapped-column": 1})
	if w := l.Warnings()[0]; w.Saw != `"cores_used"` {
		t.Errorf("%v", w)
	}
	_, err = logfile.Open(path, workload.Options{})
	if want := `:1: columns: saw "interarrival", "service", "cores_requested", "cores_used", "delays", want columns of the job table, such as submit_time_s, or a mapping to them`; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v", err)
	}
}

func TestCSVTimes(t *testing.T) {
	const from = "Submitted,Began,Ended\n"
	mapping := map[string]string{"submit_time": "Submitted", "start_time": "Began", "end_time": "Ended"}
	for _, c := range []struct {
		name, text, zone string
		start            string // UnixStartTime
		jobs             [][3]float64
		rules            string
	}{
		{"seconds", from + "10,12.5,20\n11,NA,\n", "", "", [][3]float64{{10, 2.5, 7.5}, {11, math.NaN(), math.NaN()}}, "map[]"},
		{"RFC 3339", from + "2024-05-31T14:30:00Z,2024-05-31T16:30:10+02:00,2024-05-31T14:31:00.25Z\n", "", "1717165800", [][3]float64{{0, 10, 50.25}}, "map[]"},
		{"local as UTC", from + "2024-05-31 14:30:00,2024-05-31 14:30:10,2024-05-31 14:31\n", "", "1717165800", [][3]float64{{0, 10, 50}}, "map[time-zone:1]"},
		{"local", from + "2024-05-31 16:30:00,2024-05-31 16:30:10,2024-05-31 16:31:00\n", "Europe/Zurich", "1717165800", [][3]float64{{0, 10, 50}}, "map[]"},
		// On 31 March 2024 clocks in Zurich went from 2:00 to 3:00.
		{"over a change of the clock", from + "2024-03-31 01:59:50,2024-03-31 03:00:00,2024-03-31 03:00:10\n", "Europe/Zurich", "1711846790", [][3]float64{{0, 10, 10}}, "map[]"},
		{"days", from + "2024-02-28,2024-03-01,2024-03-02\n", "", "1709078400", [][3]float64{{0, 2 * 86400, 86400}}, "map[time-zone:1]"},
		{"earliest first", from + "2024-02-29,2024-02-29,2024-03-01\n2024-02-28,2024-02-28,2024-02-28\n", "UTC", "1709078400", [][3]float64{{86400, 0, 86400}, {0, 0, 0}}, "map[submit-order:1]"},
		{"end before start", from + "5,6,4\n", "", "", [][3]float64{{5, 1, -2}}, "map[negative-run-time:1]"},
		{"never started", from + "2024-02-28,Unknown,None\n", "UTC", "1709078400", [][3]float64{{0, math.NaN(), math.NaN()}}, "map[]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			l, jobs, err := readCSV(c.text, workload.Options{Map: mapping, TimeZone: c.zone})
			if err != nil {
				t.Fatal(err)
			}
			if got := l.Header.Get("UnixStartTime"); got != c.start {
				t.Errorf("start %s, want %s", got, c.start)
			}
			if len(jobs) != len(c.jobs) {
				t.Fatalf("%d jobs", len(jobs))
			}
			for i, want := range c.jobs {
				wantJob(t, jobs[i], func(j *workload.Job) { j.Submit, j.Wait, j.Run = want[0], want[1], want[2] })
			}
			if got := fmt.Sprint(logtest.Counts(l)); got != c.rules {
				t.Errorf("warnings %v, want %v", got, c.rules)
			}
		})
	}
}

// Times of Go's own parser and ours agree.
func TestParseStamp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		layout := rapid.SampledFrom([]string{time.RFC3339Nano, time.RFC3339, "2006-01-02 15:04:05", "2006-01-02T15:04:05.000", "2006-01-02", "2006-01-02 15:04", "2006-01-02 15:04:05 -0700"}).Draw(t, "layout")
		zone := time.FixedZone("", 60*rapid.IntRange(-14*60, 14*60).Draw(t, "zone"))
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
		"2024-01-01T", "2024-01-01 10:00:00.", "2024-01-01 10:00:00X", "2024-01-01 10:00:0", "2024-01-01 10:00:00+99:99", "0000-00-00 00:00:00", "0000-01-01", "1899-12-31", "12024-01-01",
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

func TestCSVIdentifiers(t *testing.T) {
	text := "Job,User,Queue,State,Cores,Submit\n" +
		"12_1,\"Doe, Jane\",3,COMPLETED,2.0,5\n" +
		"12_2,bob,4,CANCELLED by 7,2.5,6\n" +
		"13,,batch,0,NA,7\n" +
		"14,\"Doe, Jane\",3,weird,4,8\n"
	l, jobs, err := readCSV(text, workload.Options{Map: map[string]string{"job_id": "Job", "user": "User", "queue_id": "queue", "status": "State", "requested_processors": "Cores", "submit_time": "Submit"}})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []struct{ user, queue, status, cores int64 }{
		{1, 1, workload.StatusCompleted, 2}, {2, 2, workload.StatusCancelled, workload.Unknown}, {workload.Unknown, 3, workload.StatusFailed, workload.Unknown}, {1, 1, workload.Unknown, 4},
	} {
		wantJob(t, jobs[i], func(j *workload.Job) {
			j.ID, j.Submit, j.User, j.Queue, j.Status, j.Processors = int64(i+1), float64(5+i), want.user, want.queue, want.status, want.cores
		})
	}
	logtest.WantCounts(t, l, map[string]int64{"text-job-id": 1, "fraction-requested_processors": 1, "unknown-status": 1})
	for _, w := range l.Warnings() {
		if want := map[string]int64{"text-job-id": 2, "fraction-requested_processors": 3, "unknown-status": 5}[w.Rule]; w.Line != want {
			t.Errorf("%v, want line %d", w, want)
		}
	}
	if got := strings.Join(l.Header.Lines, "|"); got != " User: 1 Doe, Jane| User: 2 bob| Queue: 1 3| Queue: 2 4| Queue: 3 batch" {
		t.Errorf("header %q", got)
	}
}

// The first chunk decides: a text behind thousands of numbers is unknown, and
// said.
func TestCSVLateText(t *testing.T) {
	text := "user_id,submit_time_s\n" + strings.Repeat("1,2\n", 100) + "root,3\n"
	l, err := mapping.OpenChunks("x", strings.NewReader(text), workload.Options{}, 64)
	if err != nil {
		t.Fatal(err)
	}
	jobs, err := logtest.ReadAll(l)
	if err != nil || len(jobs) != 101 || !jobs[100][workload.ColUser].Null {
		t.Errorf("%d jobs, %v", len(jobs), err)
	}
	if w := l.Warnings(); len(w) != 1 || w[0].Rule != "text-user-id" || w[0].Line != 102 {
		t.Errorf("warnings %v", w)
	}
}

// Lines are right behind blank lines and fields of several lines, in warnings,
// in Log.Line and in errors.
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

func TestCSVBadInput(t *testing.T) {
	two := map[string]string{"submit_time": "a", "user": "b"}
	for _, c := range []struct {
		name, text string
		mapping    map[string]string
		want       string
	}{
		{"no lines", "\n\n", nil, "log.csv: saw no names of columns, want a first line with them"},
		{"no mapping", "a,b\n1,2\n", nil, `log.csv:1: columns: saw "a", "b", want columns of the job table, such as submit_time_s, or a mapping to them, such as submit_time="a"`},
		{"no names", "1;2\n3;4\n", nil, `log.csv:1: columns: saw "1", "2", want the names of the columns in the first line, such as submit_time_s, not numbers`},
		{"no such column", "a,b\n1,2\n", map[string]string{"submit_time": "c"}, `log.csv:1: submit_time_s: saw "c" in the mapping, want one of the file's columns: "a", "b"`},
		{"two such columns", "a,a\n1,2\n", map[string]string{"submit_time": "a"}, `log.csv:1: submit_time_s: saw "a" in the mapping, want one column of that name; the file has 2`},
		{"two of ours", "submit_time_s,submit_time_s\n1,2\n", nil, `log.csv:1: submit_time_s: saw "submit_time_s" in the mapping, want one column of that name; the file has 2`},
		{"no such target", "a,b\n1,2\n", map[string]string{"colour": "a"}, `log.csv: column mapping: "colour" is not a column that can be mapped: want one of job, submit_time,`},
		{"the same target", "a,b\n1,2\n", map[string]string{"user": "a", "user_id": "b"}, `"user" and "user_id" are the same column`},
		{"submissions twice", "a,b\n1,2\n", map[string]string{"submit_time": "a", "interarrival_time": "b"}, `want one of them`},
		{"too few fields", "a,b\n1,2\n1\n", two, "log.csv:3: saw 1 field, want 2, as in the first line"},
		{"too many fields", "a,b\n1,2,3\n", two, "log.csv:2: saw 3 fields, want 2, as in the first line"},
		{"no number", "a,b\n1,2\nx,2\n", two, `log.csv:3: a (submit_time_s): saw "x", want seconds, or a time such as 2024-05-31 14:30:00`},
		{"day or month", "a,b\n01.02.2024 10:00,2\n", two, `log.csv:2: a (submit_time_s): saw "01.02.2024 10:00", want a time such as 2024-05-31 14:30:00, since the order of day and month is not clear: write the column as yyyy-mm-dd hh:mm:ss`},
		{"month or day", "a,b\n2/13/2024 10:10,2\n", two, `saw "2/13/2024 10:10", want a time such as 2024-05-31 14:30:00, since the order`},
		{"stamp among seconds", "a,b\n1,2\n2024-01-01,2\n", two, `log.csv:3: a (submit_time_s): saw "2024-01-01", want seconds, as in the first times of the file`},
		{"seconds among stamps", "a,b\n2024-01-01,2\n1,2\n", two, `log.csv:3: a (submit_time_s): saw "1", want a time such as 2024-05-31 14:30:00 or 2024-05-31T14:30:00Z`},
		{"year 0", "a,b\n0000-01-01,2\n", two, `log.csv:2: a (submit_time_s): saw "0000-01-01", want a date from 1900 to 9999`},
		{"out of range", "a,b\n1e999,2\n", two, `log.csv:2: a (submit_time_s): saw "1e999", want a finite number`},
		{"whole out of range", "submit_time_s,user_id\n1,99999999999999999999\n", nil, `log.csv:2: user_id: saw "99999999999999999999", want a whole number of at most 9.2e18`},
		{"not UTF-8", "a,b\n1,Jos\xe9\n", two, `log.csv:2: b (user_id): saw "Jos\xe9", want UTF-8 text`},
		{"names not UTF-8", "a,Jos\xe9\n1,2\n", two, `log.csv:1: columns: saw "Jos\xe9", want UTF-8 text`},
		{"quote within", "a,b\n1,2\n1,a\"b\n", two, `log.csv:3: saw a quote within "a\"b", want a field that begins with a quote, with quotes in it doubled`},
		{"text behind a quote", "a,b\n1,2\n1,\"a\"b\n", two, `log.csv:3: saw "b" after a closing quote, want a comma or the end of the line`},
		{"open quote", "a,b\n1,2\n\n1,\"a\n1,2\n", two, `log.csv:4: saw a quote that is not closed`},
		{"open quote for long", "a,b\n1,2\n\n1,\"a\n" + strings.Repeat("1,2\n", 3<<19), two, `log.csv:4: saw a record of more than 4 MiB that begins with "1,\"a\n1,2`},
		{"long first line", strings.Repeat("a,", 1<<20), two, "log.csv:1: saw a line of more than 1 MiB"},
		{"many columns", strings.Repeat("a,", 10_000), two, "log.csv:1: saw 10001 columns, want at most 10000"},
		{"binary", "a,b\n1," + strings.Repeat("x", 600) + "\x00", two, "binary data"},
		{"long name", "a,b\n1," + strings.Repeat("x", parse.MaxText+1), two, "want a name of at most 65536 bytes"},
		{"time zone", "a,b\n1,2", two, `timezone: "Mars/Olympus", want a name of the IANA database, such as Europe/Zurich`},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := workload.Options{Map: c.mapping}
			if c.name == "time zone" {
				o.TimeZone = "Mars/Olympus"
			}
			_, _, err := readCSV(c.text, o)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Fatalf("error %v\nwant  %s", err, c.want)
			}
			var input *workload.InputError
			if !errors.As(err, &input) && o.TimeZone == "" {
				t.Errorf("%T", err)
			}
		})
	}
}

// Our own files read back as they were, through any compression.
func TestCSVOwnRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		recs := logtest.RandomBatches(t)
		var b bytes.Buffer
		w, err := logfile.NewWriter(rapid.SampledFrom([]string{"csv", "csv.gz", "csv.zst"}).Draw(t, "format"), &b, workload.Header{}, workload.WriteOptions{Columns: workload.OptionalColumns})
		if err != nil {
			t.Fatal(err)
		}
		logtest.WriteAll(t, w, logtest.Sequence(recs))
		l, err := logfile.OpenReader("x", &b, workload.Options{Workers: rapid.IntRange(1, 2).Draw(t, "workers")})
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		var rows []string
		for rec, err := range l.Batches() {
			if err != nil {
				t.Fatal(err)
			}
			rows = append(rows, string(delimited.Append(nil, rec, workload.OptionalColumns.Written())))
		}
		var want []string
		for _, rec := range recs {
			want = append(want, string(delimited.Append(nil, rec, workload.OptionalColumns.Written())))
		}
		if got, want := strings.Join(rows, ""), strings.Join(want, ""); got != want {
			t.Fatalf("got\n%swant\n%s", got, want)
		}
	})
}
