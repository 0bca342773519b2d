package evaluate

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/internal/longtest"
	"github.com/loadstone-hpc/loadstone/sched"
	"github.com/loadstone-hpc/loadstone/workload"
)

// numbered passes on jobs, whose ID is their submission's number, of which at most so many
// are held, and returns the order in which they come.
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

// Job 0 starts last. With two jobs held for it, the third gives it up.
func TestSubmissionOrderIsBounded(t *testing.T) {
	got, odd := numbered(t, 2, []int64{1, 2, 4, 3, 5, 0})
	if want := []int64{1, 2, 3, 4, 5, 0}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if w := odd.List(); len(w) != 1 || w[0].Rule != "late-start" || w[0].Count != 1 {
		t.Errorf("warnings %v", w)
	}
}

// TestScheduledInOrderOfSubmission: under every policy the jobs come in the order of
// their submission, each with the wait that package sched gives it.
func TestScheduledInOrderOfSubmission(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	jobs := make([]workload.Job, 2000)
	at := 0.0
	for i := range jobs {
		var j workload.Job
		at += math.Floor(40 * rng.ExpFloat64() * float64(rng.IntN(2))) // many at one instant
		j.ID, j.Row, j.Submit = int64(i+1), int64(i), at
		j.Processors, j.Run, j.Queue = 1+rng.Int64N(16), float64(rng.IntN(200)), rng.Int64N(2)
		j.Size, j.Time = j.Processors, j.Run+float64(rng.IntN(300))
		jobs[i] = j
	}
	all := jobs
	for _, policy := range sched.Policies() {
		jobs := all
		if policy.Name() == "conservative" { // its time grows fast with the queue
			jobs = all[:longtest.Size(500, len(all))]
		}
		name := policy.Name()
		if _, ok := policy.(sched.Priority); ok {
			policy, name = sched.Priority{Queues: []int64{1, 0}}, "priority(queues=1,0)"
		}
		wait, overtaken := map[int64]float64{}, false
		last := int64(-1)
		for _, j := range jobtest.Collect(t, sched.Simulate(workload.InOrder(workload.JobsOf(jobs), nil), sched.Config{Processors: 16, Policy: policy}, nil)) {
			wait[j.Row] = j.Wait
			overtaken = overtaken || j.Row < last
			last = j.Row
		}
		if want := policy.Name() != "fcfs"; overtaken != want {
			t.Errorf("%s: a job overtakes another: %t", policy.Name(), overtaken)
		}
		n := int64(0)
		o := ScheduleOptions{Policy: name, Processors: 16,
			Scheduled: func(jobs workload.JobSeq) error {
				for j, err := range jobs {
					if err != nil {
						return err
					}
					if j.Row != n || j.Wait != wait[j.Row] {
						t.Fatalf("%s: job %d is row %d with wait %g, want row %d with wait %g", policy.Name(), j.ID, j.Row, j.Wait, n, wait[n])
					}
					n++
				}
				return nil
			}}
		log := workload.LogOf("made", workload.Header{}, jobs)
		jobtest.Must(Schedule(context.Background(), log, o))
		if n != int64(len(jobs)) {
			t.Errorf("%s: %d jobs", name, n)
		}
	}
}
