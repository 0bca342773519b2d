package predict

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/workload"
)

// under returns a job with the given submission, wait, run time (NaN: unknown), size and number.
func under(submit, wait, run float64, size, id int64) workload.Job {
	j := sized(submit, run, size)
	j.Wait, j.ID, j.Status = wait, id, workload.Unknown
	return j
}

func TestStandingAt(t *testing.T) {
	nan := math.NaN()
	status := func(j workload.Job) workload.Job { j.Status = workload.StatusCancelled; return j }
	for _, c := range []struct {
		name string
		j    workload.Job
		want Standing
	}{
		{"later", under(101, 0, 5, 1, 1), Unsubmitted},
		{"no submission", under(nan, 0, 5, 1, 1), Unsubmitted},
		{"ended now", under(50, 10, 40, 1, 1), Ended},
		{"runs yet", under(50, 10, 41, 1, 1), Running},
		{"starts now", under(50, 50, 1, 1, 1), Running},
		{"starts later", under(50, 51, 1, 1, 1), Queued},
		{"submitted now", under(100, nan, nan, 1, 1), Queued},
		{"no wait, runs", under(50, nan, 60, 1, 1), Running},
		{"no wait, ended", under(50, nan, 50, 1, 1), Ended},
		{"no run time, started", under(50, 50, nan, 1, 1), Running},
		{"no run time, starts later", under(50, 51, nan, 1, 1), Queued},
		{"waits", under(50, nan, nan, 1, 1), Queued},
		{"cancelled before it started", status(under(50, nan, nan, 1, 1)), Ended},
		{"failed, nobody knows when", status(under(50, 10, nan, 1, 1)), Ended},
		{"status of a job that the log knows to end later", status(under(50, 10, 60, 1, 1)), Running},
	} {
		if got := StandingAt(&c.j, 100); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}

func TestSnapshotBuilder(t *testing.T) {
	nan := math.NaN()
	var w workload.Warnings
	b := jobtest.Must(NewSnapshotBuilder(100, 10))
	b.Warnings = &w
	for i, j := range []workload.Job{
		under(90, nan, nan, 3, 1), under(10, 20, nan, 4, 2), under(80, nan, nan, 2, 3),
		under(60, nan, nan, 11, 4), under(0, 5, 9, 8, 5), under(70, nan, nan, workload.Unknown, 6), under(nan, 0, 0, 1, 7), under(80, nan, nan, 1, 8),
	} {
		j.Row = int64(i)
		jobtest.Must(b.Add(&j, int64(i)+2))
	}
	s := b.Snapshot()
	if got := describeMachine(s); got != "6 of 10 free: 2 runs on 4 since 70 s, 3 waits, 8 waits, 1 waits" {
		t.Error(got)
	}
	if h := s.head(7); h.Needed != 1 || h.Time != 100 {
		t.Errorf("head of 7: %+v", h)
	}
	rules := ""
	for _, x := range w.List() {
		rules += fmt.Sprintf("%s %d ", x.Rule, x.Count)
	}
	if rules != "larger-than-machine 1 no-size 1 no-submit-time 1 " {
		t.Errorf("warnings %v", rules)
	}
}

func TestSnapshotContradictions(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		shared bool
		jobs   []workload.Job
		want   string // error for the last job
	}{
		{false, []workload.Job{under(90, nan, nan, 1, 7), under(10, 20, nan, 4, 7)}, "job_id: saw 7, which is in line 1 too, want each job that runs or waits once"},
		{false, []workload.Job{under(0, 0, nan, 6, 1), under(0, 0, nan, 5, 2)},
			"allocated_processors: saw 5 more of running job 2, 11 with those before it, want no more than the machine's 10 processors"},
		{false, []workload.Job{under(50, -20, nan, 1, 1)}, "wait_time_s: saw -20 s, want a running job to have started after its submission"},
		{false, []workload.Job{under(50, 20, nan, workload.Unknown, 1)}, "allocated_processors: saw none of a running job"},
		// A job that ended and was queued again keeps its number, and array tasks may share one.
		{true, []workload.Job{under(0, 1, 2, 1, 7), under(0, 1, nan, 1, 7), under(0, 1, nan, 1, 7)}, ""},
	} {
		b := jobtest.Must(NewSnapshotBuilder(100, 10))
		b.SharedIDs = c.shared
		for i, j := range c.jobs {
			_, err := b.Add(&j, int64(i)+1)
			var fault *workload.InputError
			switch last := i == len(c.jobs)-1; {
			case (last && c.want != "") != errors.As(err, &fault):
				t.Errorf("%q, job %d: %v", c.want, i+1, err)
			case err != nil && (!strings.Contains(err.Error(), c.want) || fault.Line != int64(i)+1):
				t.Errorf("%v, want %q", err, c.want)
			}
		}
	}
	for now, processors := range map[float64]int64{math.Inf(1): 1, 0: 0} {
		if _, err := NewSnapshotBuilder(now, processors); err == nil {
			t.Errorf("%g s and %d processors: no error", now, processors)
		}
	}
}
