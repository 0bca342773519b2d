package predict

import (
	"fmt"
	"math"
	"testing"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Two queues have uniform-log run times, and a third has too few jobs: each of the two has its
// own distribution, and the third that of all jobs.
func TestFitLifetimesByClass(t *testing.T) {
	var jobs []workload.Job
	add := func(queue int64, low, high float64, n int) {
		for i := range n {
			j := sized(0, low*math.Pow(high/low, (float64(i)+0.5)/float64(n)), 1)
			j.Queue = queue
			jobs = append(jobs, j)
		}
	}
	add(1, 10, 100, 400)
	add(2, 1000, 1e5, 400)
	add(3, 5, 50, 20)
	f := jobtest.Must(FitLifetimes(stream(jobs), 10, LifetimesConfig{By: []workload.ClassColumn{{Column: "queue_id"}}}))
	request := func(queue int64) *workload.Request {
		r := sized(0, 1, 1).Request
		r.Queue = queue
		return &r
	}
	for queue, l := range map[int64]dist.UniformLog{1: {TMin: 10, TMax: 100}, 2: {TMin: 1000, TMax: 1e5}} {
		got := lifetimesOf(f.Lifetimes, request(queue)).(OneLaw).Law.(dist.UniformLog)
		if !near(got.TMin, l.TMin, 0.02) || !near(got.TMax, l.TMax, 0.02) {
			t.Errorf("queue %d: %+v, want %+v", queue, got, l)
		}
	}
	for _, queue := range []int64{3, 4, workload.Unknown} {
		if got := lifetimesOf(f.Lifetimes, request(queue)); got != Lifetimes(OneLaw{f.All.Law}) {
			t.Errorf("queue %d: %+v, want the distribution of all", queue, got)
		}
	}
	for _, c := range []LifetimesConfig{{Family: "no such"}, {By: []workload.ClassColumn{{Column: "no such"}}}} {
		if _, err := FitLifetimes(stream(jobs), 10, c); err == nil {
			t.Errorf("%+v: no error", c)
		}
	}
}

// A distribution with several stages, or one of logarithms, can replace Downey's.
func TestOneLawOfStages(t *testing.T) {
	two, err := dist.NewMultiStageUniformLog(
		dist.WeightedUniformLog{Weight: 0.5, Law: dist.UniformLog{TMin: 10, TMax: 100}},
		dist.WeightedUniformLog{Weight: 0.5, Law: dist.UniformLog{TMin: 1000, TMax: 10000}})
	jobtest.NoError(t, err)
	l := OneLaw{two}
	// At 100 s only the second stage is left: its median is sqrt(1000 10000).
	for _, c := range [][3]float64{{0, 100, 0.5}, {100, math.Sqrt(1e7) - 100, 0.5}, {20000, 20000, 0.5}, {1e300, 1e300, 0.5}, {50, 0, 1}} {
		if got := l.Survival(nil, c[0], c[1]); math.Abs(got-c[2]) > 1e-12 {
			t.Errorf("Survival(%g, %g) = %g, want %g", c[0], c[1], got, c[2])
		}
	}
}

// Predictions that are always the square of the actual time are corrected to it.
type square struct{}

func (square) Name() string { return "square" }
func (square) Predict(h *Head) (workload.Prediction, bool) {
	return workload.Prediction{Seconds: float64(h.Needed * h.Needed)}, h.Needed > 0
}

func TestUnbiased(t *testing.T) {
	u := NewUnbiased(square{})
	for i := range int64(60) {
		got, _ := u.Predict(&Head{Needed: i + 2})
		want := float64((i + 2) * (i + 2))
		if i >= unbiasedFrom {
			want = float64(i + 2)
		}
		if !near(got.Seconds, want, 1e-9) {
			t.Errorf("prediction %d: %g, want %g", i, got.Seconds, want)
		}
		u.Learn(float64(i + 2))
		if _, ok := u.Predict(&Head{}); ok {
			t.Error("a prediction although the inner predictor has none")
		}
		u.Learn(1e9) // a head without prediction is not learned
	}
	if u.Name() != "square-unbiased" {
		t.Error(u.Name())
	}
}

// In a simulation the lifetimes learn of a job when it has ended, not before: job 1 ends at 10
// (interval 1), when job 3 comes to the head at 20.
func TestAtHeadUpdates(t *testing.T) {
	var seen []float64
	p := jobtest.Must(NewPreviousLifetimes(10, LifetimesConfig{}, func(at float64) (int64, bool) { seen = append(seen, at); return 0, true }))
	jobs := []workload.Job{sized(0, 10, 5), sized(0, 100, 5), sized(20, 1, 10)}
	for _, err := range AtHead(stream(jobs), HeadConfig{Processors: 10, Predictors: Downey(p), Updates: p}) {
		jobtest.NoError(t, err)
	}
	if fmt.Sprint(seen) != "[10 20 100 101]" || p.ended.n != 3 {
		t.Errorf("times %v, %d jobs ended; want 10 and 20, and after the last head 100 and 101, and three", seen, p.ended.n)
	}
}

// One job per second, in intervals of 200 s: jobs of the first interval run 10 to 100 s, those of
// the second 1000 to 1e5 s.
func TestPreviousLifetimes(t *testing.T) {
	p := jobtest.Must(NewPreviousLifetimes(10, LifetimesConfig{}, func(at float64) (int64, bool) { return int64(at) / 200, true }))
	longest := map[int]float64{0: 0, 199: 0, 200: 100, 399: 100, 400: 1e5, 450: 1e5} // TMax of the distribution, by the number of jobs seen
	for i := range 451 {
		jobtest.NoError(t, p.Advance(float64(i)))
		got := 0.0
		if p.Known() {
			got = lifetimesOf(p, nil).(OneLaw).Law.(dist.UniformLog).TMax
		}
		if want, ok := longest[i]; ok && !near(got, want, 0.03) {
			t.Errorf("after %d jobs: %g, want %g", i, got, want)
		}
		low := []float64{10, 1000, 3}[i/200]
		high := []float64{100, 1e5, 3}[i/200] // the third interval does not determine a distribution
		j := sized(0, low*math.Pow(high/low, (float64(i%200)+0.5)/200), 1)
		p.Ended(&j)
	}
}
