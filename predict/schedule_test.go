package predict

import (
	"errors"
	"math"
	"testing"

	"github.com/loadstone-hpc/loadstone/sched"
	"github.com/loadstone-hpc/loadstone/workload"
)

// fixedLength gives every job the same run time, NaN to one number.
func fixedLength(run float64, unknown int64) RunLength {
	return func(r *workload.Request, age float64) float64 {
		if r.ID == unknown {
			return math.NaN()
		}
		return run
	}
}

// 10 processors; a job of 8, 100 s old, that runs 1000 s in all: 900 s more.
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
		// 1000 s on 2 processors: the head takes 8 of 10 at 900 s, so that 2 are
		// left over: it may start now.
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
	s := machineOf(10, 8, 100).with(8)
	r := workload.UnknownJob().Request
	r.ID = 77
	s.Running[0].Request = &r
	var unknown *UnknownLengthError
	for _, id := range []int64{77, 1} {
		if _, err := s.ScheduledWait(sched.FCFS{}, asks(1), fixedLength(5, id)); !errors.As(err, &unknown) {
			t.Errorf("length of job %d unknown: %v", id, err)
		}
	}
	own := asks(1)
	own.ID = 5
	if got, err := s.ScheduledWait(sched.FCFS{}, own, fixedLength(1000, 5)); err != nil || got != 900 {
		t.Errorf("own length unknown: %g, %v, want 900", got, err)
	}
	if _, err := s.ScheduledWait(sched.EASY{}, own, fixedLength(1000, 5)); !errors.As(err, &unknown) {
		t.Errorf("own length unknown under easy: %v", err)
	}
	if _, err := s.ScheduledWait(sched.FCFS{}, asks(11), fixedLength(5, -1)); err == nil {
		t.Error("a request above the machine: no error")
	}
}

// A planner's limits: the job of 8 may run to 100 + 50 s; it does not end
// before 900 s, and the estimate is doubled as it proves too short.
func TestPredictedLength(t *testing.T) {
	r := workload.UnknownJob().Request
	length := PredictedLength(runTimes(func(*workload.Request) float64 { return 300 }))
	if got := length(&r, 0); got != 300 {
		t.Errorf("fresh: %g, want 300", got)
	}
	if got := length(&r, 300); got != 600 {
		t.Errorf("at 300 s: %g, want 600: doubled", got)
	}
	if r.Time = 350; length(&r, 300) != 350 || length(&r, 400) != 600 {
		t.Errorf("with a limit of 350: %g and %g, want 350, and 600 beyond it", length(&r, 300), length(&r, 400))
	}
	nobody := PredictedLength(runTimes(func(*workload.Request) float64 { return math.NaN() }))
	if got := nobody(&r, 0); !math.IsNaN(got) {
		t.Errorf("by nobody: %g", got)
	}
}
