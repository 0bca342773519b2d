package fit

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loadstone-hpc/loadstone/workload"
)

// TestCensoredJobsAreCounted: those that did not complete and ran for their
// limit or longer, in any way of collecting them.
func TestCensoredJobsAreCounted(t *testing.T) {
	job := func(run, limit float64, size, status int64) workload.Job {
		j := workload.UnknownJob()
		j.Submit, j.Run, j.Time, j.Size, j.Status = 0, run, limit, size, status
		return j
	}
	jobs := []workload.Job{
		job(60, 60, 2, workload.StatusCancelled),
		job(61, 60, 2, workload.StatusFailed),
		job(60, 60, 2, workload.StatusCompleted), // completed at its limit
		job(60, 90, 2, workload.StatusFailed),    // failed of itself
		job(60, -1, 2, workload.StatusFailed),    // no limit known
		job(30, 30, 4, workload.StatusLastFailed),
		job(30, 30, 4, workload.Unknown),
		job(0, 0, 1, workload.StatusCancelled),
	}
	all := NewCollector(workload.Clock{})
	for i := range jobs {
		all.Add(&jobs[i])
	}
	s := all.Sample(RunTime)
	want := Sample{
		Values: []float64{30, 60, 61}, Counts: []float64{2, 4, 1}, Censored: []float64{1, 1, 1}, Zeros: 1,
		LeftOut: []LeftOut{{"run time not positive", 1}},
	}
	if d := cmp.Diff(want, s); d != "" {
		t.Errorf("run times (-want +got):\n%s", d)
	}
	if got := all.Sample(Work).Censored; !cmp.Equal(got, []float64{2, 1}) { // 120 and 122 processor seconds
		t.Errorf("work: %v, want 2 and 1", got)
	}
	for want, s := range map[string]Sample{"3 jobs were killed": s, "no job is known": NewSample(RunTime, []float64{5, 9, 40})} {
		r := mustFit(t, "exponential", RunTime, s, Options{Censored: true})
		if w := strings.Join(r.Warnings, "\n"); !strings.Contains(w, want) {
			t.Errorf("warnings are %q, want %q in them", w, want)
		}
	}
	if all.Sample(Size).Censored != nil || all.Sample(Interarrival).Censored != nil {
		t.Error("sizes or interarrival times are censored")
	}
}
