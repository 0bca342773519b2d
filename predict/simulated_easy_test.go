package predict

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/loadstone-hpc/loadstone/sched"
	"github.com/loadstone-hpc/loadstone/workload"
)

// queueRun collects what QueueWaits yields, by row.
func queueRun(t *testing.T, jobs []workload.Job, c QueueConfig, p ...Simulated) map[int64]QueueWait {
	t.Helper()
	rows := map[int64]QueueWait{}
	for w, err := range QueueWaits(stream(jobs), c, p) {
		if err != nil {
			t.Fatal(err)
		}
		w.Predictions = append([]float64(nil), w.Predictions...)
		rows[w.Request.Row] = w
	}
	if len(rows) != len(jobs) {
		t.Fatalf("%d rows of %d jobs", len(rows), len(jobs))
	}
	return rows
}

// 10 processors. Job 1 (6) runs 0 to 10, as estimated. Job 2 (8) comes at 1 and
// is the head, reserved at 10 with 2 to spare. Job 3 (4, estimate 20) comes at
// 2 and cannot overtake; job 4 (4, estimate 6, runs 3) comes at 3 and can; job
// 5 (2, estimate 100) comes at 5 and can when job 4 has ended, at 6.
//
// Predicted run times: 4, 3, 1, 1 and 1 s. Job 2, at 1: job 1 ends at 4. Job 3,
// at 2: job 2 runs from 4 to 7. Job 4 goes at once. Job 5, at 5: job 4 has
// outlived 1 and 2 s and ends at 7, before job 1, which ends at 8: so at 7,
// though under FCFS it would go after jobs 2 and 3.
func TestQueueWaitsUnderEASYByHand(t *testing.T) {
	jobs := []workload.Job{sized(0, 10, 6), sized(1, 5, 8), sized(2, 5, 4), sized(3, 3, 4), sized(5, 1, 2)}
	guess := []float64{4, 3, 1, 1, 1}
	for i, estimate := range []float64{10, 5, 20, 6, 100} {
		jobs[i].Time = estimate
	}
	by := Simulated{RunTimes: []RunTimePredictor{runTimes(func(r *workload.Request) float64 { return guess[r.Row] })}}
	got := queueRun(t, jobs, QueueConfig{Processors: 10, Policy: sched.EASY{}}, by)
	predicted, actual := []float64{0, 3, 5, 0, 2}, []float64{0, 9, 13, 0, 1}
	for i := range jobs {
		w := got[int64(i)]
		if w.Predictions[0] != predicted[i] || w.Actual != actual[i] {
			t.Errorf("job %d: predicted %g, waits %g; want %g and %g", i+1, w.Predictions[0], w.Actual, predicted[i], actual[i])
		}
	}
	// Nobody knows job 1's run time: only who starts at once is predicted.
	guess[0] = math.NaN()
	got = queueRun(t, jobs[:2], QueueConfig{Processors: 10, Policy: sched.EASY{}}, by)
	if w := got[1].Predictions[0]; !math.IsNaN(w) || got[0].Predictions[0] != 0 {
		t.Errorf("predicted %g and %g without a run time, want 0 and none", got[0].Predictions[0], w)
	}
}

// crowd is jobs that queue, some with estimates that prove too short.
func crowd(seed uint64, n int, sites int64) []workload.Job {
	rng := rand.New(rand.NewPCG(seed, 8))
	var jobs []workload.Job
	now := 0.0
	for range n {
		now += float64(rng.IntN(12) / int(sites))
		j := sized(now, float64(rng.IntN(60)), 1+rng.Int64N(20))
		j.Time = math.Ceil(j.Run*(0.7+2*rng.Float64())) + 1
		j.Partition = 1 + rng.Int64N(sites)
		jobs = append(jobs, j)
	}
	return jobs
}

// Who knows the run times knows what each wait would be if nobody came later:
// that of the simulation of the log cut after the job.
func TestQueueWaitsUnderEASYKnown(t *testing.T) {
	overtaken := 0
	for seed := range uint64(6) {
		jobs := crowd(seed, 120, 1)
		by := Simulated{RunTimes: []RunTimePredictor{runTimes(func(r *workload.Request) float64 { return jobs[r.Row].Run })}}
		got := queueRun(t, jobs, QueueConfig{Processors: 24, Policy: sched.EASY{}}, by)
		for i := range jobs {
			for j, err := range sched.Simulate(stream(jobs[:i+1]), sched.Config{Processors: 24, Policy: sched.EASY{}}, nil) {
				if err != nil {
					t.Fatal(err)
				}
				if w := got[j.Row]; j.Row == int64(i) && math.Abs(w.Predictions[0]-j.Wait) > 1e-9 {
					t.Fatalf("seed %d, job %d: predicted %g, would wait %g", seed, i+1, w.Predictions[0], j.Wait)
				}
			}
			if got[int64(i)].Predictions[0] != got[int64(i)].Actual {
				overtaken++
			}
		}
	}
	if overtaken == 0 {
		t.Error("no job is overtaken by a later one: the logs test nothing")
	}
}

// Each site's jobs are predicted as if the others were not there.
func TestQueueWaitsBySite(t *testing.T) {
	sizes := map[int64]int64{1: 24, 2: 30, 3: 20}
	for _, policy := range []sched.Policy{sched.FCFS{}, sched.EASY{}} {
		jobs := crowd(3, 300, 3)
		// What is predicted depends on the job's own site alone.
		by := Simulated{RunTimes: []RunTimePredictor{runTimes(func(r *workload.Request) float64 { return 3 + 7*float64(r.Size) })}}
		got := queueRun(t, jobs, QueueConfig{Sites: sizes, Policy: policy}, by)
		waits := 0
		for site, processors := range sizes {
			var alone []workload.Job
			var rows []int64
			for i, j := range jobs {
				if j.Partition == site {
					alone, rows = append(alone, j), append(rows, int64(i))
				}
			}
			for row, want := range queueRun(t, alone, QueueConfig{Processors: processors, Policy: policy}, by) {
				w := got[rows[row]]
				if w.Predictions[0] != want.Predictions[0] || w.Actual != want.Actual || w.Queued != want.Queued {
					t.Fatalf("%s, site %d, job %d: %+v, alone %+v", policy.Name(), site, row+1, w, want)
				}
				if w.Actual > 0 {
					waits++
				}
			}
		}
		if waits < 100 {
			t.Errorf("%s: %d jobs wait: too few to tell", policy.Name(), waits)
		}
	}
}

func TestQueueWaitsPolicies(t *testing.T) {
	for w, err := range QueueWaits(stream(crowd(1, 5, 1)), QueueConfig{Processors: 24, Policy: sched.SJF{}}, nil) {
		if err == nil {
			t.Errorf("%+v under sjf, want an error", w)
		}
	}
}
