package resample

import (
	"context"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/internal/judge"
	"github.com/loadstone-hpc/loadstone/workload"
)

// madeUp returns judge's log with all the columns that a twin keeps.
func madeUp(users, weeks, sessions int) []workload.Job {
	jobs := judge.MadeUp(users, weeks, sessions)
	for i := range jobs {
		j := &jobs[i]
		j.Processors, j.Allocated, j.Time, j.Queue, j.Application = j.Size, j.Size, 7200, (j.User-1)%3, j.User-1
	}
	return jobs
}

// zurich returns a header with a clock that changes between summer and winter time.
func zurich() workload.Header {
	var h workload.Header
	h.Add("UnixStartTime", "1136156400") // 2 January 2006, 0:00, a Monday
	h.Add("TimeZoneString", "Europe/Zurich")
	h.Add("MaxProcs", "64")
	return h
}

// twin makes a twin, or fails the test.
func twin(t testing.TB, jobs []workload.Job, h workload.Header, o Options) ([]workload.Job, *Twin) {
	t.Helper()
	w, err := New(context.Background(), workload.JobsOf(jobs), h, o)
	if err != nil {
		t.Fatal(err)
	}
	return jobtest.Collect(t, w.Jobs(context.Background())), w
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

// The clock goes forward on 26 March 2006: from 2 January to 10 April 98 days elapse, while local
// time advances by an hour more.
func TestLoadIsOfTimeElapsed(t *testing.T) {
	jobs := make([]workload.Job, 2)
	for i := range jobs {
		jobs[i] = workload.UnknownJob()
		jobs[i].Submit, jobs[i].Run, jobs[i].Size, jobs[i].User = float64(i)*98*86400, 49*86400, 32, 1
	}
	_, w := twin(t, jobs, zurich(), Options{Seed: 1})
	if got := w.Load(); got != 0.5 {
		t.Errorf("load %g, want 2*49*32 of 98*64 processor days", got)
	}
}

// Jobs of later laps count only in the sums. Two of five jobs are in the same hour as in the log.
func TestMadeAdds(t *testing.T) {
	m := new(Made)
	for _, x := range []struct {
		submit, before, work float64
		lap                  int64
	}{
		{900, 1000, 5, 0},                           // stays
		{1000 + week - 1, 3600, 7, 0},               // another hour
		{1000 + 2*week, 1000 + 2*week, 11, 0},       // stays
		{1000 + 3*week, 1000 + 3*week - 3600, 3, 0}, // the hour before
		{1000 + 5*week, 1000 + 5*week, 100, 1},      // the next lap
	} {
		j := workload.UnknownJob()
		j.Submit = x.submit
		m.add(&j, x.before, x.work, x.lap)
	}
	if m.Jobs != 5 || m.Area != 126 || m.First != 900 || m.Last != 1000+5*week || m.Stayed() != 2./5 {
		t.Errorf("%+v, stayed %g", m, m.Stayed())
	}
}
