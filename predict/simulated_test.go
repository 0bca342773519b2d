package predict

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/loadstone-hpc/loadstone/workload"
)

// runTimes predicts from a table by row.
type runTimes func(r *workload.Request) float64

func (f runTimes) Predict(r workload.Request) (workload.Prediction, bool) {
	s := f(&r)
	return workload.Prediction{Seconds: s}, !math.IsNaN(s)
}
func (runTimes) Observe(workload.Job) {}

// lastOne predicts the run time of the last job to end, whatever its class.
type lastOne struct{ run float64 }

func (l *lastOne) Predict(workload.Request) (workload.Prediction, bool) {
	return workload.Prediction{Seconds: l.run}, !math.IsNaN(l.run)
}
func (l *lastOne) Observe(j workload.Job) { l.run = j.Run }

func fcfsPredictions(t *testing.T, jobs []workload.Job, processors int64, p ...Simulated) (predicted [][]float64, actual []float64) {
	t.Helper()
	predicted, actual = make([][]float64, len(jobs)), make([]float64, len(jobs))
	for w, err := range QueueWaits(stream(jobs), QueueConfig{Processors: processors}, p) {
		if err != nil {
			t.Fatal(err)
		}
		predicted[w.Request.Row] = append([]float64(nil), w.Predictions...)
		actual[w.Request.Row] = w.Actual
	}
	return predicted, actual
}

// 10 processors. Job 1 (6) runs 0 to 10 and job 2 (3) 0 to 4; job 3 (2) comes
// at 1, job 4 (8) at 2, job 5 (1) at 11.
func TestFCFSWaitsByHand(t *testing.T) {
	jobs := []workload.Job{sized(0, 10, 6), sized(0, 4, 3), sized(1, 5, 2), sized(2, 3, 8), sized(11, 1, 1)}
	// Predicted: job 1 3 s, job 2 7 s, job 3 2 s. At 1, job 1 is to end at 3:
	// job 3 waits 2. At 2, job 3 starts at 3 with 10 - 3 - 2 = 5 free, and ends at
	// 5; job 2 is to end at 7, when all 10 are free: 5 s. Job 5 finds room.
	guess := []float64{3, 7, 2, 1, 1}
	by := Simulated{Label: "x", RunTimes: []RunTimePredictor{runTimes(func(r *workload.Request) float64 { return guess[r.Row] })}}
	got, actual := fcfsPredictions(t, jobs, 10, by)
	for i, want := range []float64{0, 0, 2, 5, 0} {
		if got[i][0] != want {
			t.Errorf("job %d: predicted %g, want %g", i+1, got[i][0], want)
		}
	}
	for i, want := range []float64{0, 0, 3, 8, 0} { // jobs 3 at 4, 4 at 10
		if actual[i] != want {
			t.Errorf("job %d: waits %g, want %g", i+1, actual[i], want)
		}
	}
	// Job 1, predicted 2, is 7 s old when job 2 comes: 2, 4, 8, so 1 s is left.
	got, _ = fcfsPredictions(t, []workload.Job{sized(0, 20, 10), sized(7, 1, 1)}, 10,
		Simulated{RunTimes: []RunTimePredictor{runTimes(func(*workload.Request) float64 { return 2 })}})
	if got[1][0] != 1 {
		t.Errorf("doubled: predicted %g, want 1", got[1][0])
	}
}

// Job 1 (8) and job 2 (2) run; job 2 ends at 3 s. Both were submitted when
// nothing had ended, so that without correction nobody knows of job 1; with
// it, job 1 is predicted by job 2's 3 s, doubled at its age of 5 to 6.
func TestFCFSCorrection(t *testing.T) {
	jobs := []workload.Job{sized(0, 9, 8), sized(0, 3, 2), sized(5, 1, 5)}
	got, _ := fcfsPredictions(t, jobs, 10,
		Simulated{RunTimes: []RunTimePredictor{&lastOne{math.NaN()}}},
		Simulated{RunTimes: []RunTimePredictor{&lastOne{math.NaN()}}, Corrected: true})
	if !math.IsNaN(got[2][0]) || got[2][1] != 1 {
		t.Errorf("predicted %g and corrected %g, want none and 1", got[2][0], got[2][1])
	}
}

// Who knows the run times knows the waits; who knows a bound of each run time
// bounds the waits; on random logs.
func TestFCFSWaitsKnown(t *testing.T) {
	waits := 0
	for seed := range uint64(30) {
		rng := rand.New(rand.NewPCG(seed, 3))
		var jobs []workload.Job
		now := 0.0
		for range 200 {
			now += float64(rng.IntN(12))
			j := sized(now, float64(rng.IntN(60)), 1+rng.Int64N(20))
			j.Time = j.Run + float64(rng.IntN(200)) + 1
			jobs = append(jobs, j)
		}
		got, actual := fcfsPredictions(t, jobs, 24,
			Simulated{RunTimes: []RunTimePredictor{runTimes(func(r *workload.Request) float64 { return jobs[r.Row].Run })}},
			Simulated{RunTimes: []RunTimePredictor{Estimates{}}})
		for i := range jobs {
			if actual[i] > 0 {
				waits++
			}
			if math.Abs(got[i][0]-actual[i]) > 1e-9 {
				t.Fatalf("seed %d, job %d: predicted %g, waits %g", seed, i+1, got[i][0], actual[i])
			}
			if got[i][1] < actual[i] {
				t.Fatalf("seed %d, job %d: bound %g, waits %g", seed, i+1, got[i][1], actual[i])
			}
		}
	}
	if waits < 1000 {
		t.Errorf("%d jobs wait: too few to tell", waits)
	}
}

func TestFCFSWaitsErrors(t *testing.T) {
	cause := errors.New("disk gone")
	for name, next := range map[string]func(func(QueueWait, error) bool){
		"input":     QueueWaits(func(yield func(workload.Job, error) bool) { yield(workload.Job{}, cause) }, QueueConfig{Processors: 5}, nil),
		"no jobs":   QueueWaits(stream(nil), QueueConfig{Processors: 5}, nil),
		"no oracle": QueueWaits(stream([]workload.Job{sized(0, 1, 1)}), QueueConfig{Processors: 5}, []Simulated{{}}),
	} {
		n := 0
		for _, err := range next {
			if n++; err == nil {
				t.Errorf("%s: no error", name)
			}
		}
		if n != 1 {
			t.Errorf("%s: %d rows, want one error", name, n)
		}
	}
	for _, factor := range []float64{0.5, math.NaN(), math.Inf(1)} {
		for _, err := range WithEstimates(stream(nil), factor, rand.Float64) {
			if err == nil {
				t.Errorf("factor %g: no error", factor)
			}
		}
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
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, j.Time)
	}
	if len(got) != 3 || got[0] != 10 || got[1] != 3 || got[2] != 30 {
		t.Errorf("estimates %v, want 10, the given 3, and 10 (1 + 4/2)", got)
	}
}
