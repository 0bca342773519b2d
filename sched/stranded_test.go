package sched

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/workload"
)

// narrow is a policy that starts jobs of at most 2 processors, and no other.
type narrow struct{ FCFS }

func (narrow) Name() string           { return "narrow" }
func (narrow) Planner(*State) Planner { return narrowPlanner{} }

type narrowPlanner struct{}

func (narrowPlanner) Next(m *State) (Place, bool) {
	for p, t := range m.Waiting() {
		if t.Request.Size <= 2 && m.Fits(p) {
			return p, true
		}
	}
	return Place{}, false
}

// planless is a policy without a planner.
type planless struct{ FCFS }

func (planless) Name() string           { return "planless" }
func (planless) Planner(*State) Planner { return nil }

// keeper is a Broker that releases no job.
type keeper struct{ Sender }

func (keeper) Submit(Task, []*State) int { return Hold }

// Jobs that no policy or broker has started when nothing runs any more are an
// error, and not a shorter schedule.
func TestJobsThatNeverStart(t *testing.T) {
	jobs := []workload.Job{job(0, 5, 1), job(1, 5, 3), job(2, 5, 2), job(3, 5, 4)}
	for i := range jobs {
		jobs[i].ID = int64(i + 1)
	}
	for _, c := range []struct {
		name, want string
		starts     int
		cfg        Config
	}{
		{"a policy", "policy narrow leaves 2 jobs waiting with the machine empty; the first is job 2 of 3 processors", 2, Config{Processors: 4, Policy: narrow{}}},
		{"of sites", "policy narrow leaves 2 jobs waiting with the machine empty; the first is job 2", 2, Config{Processors: 4, Sites: map[int64]int64{}, Policy: narrow{}}},
		{"a broker", "the broker holds 4 jobs that it does not release", 0, Config{Machines: []Machine{{Processors: 4}}, Broker: keeper{}}},
		{"a policy without a planner", "policy planless returns no Planner", 0, Config{Processors: 4, Policy: planless{}}},
	} {
		starts := 0
		var last error
		for _, err := range Simulate(stream(jobs), c.cfg, nil) {
			if last = err; err == nil {
				starts++
			}
		}
		if last == nil || !strings.Contains(last.Error(), c.want) || starts != c.starts {
			t.Errorf("%s: %d start, error %v, want %d and %q", c.name, starts, last, c.starts, c.want)
		}
		if never := !strings.Contains(c.want, "Planner"); errors.Is(last, ErrNeverStarts) != never {
			t.Errorf("%s: %v wraps ErrNeverStarts: %v", c.name, last, !never)
		}
	}

	// A caller that steps the simulation has the same error.
	var last error
	s, err := NewSimulation(Config{Processors: 4, Policy: narrow{}}, nil, func(_ workload.Job, err error) bool {
		last = err
		return err == nil
	})
	if err != nil {
		t.Fatal(err)
	}
	s.Advance(1)
	if !s.Submit(&jobs[1]) || s.Advance(math.Inf(1)) || !errors.Is(last, ErrNeverStarts) {
		t.Errorf("stepped: error %v", last)
	}
}
