package journal

import (
	"testing"
	"time"

	"github.com/loadstone-hpc/loadstone/workload"
)

// The last event is found in the newest segment that has one.
func TestLast(t *testing.T) {
	j, err := open(t.TempDir(), Begin{Origin: time.Unix(0, 0).UTC(), Source: "a test"}, 400) // bytes of a segment
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	want := func(at float64, ok bool) {
		t.Helper()
		if got, found, err := j.Last(); err != nil || got != at || found != ok {
			t.Errorf("%g, %v, %v, want %g, %v", got, found, err, at, ok)
		}
	}
	want(0, false)
	add := func(at float64) {
		t.Helper()
		job := workload.UnknownJob()
		job.ID, job.Row, job.Submit = 7, 0, at
		if err := j.Append(&Event{Kind: workload.Submit, Time: at, Job: job}); err != nil {
			t.Fatal(err)
		}
		want(at, true)
	}
	add(-50)
	add(-20)
	for range 9 { // more than one segment without events
		if err := j.Append(&Name{Key: "User", Number: 1, Text: "somebody with a name that is rather long, so that segments fill soon"}); err != nil {
			t.Fatal(err)
		}
		want(-20, true)
	}
	if j.last.number < 3 {
		t.Fatalf("%d segments, want several", j.last.number)
	}
	add(30)
}
