package swf_test

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/logtest"
	"github.com/loadstone-hpc/loadstone/workload/swf"
)

// FuzzSWF compares the reader with the simple one, for several chunk sizes: header, jobs and counts
// must be equal, or a fault must be at the same place. Reading back what is written must give the
// same again.
func FuzzSWF(f *testing.F) {
	const job = "1 0 5 10 4 9.25 -1 4 60 -1 1 2 3 4 5 6 7 8"
	for _, text := range []string{
		"",
		job,
		"; Version: 2.2\r\n;\r\n" + job + "\r\n\r\n" + job + " \r\n",
		"\xef\xbb\xbf;x\n\n \t" + strings.ReplaceAll(job, " ", "\t  ") + "\n; late\n",
		job + " 19 20\n" + job + " ; comment\n",
		"1 -1.0 -1.00 +5 64.0 1e3 .5 5. 0.1 -7 0 -0 00 9223372036854775807 -3 6.4e1 999999999999999999 -1e0\n",
		"1 0 5 10 4.5 9 -1 4 60 -1 1 2 3 4 5 6 7 8",
		"1 0 5 NaN 4 9 -1 4 60 -1 1 2 3 4 5 6 7 8",
		"1 0 5 1e999 4 9 -1 4 60 -1 1 2 3 4 5 6 7 8",
		"1 123456789012345678901234567890 0.30000000000000004 4503599627370497.5 9007199254740993 1 1 1 1 1 1 1 1 1 1 1 1 1",
		"1 2 3\n",
		job + "\n1 2\r3",
		"1001;0;-1;15;12",
		"\x00\x01",
		job + "\n" + job + "\x00",
		"; a\x00b\n" + job,
	} {
		f.Add(text, uint16(0))
		f.Add(text, uint16(40))
	}
	f.Fuzz(func(t *testing.T, text string, size uint16) {
		want := readSimply(text)
		isEmpty := want.jobs.Rows == 0 && len(want.header) == 0
		l, err := swf.OpenChunks("log", strings.NewReader(text), workload.Options{Workers: 2}, int(size)+1)
		if err == nil {
			jobs, lines := &workload.Batch{}, []int64(nil)
			for j, fault := range l.Jobs() {
				if err = fault; err == nil {
					lines = append(lines, l.Line(int64(jobs.Rows)))
					jobs.Append(&j)
				}
			}
			if err == nil && want.fault == "" && !isEmpty {
				logtest.SameBatches(t, jobs, want.jobs)
				if !slices.Equal(lines, want.lines) {
					t.Fatalf("jobs in lines %d, want %d", lines, want.lines)
				}
				if got, want := strings.Join(l.Header.Lines, "\n"), strings.Join(want.header, "\n"); got != want {
					t.Fatalf("header %q, want %q", got, want)
				}
				if n := logtest.Counts(l); n["late-comment"] != int64(want.late) || n["extra-fields"] != int64(want.extra) {
					t.Fatalf("%v, want %d late comments and %d jobs with more fields", n, want.late, want.extra)
				}
				again, err := swf.Open("again", bytes.NewReader(swf.Append(swf.AppendHeader(nil, l.Header), jobs)), workload.Options{Workers: 1})
				if err != nil {
					t.Fatal(err)
				}
				logtest.SameBatches(t, logtest.Collect(t, again.Batches()), jobs)
				return
			}
		}
		var e *workload.InputError
		switch {
		case !errors.As(err, &e):
			t.Fatalf("error %v, want one at %q", err, want.fault)
		case want.fault == "" && !errors.Is(err, workload.ErrNoJobs):
			t.Fatalf("error %v, want no jobs", err)
		case want.fault != "" && fmt.Sprintf("%d %s", e.Line, e.Field) != want.fault:
			t.Fatalf("error %v, want one at %s", err, want.fault)
		}
	})
}
