package predict

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/sched"
	"github.com/loadstone-hpc/loadstone/workload"
)

// runTimes predicts from a table by row.
type runTimes func(r *workload.Request) float64

func (f runTimes) Predict(r *workload.Request) (workload.Prediction, bool) {
	s := f(r)
	return workload.Prediction{Seconds: s}, !math.IsNaN(s)
}
func (runTimes) Observe(*workload.Job) {}

func byRow(seconds ...float64) Simulated {
	return Simulated{RunTimes: []sched.Estimator{runTimes(func(r *workload.Request) float64 { return seconds[r.Row] })}}
}

// lastOne predicts the run time of the last job to end, whatever its class.
type lastOne struct{ run float64 }

func (l *lastOne) Predict(*workload.Request) (workload.Prediction, bool) {
	return workload.Prediction{Seconds: l.run}, !math.IsNaN(l.run)
}
func (l *lastOne) Observe(j *workload.Job) { l.run = j.Run }

// queueRun returns the results of QueueWaits, by row.
func queueRun(t *testing.T, jobs []workload.Job, c sched.Config, p ...Simulated) []QueueWait {
	t.Helper()
	rows := make([]QueueWait, len(jobs))
	n := 0
	for w, err := range QueueWaits(stream(jobs), c, p) {
		jobtest.NoError(t, err)
		w.Predictions = slices.Clone(w.Predictions)
		rows[w.Request.Row] = w
		n++
	}
	if n != len(jobs) {
		t.Fatalf("%d rows of %d jobs", n, len(jobs))
	}
	return rows
}

func TestQueueWaitsByHand(t *testing.T) {
	nan := math.NaN()
	// Under FCFS on 10 processors, job 1 (6) runs 0 to 10 and job 2 (3) 0 to 4; job 3 (2)
	// comes at 1, job 4 (8) at 2, job 5 (1) at 11.
	//
	// Predicted run times: job 1 3 s, job 2 7 s, job 3 2 s. At 1, job 1 is expected to end at
	// 3, so job 3 waits 2 s. At 2, job 3 is expected to start at 3 with 10 - 3 - 2 = 5 free and
	// to end at 5, and job 2 to end at 7, when all 10 are free: job 4 waits 5 s. Job 5 fits at
	// once. Jobs 3 and 4 start at 4 and 10.
	fcfs := []workload.Job{sized(0, 10, 6), sized(0, 4, 3), sized(1, 5, 2), sized(2, 3, 8), sized(11, 1, 1)}
	for _, c := range []struct {
		name      string
		jobs      []workload.Job
		by        Simulated
		predicted []float64
		actual    []float64
	}{
		{"fcfs", fcfs, byRow(3, 7, 2, 1, 1), []float64{0, 0, 2, 5, 0}, []float64{0, 0, 3, 8, 0}},
		// Job 1, predicted to run 2 s, is 7 s old when job 2 comes: the prediction is doubled to
		// 4 and 8, so 1 s is left.
		{"doubled", []workload.Job{sized(0, 20, 10), sized(7, 1, 1)}, byRow(2, 2), []float64{0, 1}, []float64{0, 13}},
		// Jobs 1 (8) and 2 (2) run; job 2 ends at 3 s. Both were submitted before any job had
		// ended, so without correction there is no prediction for job 1; with correction, job 1
		// is predicted by job 2's 3 s, doubled at its age of 5 to 6.
		{"uncorrected", []workload.Job{sized(0, 9, 8), sized(0, 3, 2), sized(5, 1, 5)},
			Simulated{RunTimes: []sched.Estimator{&lastOne{nan}}}, []float64{0, 0, nan}, []float64{0, 0, 4}},
		{"corrected", []workload.Job{sized(0, 9, 8), sized(0, 3, 2), sized(5, 1, 5)},
			Simulated{RunTimes: []sched.Estimator{&lastOne{nan}}, Corrected: true}, []float64{0, 0, 1}, []float64{0, 0, 4}},
	} {
		for i, w := range queueRun(t, c.jobs, sched.Config{Processors: 10}, c.by) {
			if p := w.Predictions[0]; p != c.predicted[i] && !(math.IsNaN(p) && math.IsNaN(c.predicted[i])) || w.Actual != c.actual[i] {
				t.Errorf("%s, job %d: predicted %g, waits %g; want %g and %g", c.name, i+1, p, w.Actual, c.predicted[i], c.actual[i])
			}
		}
	}
}

