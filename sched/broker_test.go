package sched

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/workload"
)

// sentTo is a Broker that sends all jobs to one machine, or holds all of them.
type sentTo struct {
	Sender
	to int
}

func (b sentTo) Submit(Task, []*State) int { return b.to }

// narrow is a policy that starts only jobs of at most 2 processors.
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

// Speed divides run times, and a Broker must name a machine that is large enough.
func TestBroker(t *testing.T) {
	machines := []Machine{{Processors: 4}, {Processors: 8, Speed: 2}}
	for _, c := range []struct {
		to   int
		size int64
		want string
	}{{0, 4, "0+6 6+6"}, {1, 4, "0+3 0+3"}, {2, 4, "machine 2, want one of the 2"}, {-2, 4, "machine -2"}, {0, 6, "job 1 of 6 processors to machine 0"}} {
		var got []string
		for j, err := range Simulate(stream([]workload.Job{job(0, 6, c.size), job(0, 6, c.size)}), Config{Machines: machines, Broker: sentTo{to: c.to}}, nil) {
			if err != nil {
				got = append(got, err.Error())
				break
			}
			got = append(got, fmt.Sprintf("%g+%g", j.Start(), j.Run))
		}
		if !strings.Contains(strings.Join(got, " "), c.want) {
			t.Errorf("to %d: %v, want %s", c.to, got, c.want)
		}
	}
}

// backwards is a Broker that sends the first job to the last machine, the second to the last but
// one, and so on, and records the order of the ends.
type backwards struct {
	Sender
	ended *[]int64
}

func (b backwards) Submit(t Task, m []*State) int { return len(m) - int(t.Request.ID) }

func (b backwards) Ended(j *workload.Job, _ int32, _ *State) { *b.ended = append(*b.ended, j.ID) }

// Jobs of several machines that end at one instant are reported in order of submission.
func TestEndsReportedToBroker(t *testing.T) {
	var ended []int64
	jobs := []workload.Job{job(0, 5, 1), job(0, 5, 1), job(0, 5, 1)}
	jobtest.Collect(t, Simulate(stream(jobs), Config{Machines: []Machine{{Processors: 4}, {Processors: 4}, {Processors: 4}}, Broker: backwards{ended: &ended}}, nil))
	if fmt.Sprint(ended) != "[1 2 3]" {
		t.Errorf("jobs %v have ended, want 1, 2 and 3", ended)
	}
}

// Jobs that no policy or broker has started by the time that nothing runs any more are an error,
// not a shorter schedule.
func TestNeverStarts(t *testing.T) {
	log := []workload.Job{job(0, 5, 1), job(1, 5, 3), job(2, 5, 2), job(3, 5, 4)}
	for name, c := range map[string]struct {
		cfg    Config
		starts int
		want   string
	}{
		"a policy":        {Config{Processors: 4, Policy: narrow{}}, 2, "policy narrow leaves 2 jobs waiting with the machine empty; the first is job 2 of 3 processors"},
		"on a site":       {Config{Processors: 4, Sites: map[int64]int64{}, Policy: narrow{}}, 2, "leaves 2 jobs waiting"},
		"a broker":        {Config{Machines: []Machine{{Processors: 4}}, Broker: sentTo{to: Hold}}, 0, "the broker holds 4 jobs that it does not release"},
		"without planner": {Config{Processors: 4, Policy: planless{}}, 0, "policy planless returns no Planner"},
	} {
		starts, faults := 0, []error(nil)
		for _, err := range Simulate(stream(log), c.cfg, nil) {
			if err != nil {
				faults = append(faults, err)
			} else {
				starts++
			}
		}
		if len(faults) != 1 || errors.Is(faults[0], ErrNeverStarts) == (name == "without planner") || !strings.Contains(faults[0].Error(), c.want) || starts != c.starts {
			t.Errorf("%s: errors %v and %d starts, want one with %q and %d", name, faults, starts, c.want, c.starts)
		}
	}
}

// Machines with contradictory descriptions are refused.
func TestConfigRefused(t *testing.T) {
	c := &Cluster{Pools: []Pool{{Name: "all", Nodes: 2, Processors: 4}}}
	machines := []Machine{{Processors: 4}}
	for name, cfg := range map[string]Config{
		"a cluster with processors":  {Cluster: c, Processors: 1},
		"a cluster with sites":       {Cluster: c, Sites: map[int64]int64{1: 4}},
		"a cluster with machines":    {Cluster: c, Machines: machines, Broker: sentTo{}},
		"a cluster with a broker":    {Cluster: c, Broker: sentTo{}},
		"machines without a broker":  {Machines: machines},
		"a machine of no processors": {Machines: []Machine{{}}, Broker: sentTo{}},
	} {
		if _, err := newSimulation(cfg, nil, nil); err == nil {
			t.Errorf("%s passes", name)
		}
	}
}
