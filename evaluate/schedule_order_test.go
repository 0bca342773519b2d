package evaluate

import (
	"cmp"
	"slices"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/sched"
	"github.com/loadstone-hpc/loadstone/workload"
)

// numbered passes on jobs in order of submission and returns their IDs. starts has the jobs in
// order of start, by ID, which numbers them by submission; at most most jobs are held.
func numbered(t *testing.T, most int, starts []int64) (got []int64, odd workload.Warnings) {
	t.Helper()
	var last int64
	jobs := func(yield func(workload.Job, error) bool) {
		for _, n := range starts {
			last = n
			if !yield(workload.Job{Request: workload.Request{ID: n}}, nil) {
				return
			}
		}
	}
	for _, j := range jobtest.Collect(t, inSubmissionOrder(jobs, func() int64 { return last }, most, &odd)) {
		got = append(got, j.ID)
	}
	return got, odd
}

// Job 0 starts last. Two jobs are held for it, and at the third it is given up.
func TestSubmissionOrderIsBounded(t *testing.T) {
	got, odd := numbered(t, 2, []int64{1, 2, 4, 3, 5, 0})
	if want := []int64{1, 2, 3, 4, 5, 0}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if w := odd.List(); len(w) != 1 || w[0].Rule != "late-start" || w[0].Count != 1 {
		t.Errorf("warnings %v", w)
	}
}

// TestScheduledInOrderOfSubmission checks that under every policy the jobs come in order of
// submission, each with the wait from package sched.
func TestScheduledInOrderOfSubmission(t *testing.T) {
	for _, policy := range sched.Policies() {
		name := policy.Name()
		if _, ok := policy.(sched.Priority); ok {
			policy, name = sched.Priority{Queues: []int64{1, 0}}, "priority(queues=1,0)"
		}
		jobs := scheduled(t, policy)
		inOrder := slices.IsSortedFunc(jobs, func(a, b workload.Job) int { return cmp.Compare(a.Start(), b.Start()) })
		if inOrder != (name == "fcfs") {
			t.Errorf("%s: jobs start in the order of submission: %t", name, inOrder)
		}
		n := 0
		o := ScheduleOptions{Policy: name, Processors: 10, Scheduled: func(all workload.JobSeq) error {
			for j, err := range all {
				if err != nil {
					return err
				}
				if j.Row != int64(n) || j.Wait != jobs[n].Wait {
					t.Fatalf("%s: job %d is row %d with wait %g, want row %d with wait %g", name, j.ID, j.Row, j.Wait, n, jobs[n].Wait)
				}
				n++
			}
			return nil
		}}
		jobtest.Must(Schedule(t.Context(), workload.LogOf("made", workload.Header{}, jobs), o))
		if n != len(jobs) {
			t.Errorf("%s: %d jobs", name, n)
		}
	}
}
