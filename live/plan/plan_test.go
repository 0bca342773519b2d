package plan_test

import (
	"context"
	"math"
	"testing"

	"github.com/loadstone-hpc/loadstone/live/plan"
	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/sched"
	"github.com/loadstone-hpc/loadstone/workload"
)

// request is one that asks for processors and time.
func request(row, size int64, limit float64) workload.Request {
	j := workload.UnknownJob()
	j.Row, j.Size, j.Time, j.Submit = row, size, limit, 0
	return j.Request
}

func running(row, size int64, limit, age float64) predict.Occupant {
	r := request(row, size, limit)
	return predict.Occupant{Request: &r, Size: size, Age: age}
}

func planOf(t *testing.T, o plan.Options, machines ...plan.Machine) *plan.Plan {
	t.Helper()
	p, err := plan.NewPlanner(o)
	if err != nil {
		t.Fatal(err)
	}
	made, err := p.Plan(context.Background(), machines)
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// Before any job has ended all run to their limits. 10 processors at second 1000: 6 are held
// for 100 s more, 2 for 50 s more, 2 are free.
//
//	job 10: 8 processors, 300 s: at 100 s, when 10 are free; 2 are left over
//	job 11: 2 processors, 100 s: at 0 s: it ends at 100 s, by the head's start
//	job 12: 2 processors, 60 s: at 50 s the 2 of the second are free; it ends at 110 s, after
//	        the head's start, but 2 processors are left over then: at 50 s
//	job 13: 2 processors, 60 s: behind job 12, which took those left over. The head
//	        ends at 400 s, but job 12 at 110 s: at 110 s
func small() plan.Machine {
	return plan.Machine{Snapshot: predict.Snapshot{
		Time: 1000, Processors: 10,
		Running: []predict.Occupant{running(1, 6, 200, 100), running(2, 2, 60, 10)},
		Queued:  []workload.Request{request(10, 8, 300), request(11, 2, 100), request(12, 2, 60), request(13, 2, 60)},
	}}
}

func TestStartsByHand(t *testing.T) {
	for _, c := range []struct {
		policy sched.Policy
		want   []float64
	}{
		{sched.EASY{}, []float64{1100, 1000, 1050, 1110}},
		// In order: job 10 at 100 s, 11 beside it; 12 at 200 s when that ends, 13 at 260 s.
		{sched.FCFS{}, []float64{1100, 1100, 1200, 1260}},
	} {
		p := planOf(t, plan.Options{Policy: c.policy}, small())
		for i, want := range c.want {
			s, ok := p.Start(int64(10 + i))
			if !ok || s.Expected != want || s.Bounds[0] != want || s.Bounds[2] != want || s.Place != i+1 || !s.Simulated {
				t.Errorf("%s: job %d starts as %+v, %v; want at %g s", c.policy.Name(), 10+i, s, ok, want)
			}
		}
	}
}

func TestWaitsByHand(t *testing.T) {
	p := planOf(t, plan.Options{Limits: []float64{50, 100, 1000}}, small())
	for _, c := range []struct {
		size        int64
		limit, want float64
	}{
		// Nothing is free now: job 11 takes the 2. At 50 s job 12 takes 2. At 100 s job 11 and
		// the first end, and job 10 starts on 8: 2 are held by job 12. At 110 s job 13 starts
		// on them, until 170 s.
		{1, 50, 170}, {2, 1000, 170}, {3, 50, 400}, {10, 1000, 400},
	} {
		w, err := p.Wait(request(99, c.size, c.limit))
		if err != nil || w.Expected != c.want || w.Mean != c.want || w.Bounds[2] != c.want || w.At != 1000 {
			t.Errorf("%d processors for %g s wait %+v, %v; want %g s", c.size, c.limit, w, err, c.want)
		}
	}
	if _, err := p.Wait(request(99, 11, 50)); err == nil {
		t.Error("a request larger than the machine waits")
	}
	if w, _ := p.Wait(request(99, 2, math.NaN())); w.Expected != 170 {
		t.Errorf("without a limit the wait is %g s, want that of the longest, 170 s", w.Expected)
	}
}

// Between the points of the grid waits are interpolated in logarithms. Of 20 processors 2 are
// held for 100 s more and 2 for 200 s: 18 are free at 100 s, 20 at 200 s, and the grid has
// both, but not 19.
func TestWaitsBetweenThePointsOfTheGrid(t *testing.T) {
	m := plan.Machine{Snapshot: predict.Snapshot{Processors: 20, Running: []predict.Occupant{running(1, 2, 100, 0), running(2, 2, 200, 0)}}}
	p := planOf(t, plan.Options{}, m)
	for size, want := range map[int64]float64{
		1: 0, 16: 0, // free
		17: 100, 18: 100, 19: 100 + 100*math.Log(19./18)/math.Log(20./18), 20: 200,
	} {
		if w, err := p.Wait(request(9, size, 60)); err != nil || math.Abs(w.Expected-want) > 1e-9 {
			t.Errorf("%d processors wait %+v, %v; want %g s", size, w, err, want)
		}
	}
	// 2 processors start at once for up to 1000 s, and at 1600 s for longer.
	p = planOf(t, plan.Options{Limits: []float64{900, 1200}}, gap())
	for limit, want := range map[float64]float64{1: 0, 900: 0, math.Sqrt(900 * 1200): 800, 1200: 1600, 5000: 1600} {
		if w, err := p.Wait(request(9, 2, limit)); err != nil || math.Abs(w.Expected-want) > 1e-9 {
			t.Errorf("%g s wait %+v, %v; want %g s", limit, w, err, want)
		}
	}
}
