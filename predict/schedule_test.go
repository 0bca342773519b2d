package predict

import (
	"errors"
	"math"
	"testing"

	"github.com/loadstone-hpc/loadstone/dist"
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

// At the head of the queue, under FCFS, drawn waits have A exact's quantiles:
// the share of draws below each is within 5 standard errors of it.
func TestDrawnAgainstExact(t *testing.T) {
	s := machineOf(40, 8, 100, 3, 1000, 9, 30, 12, 4000, 5, 20000)
	for i := range s.Running {
		r := workload.UnknownJob().Request
		s.Running[i].Request = &r
	}
	const n = 4000
	for _, size := range []int64{6, 20, 36} {
		waits, err := Drawn{Lifetimes: law, Policy: sched.FCFS{}, Draws: n, Seed: 3}.Waits(s, []workload.Request{*asks(size)})
		if err != nil {
			t.Fatal(err)
		}
		for _, q := range []float64{0.1, 0.5, 0.9} {
			exact, ok := DowneyAExact{law, q}.Predict(s.Head(size))
			if !ok {
				t.Fatal("no prediction")
			}
			below := 0
			for _, w := range waits[0] {
				if w <= exact.Seconds {
					below++
				}
			}
			if got := float64(below) / n; math.Abs(got-q) > 5*math.Sqrt(q*(1-q)/n) {
				t.Errorf("%d processors: %g of the draws are by %g s, want %g", size, got, exact.Seconds, q)
			}
		}
	}
}

// byQueue is lifetimes by queue.
type byQueue map[int64]Lifetimes

func (b byQueue) Of(r *workload.Request) Lifetimes { return b[r.Queue] }
func (b byQueue) Survival(r *workload.Request, age, t float64) float64 {
	return b[r.Queue].Survival(r, age, t)
}

// Each job's length is drawn from its own class. Jobs of queue 1 run 1000 s,
// of queue 2 10 s, within a thousandth: the running one ends in 900 s; a queued
// one of the whole machine is next. A request of queue 2 is backfilled, one of
// queue 1 waits for both.
func TestDrawnByClass(t *testing.T) {
	fixed := func(run float64) Lifetimes { return OneLaw{dist.UniformLog{TMin: run, TMax: 1.001 * run}} }
	s := machineOf(10, 8, 100).with(10)
	r := workload.UnknownJob().Request
	r.Queue = 1
	s.Running[0].Request = &r
	s.Queued[0].Queue = 2
	short, long := asks(2), asks(2)
	short.Queue, long.Queue = 2, 1
	d := Drawn{Lifetimes: byQueue{1: fixed(1000), 2: fixed(10)}, Policy: sched.EASY{}, Draws: 20}
	waits, err := d.Waits(s, []workload.Request{*short, *long})
	if err != nil {
		t.Fatal(err)
	}
	for k := range waits[0] {
		if waits[0][k] != 0 || waits[1][k] < 910 || waits[1][k] > 912 {
			t.Fatalf("waits of %g and %g s, want 0 and 910 to 912", waits[0][k], waits[1][k])
		}
	}
}

func TestDrawn(t *testing.T) {
	s := machineOf(10, 8, 100).with(4, 8)
	r := workload.UnknownJob().Request
	s.Running[0].Request = &r
	d := Drawn{Lifetimes: law, Policy: sched.EASY{}, Draws: 100, Seed: 1}
	three, err := d.Waits(s, []workload.Request{*asks(1), *asks(4), *asks(10)})
	if err != nil {
		t.Fatal(err)
	}
	alone, err := d.Waits(s, []workload.Request{*asks(4)})
	if err != nil {
		t.Fatal(err)
	}
	for k := range alone[0] {
		if alone[0][k] != three[1][k] {
			t.Fatal("the waits of a request depend on the others")
		}
	}
	if !(three[0].Mean() < three[2].Mean()) {
		t.Errorf("mean waits %g for 1 processor and %g for 10", three[0].Mean(), three[2].Mean())
	}
	// 100 waits at 0.5 and 0.95: the 59th, by R's qbinom(0.95, 100, 0.5) + 1 = 59
	// (pbinom(58, 100, 0.5) = 0.9557).
	b, ok := three[2].Bound(0.5, 0.95)
	if !ok || b.Rank != 59 || b.Seconds != three[2][58] || math.Abs(b.Achieved-0.9556869) > 1e-6 {
		t.Errorf("%+v, want the 59th with 0.9557", b)
	}
	if _, ok := three[0][:50].Bound(0.95, 0.95); ok {
		t.Error("a bound at 0.95 from 50 draws")
	}
	if _, ok := DrawnWaits(nil).Bound(0.5, 0.95); ok {
		t.Error("a bound from nothing")
	}
	for _, bad := range []Drawn{{Lifetimes: law, Policy: sched.FCFS{}, Draws: -1}, {Policy: sched.FCFS{}}, {Lifetimes: law}} {
		if _, err := bad.Waits(s, []workload.Request{*asks(1)}); err == nil {
			t.Errorf("%+v: no error", bad)
		}
	}
	if _, err := d.Waits(s, []workload.Request{*asks(11)}); err == nil {
		t.Error("a request above the machine: no error")
	}
}

// A wait as long as Longest is no number to add up or to promise.
func TestDrawnWaitsWithoutEnd(t *testing.T) {
	var w DrawnWaits
	for i := range 100 {
		w = append(w, float64(i))
	}
	if b, ok := w.Bound(0.5, 0.95); !ok || b.Seconds <= 50 || w.Mean() != 49.5 {
		t.Errorf("bound %+v, %t, mean %g", b, ok, w.Mean())
	}
	for i := range 30 {
		w[70+i] = Longest + float64(i)
	}
	if b, ok := w.Bound(0.5, 0.95); !ok || b.Seconds >= 70 {
		t.Errorf("below the end: %+v, %t", b, ok)
	}
	if b, ok := w.Bound(0.8, 0.95); ok {
		t.Errorf("a quantile without end: %+v", b)
	}
	if m := w.Mean(); !math.IsInf(m, 1) {
		t.Errorf("mean %g, want none", m)
	}
}
