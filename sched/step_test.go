package sched

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/workload"
)

// A machine of 4 that is stepped: A (3, 10 s) starts at 5. B (2, 1 s) is submitted at 8 and
// waits. Nothing happens before 15, when A ends and B starts; B ends at 16.
func TestSteps(t *testing.T) {
	var started []float64
	s, err := NewSimulation(Config{Processors: 4}, nil, func(j workload.Job, err error) bool {
		started = append(started, j.Start())
		return err == nil
	})
	if err != nil {
		t.Fatal(err)
	}
	a, b := job(5, 10, 3), job(8, 1, 2)
	if !math.IsInf(s.Next(), 1) || !s.Advance(5) || !s.Submit(&a) || !s.Advance(8) || !s.Submit(&b) || !s.Advance(8) {
		t.Fatal("it ended")
	}
	if m := s.Machines()[0]; m.Queued() != 1 || m.Free() != 1 || s.Now() != 8 || s.Next() != 15 {
		t.Errorf("%d wait, %d free at %g, next at %g, want 1, 1 at 8, next at 15", m.Queued(), m.Free(), s.Now(), s.Next())
	}
	s.Advance(15)
	s.Advance(s.Now()) // what starts at 15 waits for all its submissions
	if s.Next() != 16 || !s.Advance(math.Inf(1)) || fmt.Sprint(started) != "[5 15]" {
		t.Errorf("started at %v, want 5 and 15", started)
	}
}

// Nobody need be told of starts.
func TestStepsUntold(t *testing.T) {
	s, err := NewSimulation(Config{Processors: 4}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	a := job(5, 10, 3)
	if !s.Advance(5) || !s.Submit(&a) || !s.Advance(6) || s.Next() != 15 {
		t.Errorf("next at %g, want the end at 15", s.Next())
	}
}

// sentTo is a Broker that sends all jobs to one machine.
type sentTo struct {
	Sender
	to int
}

func (b sentTo) Submit(Task, []*State) int { return b.to }

// Speed divides run times, and a Broker must name a machine that is large enough.
func TestBroker(t *testing.T) {
	machines := []Machine{{Processors: 4}, {Processors: 8, Speed: 2}}
	for to, want := range map[int]string{0: "0+6 6+6", 1: "0+3 0+3", 2: "machine 2, want one of the 2", -2: "machine -2"} {
		var got []string
		for j, err := range Simulate(stream([]workload.Job{job(0, 6, 4), job(0, 6, 4)}), Config{Machines: machines, Broker: sentTo{to: to}}, nil) {
			if err != nil {
				got = append(got, err.Error())
				break
			}
			got = append(got, fmt.Sprintf("%g+%g", j.Start(), j.Run))
		}
		if !strings.Contains(strings.Join(got, " "), want) {
			t.Errorf("to %d: %v, want %s", to, got, want)
		}
	}
	var last error
	for _, err := range Simulate(stream([]workload.Job{job(0, 6, 6)}), Config{Machines: machines, Broker: sentTo{to: 0}}, nil) {
		last = err
	}
	if last == nil || !strings.Contains(last.Error(), "job 1 of 6 processors to machine 0") {
		t.Errorf("error %v", last)
	}
	if _, err := NewSimulation(Config{Machines: machines}, nil, nil); err == nil {
		t.Error("machines without a broker pass")
	}
}
