package predict

import (
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/workload"
)

func stream(jobs []workload.Job) iter.Seq2[workload.Job, error] {
	return func(yield func(workload.Job, error) bool) {
		for i, j := range jobs {
			j.ID, j.Row = int64(i+1), int64(i)
			if !yield(j, nil) {
				return
			}
		}
	}
}

func sized(submit, run float64, size int64) workload.Job {
	j := workload.UnknownJob()
	j.Submit, j.Run, j.Size = submit, run, size
	return j
}

// spy records the requests for predictions.
type spy struct{ heads []string }

func (*spy) Name() string { return "spy" }

func (s *spy) Predict(h *Head) (workload.Prediction, bool) {
	var running []string
	for _, r := range h.Running {
		running = append(running, fmt.Sprintf("%d for %g s", r.Size, r.Age))
	}
	slices.Sort(running)
	s.heads = append(s.heads, fmt.Sprintf("at %g s %d needed: %s", h.Time, h.Needed, strings.Join(running, ", ")))
	return workload.Prediction{Seconds: 7, Observations: 1}, true
}

func TestAtHeadByHand(t *testing.T) {
	// On 10 processors, job 1 (6 processors) runs 0 to 10, job 2 (3) 0 to 4. Job 3 (2) comes at 1
	// and lacks 1 processor until 4. Job 4 (1) is blocked by it and starts with it at 4, without
	// waiting at the head. Job 5 (8) comes to the head at 4 (not at 3), when 1 is free: it lacks
	// 7 until 10. Job 6 has no run time.
	jobs := []workload.Job{
		sized(0, 10, 6), sized(0, 4, 3), sized(1, 5, 2), sized(2, 1, 1), sized(3, 1, 8),
		sized(3, 0, 10), sized(3, 5, 11), sized(20, 5, 10),
	}
	var w workload.Warnings
	s := new(spy)
	var got []string
	for x, err := range AtHead(stream(jobs), HeadConfig{Processors: 10, Predictors: []HeadPredictor{s}, Warnings: &w}) {
		jobtest.NoError(t, err)
		got = append(got, fmt.Sprintf("job %d at %g s: %d needed, %d run, %d benefactors, %v, %g s", x.Request.ID, x.Time, x.Needed, x.Running, x.Benefactors, x.Predictions, x.Actual))
	}
	for _, x := range w.List() {
		got = append(got, fmt.Sprintf("%s %d", x.Rule, x.Count))
	}
	want := []string{
		"job 3 at 1 s: 1 needed, 2 run, 2 benefactors, [{7 1}], 3 s", "job 5 at 4 s: 7 needed, 3 run, 0 benefactors, [{7 1}], 6 s",
		"zero-run-time 1", "larger-than-machine 1",
		// Heads have ages, not run times: job 1 is 1 s old, then 4 s; job 4 has just started.
		"at 1 s 1 needed: 3 for 1 s, 6 for 1 s", "at 4 s 7 needed: 1 for 0 s, 2 for 0 s, 6 for 4 s",
	}
	if d := cmp.Diff(want, append(got, s.heads...)); d != "" {
		t.Error(d)
	}
	for row, want := range []bool{true, true, true, true, true, false, false, true} {
		if got := Eligible(&jobs[row], 10); got != want {
			t.Errorf("Eligible(job %d) = %v", row+1, got)
		}
	}
	if none := sized(0, 5, 0); Eligible(&none, 10) {
		t.Error("a job of no processors is eligible")
	}
}
