package predict

import (
	"errors"
	"iter"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

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

// spy remembers the heads that it is asked about.
type spy struct{ heads []Head }

func (*spy) Name() string { return "spy" }

func (s *spy) Predict(h *Head) (workload.Prediction, bool) {
	seen := Head{Time: h.Time, Needed: h.Needed}
	for _, r := range h.Running {
		r.Request = nil
		seen.Running = append(seen.Running, r)
	}
	s.heads = append(s.heads, seen)
	if h.Needed > 5 {
		return none()
	}
	return workload.Prediction{Seconds: 7, Observations: 1}, true
}

func TestAtHeadByHand(t *testing.T) {
	// On 10 processors: job 1 (6) runs 0 to 10, job 2 (3) 0 to 4. Job 3 (2)
	// comes at 1 and lacks 1 until 4. Job 4 (1) is blocked behind it and starts
	// with it at 4, without a wait at the head. Job 5 (8) comes to the head at 4
	// (not at 3), when 1 is free: it lacks 7, until 10. Job 6 has no length.
	jobs := []workload.Job{
		sized(0, 10, 6), sized(0, 4, 3), sized(1, 5, 2), sized(2, 1, 1), sized(3, 1, 8),
		sized(3, 0, 10), sized(3, 5, 11), sized(20, 5, 10),
	}
	var w workload.Warnings
	s := new(spy)
	var got []HeadWait
	for x, err := range AtHead(stream(jobs), HeadConfig{Processors: 10, Predictors: []HeadPredictor{s}, Warnings: &w}) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, x)
	}
	request := func(row int) workload.Request {
		r := jobs[row].Request
		r.ID, r.Row = int64(row+1), int64(row)
		return r
	}
	want := []HeadWait{
		{request(2), 1, 1, 2, 2, []workload.Prediction{{Seconds: 7, Observations: 1}}, 3},
		{request(4), 4, 7, 3, 0, []workload.Prediction{{Seconds: math.NaN()}}, 6},
	}
	if d := cmp.Diff(want, got, cmpopts.EquateNaNs()); d != "" {
		t.Error(d)
	}
	// Ages, not run times: job 1 is 1 s old, then 4 s, job 4 has just started.
	wantHeads := []Head{
		{1, 1, []Occupant{{Size: 6, Age: 1}, {Size: 3, Age: 1}}},
		{4, 7, []Occupant{{Size: 6, Age: 4}, {Size: 2, Age: 0}, {Size: 1, Age: 0}}},
	}
	if d := cmp.Diff(wantHeads, s.heads, cmpopts.SortSlices(func(a, b Occupant) bool { return a.Size < b.Size })); d != "" {
		t.Error(d)
	}
	rules := map[string]int64{}
	for _, x := range w.List() {
		rules[x.Rule] = x.Count
	}
	if d := cmp.Diff(map[string]int64{"zero-run-time": 1, "larger-than-machine": 1}, rules); d != "" {
		t.Error(d)
	}
	for row, want := range []bool{true, true, true, true, true, false, false, true} {
		if got := Eligible(&jobs[row], 10); got != want {
			t.Errorf("Eligible(job %d) = %v", row+1, got)
		}
	}
}

func TestAtHeadErrors(t *testing.T) {
	cause := errors.New("disk gone")
	for want, jobs := range map[error]iter.Seq2[workload.Job, error]{
		cause:              func(yield func(workload.Job, error) bool) { yield(workload.Job{}, cause) },
		workload.ErrNoJobs: stream([]workload.Job{sized(0, 5, 11), sized(0, 0, 1)}),
	} {
		n := 0
		for _, err := range AtHead(jobs, HeadConfig{Processors: 10}) {
			if n++; !errors.Is(err, want) || n > 1 {
				t.Errorf("row %d: error %v, want %v alone", n, err, want)
			}
		}
	}
}
