package slurm_test

import (
	"errors"
	"fmt"
	"io"
	goruntime "runtime"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/logtest"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
	"github.com/loadstone-hpc/loadstone/workload/slurm"
)

// TestSacctFaults has inputs that cannot be read, with the error.
func TestSacctFaults(t *testing.T) {
	good := madeSacct(sacctMadeColumns, is())
	head, _, _ := strings.Cut(good, "\n")
	head += "\n"
	bad := func(fieldsAndValues ...string) string {
		return madeSacct(sacctMadeColumns, is(), is(fieldsAndValues...), is("JobID", "3"))
	}
	many := "JobID|Submit" + strings.Repeat("|Comment", 400) + "\n"
	for _, c := range []struct{ name, text, want string }{
		{"job id", bad("JobID", "one"), `log:3: JobID: saw "one", want a job's number`},
		{"raw id", bad("JobIDRaw", "7_x"), `log:3: JobIDRaw: saw "7_x", want a job's number`},
		{"no id", bad("JobID", ""), `log:3: JobID: saw "", want a job's number`},
		{"submission", bad("Submit", "2021-13-01T00:00:00"), `log:3: Submit: saw "2021-13-01T00:00:00", want a time such as`},
		{"year 0", bad("Start", "0000-01-01T00:00:00"), `log:3: Start: saw "0000-01-01T00:00:00", want a time in 1970 or later`},
		{"another format of time", bad("End", "14:23"), `unset SLURM_TIME_FORMAT`},
		{"elapsed", bad("ElapsedRaw", "1:00"), `log:3: ElapsedRaw: saw "1:00", want a whole number`},
		{"processors", bad("NCPUS", "1e99"), `log:3: NCPUS: saw "1e99", want a whole number`},
		{"large", bad("ReqCPUS", "99999999999999999999"), `log:3: ReqCPUS: saw "99999999999999999999", want a number of at most 15 digits`},
		{"memory", bad("ReqMem", "lots"), `log:3: ReqMem: saw "lots", want an amount`},
		{"limit", bad("TimelimitRaw", "soon"), `log:3: TimelimitRaw: saw "soon", want a time of the form`},
		{"suspended", bad("Suspended", "x"), `log:3: Suspended: saw "x", want`},
		{"last line", madeSacct(sacctMadeColumns, is(), is("NCPUS", "x")), `log:3: NCPUS: saw "x"`},
		{"step", madeSacct(sacctMadeColumns, is(), step("1.0", "MaxRSS", "?")), `log:3: MaxRSS: saw "?"`},
		{"step's tasks", madeSacct(sacctMadeColumns, is(), step("1.0", "NTasks", "?")), `log:3: NTasks: saw "?"`},
		{"resource", madeSacct([]string{"JobID", "Submit", "ReqTRES"}, is("ReqTRES", "cpu=4,mem=much")), `log:2: ReqTRES: saw "cpu=4,mem=much", want an amount`},
		{"binary", madeSacct(sacctMadeColumns, is("JobName", strings.Repeat("x", 600))) + "\x00", `log:3: saw binary data "\x00"`},
		{"steps alone", madeSacct(sacctMadeColumns, step("1.batch"), step("1.extern")), "2 steps without their jobs: no jobs"},
		{"nothing that fits", head + "a\nb\nc|d\n", "3 times, first in line 2: \"a\" (stray-line)"},
		{"no job id", "Submit|Start|End\n", "want a column JobID or JobIDRaw"},
		{"no times", "JobID|User|State\n1|a|CD\n", "want a column with times"},
		{"many columns", many, "log:1: header: saw 402 columns, want 400 columns at most"},
		{"no header line", strings.TrimPrefix(good, head), "run sacct without -n"},
		{"fixed width", "JobID           JobName  Partition\n------------ ---------- ----------\n1 sum long\n", "run sacct with -P"},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := workload.Options{TimeZone: "UTC", Workers: 2}
			l, err := logfile.OpenReader("log", strings.NewReader(c.text), o)
			for err == nil {
				for _, e := range l.Batches() {
					if err = e; err != nil {
						break
					}
				}
				if err == nil {
					t.Fatal("no error")
				}
			}
			var e *workload.InputError
			if !errors.As(err, &e) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q in it", err, c.want)
			}
		})
	}
}

