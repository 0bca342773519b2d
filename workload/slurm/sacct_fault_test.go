package slurm_test

import (
	"errors"
	"fmt"
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

// TestSacctRepeatedHeader reads two logs that were put into one file.
func TestSacctRepeatedHeader(t *testing.T) {
	one := madeSacct(sacctMadeColumns, is())
	got, err := readSacct(one+strings.Replace(one, "\n1|", "\n2|", 1), workload.Options{TimeZone: "UTC"}, parse.ChunkSize)
	if err != nil || len(got.jobs) != 2 || len(got.warnings) != 1 || got.warnings[0] != "repeated-header 1 3" {
		t.Errorf("%+v, %v", got, err)
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
	l, err := slurm.OpenSacct("x.log", strings.NewReader(head+"1|2024-01-01T00:00:00|5|COMPLETED|cpu=2,gres/gpu=4|7|0\n2|2024-01-01T00:00:00|5|COMPLETED|cpu=2|7|0\n"), workload.Options{TimeZone: "UTC"}, parse.ChunkSize)
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
	if l, err = slurm.OpenSacct("x.log", strings.NewReader(head+broken.String()), workload.Options{TimeZone: "UTC"}, parse.ChunkSize); err == nil {
		_, err = logtest.ReadAll(l)
	}
	if err == nil || !strings.Contains(err.Error(), "x.log:2: ") || !strings.Contains(err.Error(), "want records with 7 columns, as the first line has") {
		t.Errorf("error %v", err)
	}
}
