package judge

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/loadstone-hpc/loadstone/sched"
	"github.com/loadstone-hpc/loadstone/workload"
)

// The plain loop and package sched make the same schedule.
func TestEasyIsSched(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var jobs []workload.Job
	at := 0.0
	for i := range 5000 {
		j := workload.UnknownJob()
		at += float64(rng.IntN(300))
		j.Row, j.ID, j.Submit, j.Size, j.Run = int64(i), int64(i+1), at, 1+rng.Int64N(50), float64(1+rng.IntN(600))
		jobs = append(jobs, j)
	}
	wait := EASY(jobs, 40, nil, nil)
	for j, err := range sched.Simulate(workload.JobsOf(jobs), sched.Config{Processors: 40, Policy: sched.EASY{}, Estimator: sched.Perfect{}}, nil) {
		if err != nil {
			t.Fatal(err)
		}
		if want := wait[j.Row]; j.Wait != want && !(math.IsNaN(j.Wait) && math.IsNaN(want)) {
			t.Errorf("job %d waits for %g s in the loop, want %g", j.ID, wait[j.Row], j.Wait)
		}
	}
}

// Closed, by hand: on one processor job 1 runs from 0 to 100, job 2 of another
// user from 100 to 200. Job 3 waits for job 1 and is thought about for 30 s: not
// at 50, its own time, but at 130, and starts at 200. Job 4 waits for job 3, which
// ends at 210, and comes at its own time, 1000.
func TestEasyClosed(t *testing.T) {
	var jobs []workload.Job
	for i, x := range [][2]float64{{0, 100}, {10, 100}, {50, 10}, {1000, 5}} {
		j := workload.UnknownJob()
		j.ID, j.Submit, j.Run, j.Size = int64(i+1), x[0], x[1], 1
		jobs = append(jobs, j)
	}
	got := EASY(jobs, 1, []int{-1, -1, 0, 2}, []float64{0, 0, 30, 20})
	for i, want := range []float64{0, 90, 70, 0} {
		if got[i] != want {
			t.Errorf("job %d waits for %g s, want %g", i+1, got[i], want)
		}
	}
}