// TestSacctFaultFar has a fault behind many chunks: its line is right.
func TestSacctFaultFar(t *testing.T) {
	records := make([]map[string]string, 4000)
	for i := range records {
		records[i] = is("JobID", fmt.Sprint(i+1))
	}
	records = append(records, is("JobID", "5000", "JobIDRaw", "5000", "JobName", "two\nlines"), is("JobID", "5001", "NCPUS", "x"))
	text, line := madeSacct(sacctMadeColumns, records...), len(records)+2
	for _, size := range []int{1 << 12, parse.ChunkSize} {
		_, err := readSacct(text, workload.Options{}, size)
		if want := fmt.Sprintf("log:%d: NCPUS: ", line); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("chunks of %d: error %v, want %s", size, err, want)
		}
	}
}

// TestSacctRepeatedHeader reads two logs that were put into one file.
func TestSacctRepeatedHeader(t *testing.T) {
	one := madeSacct(sacctMadeColumns, is())
	got, err := readSacct(one+strings.Replace(one, "\n1|", "\n2|", 1), workload.Options{TimeZone: "UTC"}, parse.ChunkSize)
	if err != nil || len(got.jobs) != 2 || len(got.warnings) != 1 || got.warnings[0] != "repeated-header 1 3" {
		t.Errorf("%+v, %v", got, err)
	}
}

