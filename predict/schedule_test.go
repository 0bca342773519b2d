package predict

import (
	"errors"
	"math"
	"testing"

	"github.com/loadstone-hpc/loadstone/sched"
	"github.com/loadstone-hpc/loadstone/workload"
)

// fixedLength gives every job the same run time, except NaN to the job with one number.
func fixedLength(run float64, unknown int64) RunLength {
	return func(r *workload.Request, age float64) float64 {
		if r.ID == unknown {
			return math.NaN()
		}
		return run
	}
}

// On 10 processors, a job of 8 is 100 s old and runs 1000 s in all: 900 s are left.
func TestScheduledWaitByHand(t *testing.T) {
	for _, c := range []struct {
		name   string
		s      *Snapshot
		size   int64
		policy sched.Policy
		want   float64
	}{
		{"free", machineOf(10, 8, 100), 2, sched.FCFS{}, 0},
		{"head", machineOf(10, 8, 100), 4, sched.FCFS{}, 900},
		// The queued job of 8 starts at 900 and ends at 1900.
		{"behind one", machineOf(10, 8, 100).with(8), 4, sched.FCFS{}, 1900},
		{"beside one", machineOf(10, 8, 100).with(8), 2, sched.FCFS{}, 900},
		// The arrival takes 1000 s on 2 processors. The head takes 8 of 10 at 900 s, which leaves
		// 2, so the arrival may start now.
		{"backfilled", machineOf(10, 8, 100).with(8), 2, sched.EASY{}, 0},
		{"not backfilled", machineOf(10, 8, 100).with(10), 2, sched.EASY{}, 1900},
		// Queue 9 is the arrival's own, the queued job's is 0.
		{"more urgent", machineOf(10, 8, 100).with(8), 4, sched.Priority{Queues: []int64{9}}, 900},
		{"less urgent", machineOf(10, 8, 100).with(8), 4, sched.Priority{Queues: []int64{0}}, 1900},
	} {
		for i := range c.s.Running {
			r := workload.UnknownJob().Request
			c.s.Running[i].Request = &r
		}
		got, err := c.s.ScheduledWait(c.policy, asks(c.size), fixedLength(1000, -1))
		if err != nil || math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%s: %g, %v, want %g", c.name, got, err, c.want)
		}
	}
	// The lengths of jobs 77 and 1 must be known, and that of the request if the policy plans
	// with it.
	s := machineOf(10, 8, 100).with(8)
	r, own := workload.UnknownJob().Request, asks(1)
	r.ID, own.ID = 77, 5
	s.Running[0].Request = &r
	for _, c := range []struct {
		id      int64
		policy  sched.Policy
		unknown bool
	}{{77, sched.FCFS{}, true}, {1, sched.FCFS{}, true}, {5, sched.FCFS{}, false}, {5, sched.EASY{}, true}} {
		var unknown *UnknownLengthError
		if got, err := s.ScheduledWait(c.policy, own, fixedLength(1000, c.id)); errors.As(err, &unknown) != c.unknown || !c.unknown && got != 900 {
			t.Errorf("length of job %d unknown under %s: %g, %v, want 900 s or an error", c.id, c.policy.Name(), got, err)
		}
	}
	if _, err := s.ScheduledWait(sched.FCFS{}, asks(11), fixedLength(5, -1)); err == nil {
		t.Error("no error for a request larger than the machine")
	}
}

// With a planner's limits, the job of 8 may run to 100 + 50 s; it does not end before 900 s, and
// the estimate is doubled whenever it proves too short.
func TestPredictedLength(t *testing.T) {
	r := workload.UnknownJob().Request
	length := PredictedLength(runTimes(func(*workload.Request) float64 { return 300 }))
	for _, c := range []struct{ limit, age, want float64 }{{0, 0, 300}, {0, 300, 600}, {350, 300, 350}, {350, 400, 600}} {
		if r.Time = c.limit; length(&r, c.age) != c.want {
			t.Errorf("limit %g, at %g s: %g, want %g", c.limit, c.age, length(&r, c.age), c.want)
		}
	}
	nobody := PredictedLength(runTimes(func(*workload.Request) float64 { return math.NaN() }))
	if got := nobody(&r, 0); !math.IsNaN(got) {
		t.Errorf("without a prediction: %g, want NaN", got)
	}
}