// crowd returns jobs that queue, some with estimates that prove too short if short is below 1.
func crowd(seed uint64, n int, sites int64, short float64) []workload.Job {
	rng := rand.New(rand.NewPCG(seed, 8))
	var jobs []workload.Job
	now := 0.0
	for range n {
		now += float64(rng.IntN(12) / int(sites))
		j := sized(now, float64(rng.IntN(60)), 1+rng.Int64N(20))
		j.Time = math.Ceil(j.Run*(short+2*rng.Float64())) + 1
		j.Partition = 1 + rng.Int64N(sites)
		jobs = append(jobs, j)
	}
	return jobs
}

// Exact run times give exact waits, and upper bounds of run times give upper bounds of waits.
func TestQueueWaitsKnown(t *testing.T) {
	waits := 0
	for seed := range uint64(30) {
		jobs := crowd(seed, 200, 1, 1)
		known := runTimes(func(r *workload.Request) float64 { return jobs[r.Row].Run })
		by := Simulated{RunTimes: []sched.Estimator{known}}
		for i, w := range queueRun(t, jobs, sched.Config{Processors: 24}, by, Simulated{RunTimes: []sched.Estimator{sched.UserEstimates{}}}) {
			if w.Actual > 0 {
				waits++
			}
			if p := w.Predictions; math.Abs(p[0]-w.Actual) > 1e-9 || p[1] < w.Actual {
				t.Fatalf("seed %d, job %d: predicted %g, bound %g, waits %g", seed, i+1, p[0], p[1], w.Actual)
			}
		}
	}
	if waits < 1000 {
		t.Errorf("only %d jobs wait: too few for this test", waits)
	}
}

// Each site's jobs are predicted as if the other sites did not exist.
func TestQueueWaitsBySite(t *testing.T) {
	sizes := map[int64]int64{1: 24, 2: 30, 3: 20}
	// The prediction depends on the job's own site alone.
	by := Simulated{RunTimes: []sched.Estimator{runTimes(func(r *workload.Request) float64 { return 3 + 7*float64(r.Size) })}}
	jobs := crowd(3, 300, 3, 0.7)
	got := queueRun(t, jobs, sched.Config{Sites: sizes}, by)
	waits := 0
	for site, processors := range sizes {
		alone := slices.DeleteFunc(slices.Clone(jobs), func(j workload.Job) bool { return j.Partition != site })
		own := slices.DeleteFunc(slices.Clone(got), func(w QueueWait) bool { return w.Request.Partition != site })
		for i, want := range queueRun(t, alone, sched.Config{Processors: processors}, by) {
			if w := own[i]; w.Predictions[0] != want.Predictions[0] || w.Actual != want.Actual || w.Queued != want.Queued {
				t.Fatalf("site %d: %+v, alone %+v", site, w, want)
			}
			if want.Actual > 0 {
				waits++
			}
		}
	}
	if waits < 100 {
		t.Errorf("only %d jobs wait: too few for this test", waits)
	}
}

func TestWithEstimates(t *testing.T) {
	given := sized(0, 10, 1)
	given.Time = 3
	draws := []float64{0, 0.5}
	var got []float64
	for j, err := range WithEstimates(stream([]workload.Job{sized(0, 10, 1), given, sized(0, 10, 1)}), 5, func() float64 {
		x := draws[0]
		draws = draws[1:]
		return x
	}) {
		jobtest.NoError(t, err)
		got = append(got, j.Time)
	}
	if !slices.Equal(got, []float64{10, 3, 30}) {
		t.Errorf("estimates %v, want 10, the given 3, and 10 (1 + 4/2)", got)
	}
}