// TestSacctMemoryIsBounded reads 120 MB of records with names that are all different, which
// would be 400 MB of jobs; what is in use meanwhile is a few chunks and batches.
func TestSacctMemoryIsBounded(t *testing.T) {
	if testing.Short() {
		t.Skip("reads 120 MB")
	}
	const bound = 200 << 20                          // of chunks of jobs of 304 bytes; three times the input needs no more
	defer debug.SetGCPercent(debug.SetGCPercent(25)) // what is in use counts, more than what is not collected yet
	goruntime.GC()
	before := logtest.HeapInUse()
	n := 0
	r := &sacctMaker{head: "JobID|JobName|Submit|ElapsedRaw|State\n", left: 120 << 20, line: func(b []byte) []byte {
		n++
		return fmt.Appendf(b, "%d|a_rather_long_name_of_a_job_that_nobody_else_has_%d|%d|%d|COMPLETED\n", n, n, 1600000000+n, n%1000)
	}}
	l, err := slurm.OpenSacct("endless.log", r, workload.Options{Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	most, rows := int64(0), int64(0)
	for rec, err := range l.Batches() {
		if err != nil {
			t.Fatal(err)
		}
		rows += int64(rec.Rows)
		most = max(most, logtest.HeapInUse()-before)
	}
	if rows != int64(n) {
		t.Errorf("%d jobs of %d", rows, n)
	}
	if logtest.Warned(l, "many-names-application_id") == 0 {
		t.Error("no word of the names")
	}
	t.Logf("at most %d MB in use", most>>20)
	if most > bound {
		t.Errorf("%d MB in use, want at most %d", most>>20, bound>>20)
	}
}

// sacctMaker makes up lines as they are read.
type sacctMaker struct {
	head string
	line func([]byte) []byte
	left int
	buf  []byte
}

func (m *sacctMaker) Read(p []byte) (int, error) {
	if m.head != "" {
		m.buf, m.head = append(m.buf, m.head...), ""
	}
	for m.left > 0 && len(m.buf) < len(p) {
		before := len(m.buf)
		m.buf = m.line(m.buf)
		m.left -= len(m.buf) - before
	}
	if len(m.buf) == 0 {
		return 0, io.EOF
	}
	n := copy(p, m.buf)
	m.buf = append(m.buf[:0], m.buf[n:]...)
	return n, nil
}

// TestSacctLongTextsEnd gives texts without an end in places where one may
// stand: each is an error, or a counted warning, before much of it is read.
func TestSacctLongTextsEnd(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	const size = 1 << 30
	for _, c := range []struct{ name, before, text string }{
		{"header", "JobID|Submit|JobName", "|x"},
		{"a line", "JobID|Submit|JobName\n1|", "x"},
		{"bars", "JobID|Submit|JobName\n1|", "|"},
		{"lines", "JobID|Submit|JobName|State|End\n1||a", "x\n"},
		{"lines with bars", "JobID|Submit|JobName|State\n1||", "|\n"},
		{"a record that does not end", "State|JobName|Submit|JobID\n|a", "|\n"},
		{"blank lines", "JobID|Submit|JobName|State\n", "\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			goruntime.GC()
			before := logtest.HeapInUse()
			rest := &logtest.Endless{Text: []byte(c.text), Left: size}
			l, err := slurm.OpenSacct("long.log", io.MultiReader(strings.NewReader(c.before), rest), workload.Options{Workers: 2})
			if err == nil {
				for _, err = range l.Batches() {
					if err != nil {
						break
					}
				}
			}
			var e *workload.InputError
			if !errors.As(err, &e) {
				t.Fatalf("error %v", err)
			}
			if read := size - rest.Left; read > 16<<20 {
				t.Errorf("%d MB were read", read>>20)
			}
			if used := logtest.HeapInUse() - before; used > 150<<20 {
				t.Errorf("%d MB in use", used>>20)
			}
		})
	}
}

// TestSacctRequeuedFarApart holds the distance at which records of one job
// still find each other.
func TestSacctRequeuedFarApart(t *testing.T) {
	var b strings.Builder
	b.WriteString("JobID|Submit|State\n")
	const between = workload.DefaultBatchRows - 1
	b.WriteString("1|1600000000|REQUEUED\n")
	for i := range between {
		fmt.Fprintf(&b, "%d|1600000000|COMPLETED\n", i+2)
	}
	b.WriteString("1|1600000001|COMPLETED\n")
	for i := range 2*workload.DefaultBatchRows + 5 {
		fmt.Fprintf(&b, "%d|1600000001|COMPLETED\n", i+between+2)
	}
	got, err := readSacct(b.String(), workload.Options{}, 1<<14)
	if err != nil {
		t.Fatal(err)
	}
	first, second := strings.Fields(got.jobs[0])[10], strings.Fields(got.jobs[between+1])[10]
	if first != "2" || second != "3" {
		t.Errorf("status %s and %s, want 2 and 3", first, second)
	}
	for i, line := range got.lines {
		if line != int64(i+2) {
			t.Fatalf("job %d is said to be in line %d", i, line)
		}
	}
}

// Columns without a place are said; a log of records with a bar too
// many says so, and not that its steps have no jobs.
func TestSacctWhatIsLeft(t *testing.T) {
	const head = "JobID|Submit|ElapsedRaw|State|AllocTRES|Reason|Flags\n"
	l, err := slurm.OpenSacct("x.log", strings.NewReader(head+"1|2024-01-01T00:00:00|5|COMPLETED|cpu=2,gres/gpu=4|7|0\n2|2024-01-01T00:00:00|5|COMPLETED|cpu=2|7|0\n"), workload.Options{TimeZone: "UTC"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := logtest.ReadAll(l); err != nil {
		t.Fatal(err)
	}
	logtest.WantCounts(t, l, map[string]int64{"left-out-columns": 2, "missing-column": 1})
	var broken strings.Builder
	for i := range 20 {
		fmt.Fprintf(&broken, "%d|2024-01-01T00:00:00|5|COMPLETED|cpu=2|7|0|\n%d.batch|2024-01-01T00:00:00|5|COMPLETED|cpu=2|7|0\n", i+1, i+1)
	}
	if l, err = slurm.OpenSacct("x.log", strings.NewReader(head+broken.String()), workload.Options{TimeZone: "UTC"}); err == nil {
		_, err = logtest.ReadAll(l)
	}
	if err == nil || !strings.Contains(err.Error(), "x.log:2: ") || !strings.Contains(err.Error(), "want records with 7 columns, as the first line has") {
		t.Errorf("error %v", err)
	}
}
