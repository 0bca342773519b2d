package mapping_test

import (
	"errors"
	"reflect"
	"testing"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/logtest"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

// A header in front of the names is the log's, and lines count from the file's first.
func TestCSVHeader(t *testing.T) {
	const head = "; MaxProcs: 128\r\n; UnixStartTime: 86400\n; TimeZoneString: Europe/Zurich\n; Note: first\n; Note: second\n"
	l, jobs := readTrace(t, write(t, "a.csv", head+"submit_time_s,run_time_s,queue\n10,5,night\n20,6,day\n"), workload.Options{})
	if n, _ := l.Header.Int("MaxProcs"); n != 128 || !reflect.DeepEqual(l.Header.All("Note"), []string{"first", "second"}) {
		t.Errorf("header: %q", l.Header.Lines)
	}
	if len(jobs) != 2 || jobs[1].Submit != 20 || l.Header.Get("UnixStartTime") != "86400" {
		t.Errorf("%d jobs, header %q", len(jobs), l.Header.Lines)
	}
	// Midnight of 1 May in Zurich is 22:00 UTC: 1,304,200,800 s since 1970.
	l, _ = readTrace(t, write(t, "b.csv", head+"submit_time,run_time_s\n2011-05-01 00:00:00,5\n"), workload.Options{})
	if got := l.Header.Get("UnixStartTime"); got != "1304200800" {
		t.Errorf("local time: starts at %s", got)
	}
	// An unknown name of a zone is a text like any other.
	readTrace(t, write(t, "c.csv", "; TimeZoneString: nowhere\nsubmit_time,run_time_s\n2011-05-01T00:00:00Z,5\n"), workload.Options{})
	// A table whose first column has no name, with semicolons between them.
	if _, jobs = readTrace(t, write(t, "d.csv", ";submit_time;run_time\n0;7;5\n"), workload.Options{}); len(jobs) != 1 || jobs[0].Submit != 7 {
		t.Errorf("without a header: %+v", jobs)
	}
	for text, want := range map[string]workload.InputError{
		head + "submit_time_s,run_time_s\n10,soon\n":         {Line: 7, Field: "run_time_s", Saw: `"soon"`},
		"; MaxProcs: many\nsubmit_time_s,run_time_s\n10,5\n": {Field: "MaxProcs", Saw: `"many"`},
	} {
		var fault *workload.InputError
		if _, err := logtest.Drain(logfile.Open(write(t, "e.csv", text), workload.Options{})); !errors.As(err, &fault) || fault.Line != want.Line || fault.Field != want.Field || fault.Saw != want.Saw {
			t.Errorf("%q: %v", text, err)
		}
	}
}
