package swf_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/logtest"
	"github.com/loadstone-hpc/loadstone/workload/swf"
)

// FuzzSWF compares the reader with the simple one, at several sizes of chunks:
// the same header, jobs and counts, or a fault in the same place; and a second
// reading of what is written gives the same again.
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
		want, wantErr := logtest.SimpleSWF(text)
		l, err := swf.OpenChunks("log", strings.NewReader(text), workload.Options{Workers: 2}, int(size)+1)
		if err == nil {
			var jobs []logtest.SimpleJob
			jobs, err = logtest.ReadAll(l)
			if err == nil && wantErr == nil {
				if d := logtest.Differ(jobs, want.Jobs); d != "" {
					t.Fatal(d)
				}
				if got, want := strings.Join(l.Header.Lines, "\n"), strings.Join(want.Header, "\n"); got != want {
					t.Fatalf("header %q, want %q", got, want)
				}
				if got := logtest.Warned(l, "late-comment"); got != want.Late {
					t.Fatalf("%d late comments, want %d", got, want.Late)
				}
				if got := logtest.Warned(l, "extra-fields"); got != want.Extra {
					t.Fatalf("%d jobs with more fields, want %d", got, want.Extra)
				}
				if d := logtest.Differ(again(t, l.Header, jobs), jobs); d != "" {
					t.Fatalf("written and read again: %s", d)
				}
				return
			}
		}
		if (err == nil) != (wantErr == nil) {
			t.Fatalf("error %v, the simple parser's %v", err, wantErr)
		}
		var e *workload.InputError
		if !errors.As(err, &e) {
			t.Fatalf("%T %v is no InputError", err, err)
		}
		if errors.Is(wantErr, workload.ErrNoJobs) {
			if !errors.Is(err, workload.ErrNoJobs) {
				t.Fatalf("error %v, want no jobs", err)
			}
		} else if logtest.Place(err) != wantErr.Error() {
			t.Fatalf("error %v, want one at %v", err, wantErr)
		}
	})
}

// again writes jobs as text and reads them.
func again(t *testing.T, h workload.Header, jobs []logtest.SimpleJob) []logtest.SimpleJob {
	t.Helper()
	b := &workload.Batch{}
	for _, fields := range jobs {
		j := workload.UnknownJob()
		for i, x := range fields {
			if c := workload.ColumnAt(i); x.Null {
				continue
			} else if c.Float() {
				c.SetNumber(&j, x.Float)
			} else {
				c.SetInt(&j, x.Whole)
			}
		}
		b.Append(&j)
	}
	text := swf.Append(swf.AppendHeader(nil, h), b)
	l, err := swf.Open("again", strings.NewReader(string(text)), workload.Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	out, err := logtest.ReadAll(l)
	if err != nil {
		t.Fatalf("%v in %q", err, text)
	}
	return out
}
