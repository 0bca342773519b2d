package resample

import (
	"context"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/judge"
	"github.com/loadstone-hpc/loadstone/workload"
)

// madeUp is judge's log with all that a twin keeps.
func madeUp(users, weeks, sessions int) []workload.Job {
	jobs := judge.MadeUp(users, weeks, sessions)
	for i := range jobs {
		j := &jobs[i]
		j.Processors, j.Allocated, j.Time, j.Queue, j.Application = j.Size, j.Size, 7200, (j.User-1)%3, j.User-1
	}
	return jobs
}

// zurich is a header whose clock changes between summer and winter.
func zurich() workload.Header {
	var h workload.Header
	h.Add("UnixStartTime", "1136156400") // 2 January 2006, 0:00, a Monday
	h.Add("TimeZoneString", "Europe/Zurich")
	h.Add("MaxProcs", "64")
	return h
}

// twin makes one, or fails the test.
func twin(t testing.TB, jobs []workload.Job, h workload.Header, o Options) ([]workload.Job, *Twin) {
	t.Helper()
	w, err := New(context.Background(), workload.JobsOf(jobs), h, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	return collect(t, w.Jobs(context.Background())), w
}

func collect(t testing.TB, jobs workload.JobSeq) (out []workload.Job) {
	t.Helper()
	for j, err := range jobs {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, j)
	}
	return out
}

func workOf(jobs []workload.Job) (sum float64) {
	for i := range jobs {
		sum += float64(jobs[i].Size) * jobs[i].Run
	}
	return sum
}

func rules(w *Twin) map[string]int64 {
	out := map[string]int64{}
	for _, x := range w.Warnings() {
		out[x.Rule] = x.Count
	}
	return out
}
