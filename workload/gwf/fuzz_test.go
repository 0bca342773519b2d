package gwf_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v15/arrow/memory"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/gwf"
	"github.com/loadstone-hpc/loadstone/workload/internal/logtest"
)

// A job of each form, of 29 fields.
const (
	gridJob  = "7 100 5 10 4 9.25 -1 4 60 -1 1 alice staff app-1 long p1 s1 s2 BoT b7 1.5 20 disk:3 x86,Linux,2.6 -1 -1 -1 atlas proj"
	plainJob = "8 101 0 1 1 -1 -1 1 -1 -1 0 -1 -1 -1 -1 -1 -1 -1 UNITARY -1 -1 -1 -1 -1 -1 -1 -1 -1 -1"
)

// FuzzGWF compares the reader with the simple one, at several sizes of chunks:
// the same header, jobs, names and counts, or a fault in the same place; and
// what is written reads back the same.
func FuzzGWF(f *testing.F) {
	tabbed := strings.ReplaceAll(gridJob, " ", "\t")
	for _, text := range []string{
		"",
		gridJob,
		"# Grid Workload Format\r\n#\r\n" + gridJob + "\r\n\r\n" + plainJob + " \r\n",
		"\xef\xbb\xbf#x\n\n \t" + strings.ReplaceAll(gridJob, " ", "\t  ") + "\n# late\n",
		tabbed + "\t\n" + tabbed + "\n" + strings.Replace(tabbed, "alice", "Alice B. Toklas", 1),
		strings.ReplaceAll(strings.ReplaceAll(tabbed, "\t-1", "\t"), "\t", " \t "),
		gridJob + " 30\n" + gridJob + " 30 31\n" + gridJob + " # comment\n",
		"fs3.17 " + plainJob[2:] + "\n1.0" + plainJob[1:],
		"-1 -1.0 -1.00 +5 64.0 1e3 .5 -7 0.1 -0 00" + strings.Repeat(" -1", 18),
		strings.Replace(plainJob, "101", "NaN", 1),
		strings.Replace(plainJob, "101", "1e999", 1),
		strings.Replace(tabbed, "\t4\t", "\t4 4\t", 1),
		"1 2 3\n",
		gridJob + "\n1 2\r3",
		strings.Replace(plainJob, "UNITARY", "a\rb", 1),
		strings.Replace(tabbed, "UNITARY", "a\x00b", 1),
		strings.Replace(gridJob, "staff", "caf\xe9", 1),
		strings.Replace(gridJob, "s2", "\xff", 1),
		"# a\x00b\n" + gridJob,
		"\x00\x01",
	} {
		f.Add(text, uint16(0))
		f.Add(text, uint16(40))
	}
	f.Fuzz(func(t *testing.T, text string, size uint16) {
		want, wantErr := simpleGWF(text)
		mem := memory.NewCheckedAllocator(memory.NewGoAllocator())
		defer mem.AssertSize(t, 0)
		l, err := gwf.OpenChunks("log", strings.NewReader(text), workload.Options{Workers: 2, Allocator: mem}, int(size)+1)
		if err == nil {
			var jobs []simpleGridJob
			jobs, err = readGrid(l)
			if err == nil && wantErr == nil {
				if d := differGrid(jobs, want.jobs); d != "" {
					t.Fatal(d)
				}
				got := l.Header.Lines[:len(want.header)]
				if strings.Join(got, "\n") != strings.Join(want.header, "\n") {
					t.Fatalf("header %q, want %q", got, want.header)
				}
				counts := map[string]int{"late-comment": want.late, "30-fields": want.thirty, "extra-fields": want.extra, "text-job-id": want.texts}
				for _, field := range simpleGridFields[15:] {
					counts["left-out-"+field] = want.left[field]
				}
				for rule, n := range counts {
					if got := logtest.Warned(l, rule); got != n {
						t.Fatalf("%d of %s, want %d", got, rule, n)
					}
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
