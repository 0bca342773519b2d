package sched

import (
	"errors"
	"math"
	"testing"

	"github.com/loadstone-hpc/loadstone/workload"
)

// stepped returns a Simulation of 4 processors at 10 s, and where its starts are counted and
// its errors are put.
func stepped(t *testing.T, policy Policy) (s *Simulation, starts *int, faults *[]error) {
	starts, faults = new(int), new([]error)
	s, err := NewSimulation(Config{Processors: 4, Policy: policy}, nil, func(_ workload.Job, err error) bool {
		if err != nil {
			*faults = append(*faults, err)
		} else {
			*starts++
		}
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	if !s.Advance(10) {
		t.Fatal("it ended")
	}
	return s, starts, faults
}

// A job that cannot be simulated ends a stepped simulation with an error, and what runs
// neither hangs nor goes on.
func TestSubmitRefuses(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for name, c := range map[string]struct {
		job  workload.Job
		want error
	}{
		"no run time":        {job(10, nan, 1), ErrUnfit},
		"infinite run time":  {job(10, inf, 1), ErrUnfit},
		"negative run time":  {job(10, -5, 1), ErrUnfit},
		"no submission":      {job(nan, 5, 1), ErrUnfit},
		"infinite past":      {job(-inf, 5, 1), ErrUnfit},
		"size 0":             {job(10, 5, 0), ErrUnfit},
		"negative size":      {job(10, 5, -1), ErrUnfit},
		"unknown size":       {job(10, 5, workload.Unknown), ErrUnfit},
		"the zero job":       {workload.Job{}, ErrUnfit},
		"larger than all":    {job(10, 5, 5), ErrUnfit},
		"not yet submitted":  {job(10.5, 5, 1), workload.ErrOrder},
		"infinite submitted": {job(inf, 5, 1), ErrUnfit},
	} {
		for _, policy := range []Policy{FCFS{}, EASY{}} {
			s, starts, faults := stepped(t, policy)
			next := job(10, 1, 1)
			if s.Submit(&c.job) || s.Submit(&next) || s.Advance(11) {
				t.Errorf("%s under %s: it goes on", name, policy.Name())
			}
			if len(*faults) != 1 || !errors.Is((*faults)[0], c.want) || *starts != 0 {
				t.Errorf("%s under %s: errors %v and %d starts, want one of %q and none", name, policy.Name(), *faults, *starts, c.want)
			}
		}
	}
	// Nor does one whose partition has no machine, or of a job that a Broker cannot send.
	for name, c := range map[string]Config{
		"sites":    {Sites: map[int64]int64{1: 4}},
		"machines": {Machines: []Machine{{Processors: 4}}, Broker: sentTo{}},
	} {
		var last error
		s, err := NewSimulation(c, nil, func(_ workload.Job, err error) bool { last = err; return true })
		if err != nil {
			t.Fatal(err)
		}
		of := job(0, 5, 5)
		if !s.Advance(0) || s.Submit(&of) || !errors.Is(last, ErrUnfit) {
			t.Errorf("%s: error %v", name, last)
		}
	}
}

// A job may have waited before: its wait counts from its submission.
func TestSubmitOfAnEarlierJob(t *testing.T) {
	var waits []float64
	s, err := NewSimulation(Config{Processors: 4}, nil, func(j workload.Job, err error) bool {
		waits = append(waits, j.Wait)
		return err == nil
	})
	if err != nil {
		t.Fatal(err)
	}
	before, now := job(-5, 10, 4), job(10, 1, 1)
	if !s.Advance(10) || !s.Submit(&before) || !s.Submit(&now) || !s.Advance(math.Inf(1)) || len(waits) != 2 || waits[0] != 15 || waits[1] != 10 {
		t.Errorf("waits %v, want 15 and 10", waits)
	}
}

// What has ended stays ended, and nobody is told of more.
func TestStaysEnded(t *testing.T) {
	for name, c := range map[string]struct {
		policy Policy
		goOn   bool // what started returns
		calls  int
	}{
		"stopped by started": {FCFS{}, false, 1},
		"never starts":       {narrow{}, true, 1},
		"run to the end":     {FCFS{}, true, 2},
	} {
		calls := 0
		s, err := NewSimulation(Config{Processors: 4, Policy: c.policy}, nil, func(workload.Job, error) bool { calls++; return c.goOn })
		if err != nil {
			t.Fatal(err)
		}
		a, b := job(0, 5, 4), job(0, 5, 4)
		if !s.Advance(0) || !s.Submit(&a) || !s.Submit(&b) {
			t.Fatal("it ended")
		}
		s.Advance(math.Inf(1))
		if s.Submit(&b) || s.Advance(7) || s.Advance(math.Inf(1)) {
			t.Errorf("%s: it goes on", name)
		}
		if calls != c.calls {
			t.Errorf("%s: %d calls, want %d", name, calls, c.calls)
		}
	}
}

// Time does not go back.
func TestAdvanceRefuses(t *testing.T) {
	for _, to := range []float64{5, math.Inf(-1), math.NaN()} {
		s, _, faults := stepped(t, FCFS{})
		if s.Advance(to) || len(*faults) != 1 || !errors.Is((*faults)[0], workload.ErrOrder) || s.Now() != 10 {
			t.Errorf("to %g: errors %v, now %g, want one and 10", to, *faults, s.Now())
		}
	}
}

// A Cluster has its own processors and partitions.
func TestClusterAlone(t *testing.T) {
	c := &Cluster{Pools: []Pool{{Name: "all", Nodes: 2, Processors: 4}}}
	for name, cfg := range map[string]Config{
		"processors": {Cluster: c, Processors: 1},
		"sites":      {Cluster: c, Sites: map[int64]int64{1: 4}},
		"machines":   {Cluster: c, Machines: []Machine{{Processors: 4}}, Broker: sentTo{}},
		"broker":     {Cluster: c, Broker: sentTo{}},
	} {
		if _, err := NewSimulation(cfg, nil, nil); err == nil {
			t.Errorf("a cluster with %s passes", name)
		}
	}
	if _, err := NewSimulation(Config{Cluster: c}, nil, nil); err != nil {
		t.Error(err)
	}
}
