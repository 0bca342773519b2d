package sched

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/workload"
)

// sentTo is a Broker that sends all jobs to one machine, or holds them all.
type sentTo struct {
	Sender
	to int
}

func (b sentTo) Submit(Task, []*State) int { return b.to }

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

// stepped is a simulation that is advanced, with the starts and errors that it has reported.
type stepped struct {
	*Simulation
	starts []float64
	faults []error
}

func advanced(t *testing.T, cfg Config) *stepped {
	x := &stepped{}
	s, err := NewSimulation(cfg, nil, func(j workload.Job, err error) bool {
		if err != nil {
			x.faults = append(x.faults, err)
		} else {
			x.starts = append(x.starts, j.Start())
		}
		return err == nil
	})
	if err != nil {
		t.Fatal(err)
	}
	x.Simulation = s
	return x
}

// A machine of 4 that is stepped: A (3, 10 s) starts at 5. B (2, 1 s) is submitted at 8 and
// waits. Nothing happens before 15, when A ends and B starts; B ends at 16. C was submitted
// before the time at which it is handed over.
func TestSteps(t *testing.T) {
	s := advanced(t, Config{Processors: 4})
	a, b, c := job(5, 10, 3), job(8, 1, 2), job(-5, 1, 4)
	if !math.IsInf(s.Next(), 1) || !s.Advance(5) || !s.Submit(&a) || !s.Advance(8) || !s.Submit(&b) || !s.Advance(8) {
		t.Fatal("it ended")
	}
	if m := s.Machines()[0]; m.Queued() != 1 || m.Free() != 1 || s.Now() != 8 || s.Next() != 15 {
		t.Errorf("%d wait, %d free at %g, next at %g, want 1, 1 at 8, next at 15", m.Queued(), m.Free(), s.Now(), s.Next())
	}
	s.Submit(&c)
	s.Advance(15)
	s.Advance(s.Now()) // what starts at 15 waits for all its submissions
	if s.Next() != 16 || !s.Advance(math.Inf(1)) || fmt.Sprint(s.starts) != "[5 15 16]" {
		t.Errorf("started at %v, want 5, 15 and 16", s.starts)
	}
	if s.Submit(&b) || s.Advance(20) || s.Advance(math.Inf(1)) || len(s.faults)+len(s.starts) != 3 {
		t.Error("it goes on after its end")
	}
}

// Nobody need be told of starts, and who is may stop.
func TestStepsStopped(t *testing.T) {
	for _, started := range []func(workload.Job, error) bool{nil, func(workload.Job, error) bool { return false }} {
		s, err := NewSimulation(Config{Processors: 4}, nil, started)
		if err != nil {
			t.Fatal(err)
		}
		a := job(5, 10, 3)
		if !s.Advance(5) || !s.Submit(&a) || s.Advance(6) != (started == nil) || started == nil && s.Next() != 15 {
			t.Errorf("next at %g, want the end at 15", s.Next())
		}
	}
}

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

// backwards is a Broker that sends the first job to the last machine and so on, and notes the
// order of the ends.
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
	for _, err := range Simulate(stream(jobs), Config{Machines: []Machine{{Processors: 4}, {Processors: 4}, {Processors: 4}}, Broker: backwards{ended: &ended}}, nil) {
		if err != nil {
			t.Fatal(err)
		}
	}
	if fmt.Sprint(ended) != "[1 2 3]" {
		t.Errorf("jobs %v have ended, want 1, 2 and 3", ended)
	}
}

// What cannot be simulated ends a simulation that stands at 10 s on 4 processors with one
// error, and what runs neither hangs nor goes on.
func TestRefusals(t *testing.T) {
	inf := math.Inf(1)
	submit := func(jobs ...workload.Job) func(*stepped) bool {
		return func(s *stepped) bool {
			for i := range jobs {
				jobs[i].ID = int64(i + 1)
				if !s.Submit(&jobs[i]) {
					return false
				}
			}
			return s.Advance(inf)
		}
	}
	advance := func(to float64) func(*stepped) bool {
		return func(s *stepped) bool { return s.Advance(to) }
	}
	log := submit(job(0, 5, 1), job(1, 5, 3), job(2, 5, 2), job(3, 5, 4))
	plain := Config{Processors: 4}
	machines := []Machine{{Processors: 4}}
	for name, c := range map[string]struct {
		cfg    Config
		do     func(*stepped) bool
		starts int
		cause  error
		want   string
	}{
		"no run time":           {plain, submit(job(10, nan, 1)), 0, ErrUnfit, ""},
		"infinite run time":     {plain, submit(job(10, inf, 1)), 0, ErrUnfit, ""},
		"negative run time":     {plain, submit(job(10, -5, 1)), 0, ErrUnfit, ""},
		"no submission":         {plain, submit(job(nan, 5, 1)), 0, ErrUnfit, ""},
		"infinite past":         {plain, submit(job(-inf, 5, 1)), 0, ErrUnfit, ""},
		"infinite submission":   {plain, submit(job(inf, 5, 1)), 0, ErrUnfit, ""},
		"size 0":                {plain, submit(job(10, 5, 0)), 0, ErrUnfit, ""},
		"unknown size":          {plain, submit(job(10, 5, workload.Unknown)), 0, ErrUnfit, ""},
		"the zero job":          {plain, submit(workload.Job{}), 0, ErrUnfit, ""},
		"larger than all":       {plain, submit(job(10, 5, 5)), 0, ErrUnfit, ""},
		"not yet submitted":     {plain, submit(job(10.5, 5, 1)), 0, workload.ErrOrder, ""},
		"larger, under easy":    {Config{Processors: 4, Policy: EASY{}}, submit(job(10, 5, 5)), 0, ErrUnfit, ""},
		"no such site":          {Config{Sites: map[int64]int64{1: 4}}, submit(job(0, 5, 5)), 0, ErrUnfit, ""},
		"larger than a machine": {Config{Machines: machines, Broker: sentTo{}}, submit(job(0, 5, 5)), 0, ErrUnfit, ""},
		"time goes back":        {plain, advance(5), 0, workload.ErrOrder, ""},
		"infinitely":            {plain, advance(-inf), 0, workload.ErrOrder, ""},
		"to no time":            {plain, advance(nan), 0, workload.ErrOrder, ""},
		// Jobs that no policy or broker has started when nothing runs any more are an
		// error, and not a shorter schedule.
		"never starts":     {Config{Processors: 4, Policy: narrow{}}, log, 2, ErrNeverStarts, "policy narrow leaves 2 jobs waiting with the machine empty; the first is job 2 of 3 processors"},
		"nor on a site":    {Config{Processors: 4, Sites: map[int64]int64{}, Policy: narrow{}}, log, 2, ErrNeverStarts, "leaves 2 jobs waiting"},
		"is held":          {Config{Machines: machines, Broker: sentTo{to: Hold}}, log, 0, ErrNeverStarts, "the broker holds 4 jobs that it does not release"},
		"without planners": {Config{Processors: 4, Policy: planless{}}, log, 0, nil, "policy planless returns no Planner"},
	} {
		s := advanced(t, c.cfg)
		if !s.Advance(10) {
			t.Fatal("it ended")
		}
		next := job(10, 1, 1)
		if c.do(s) || s.Submit(&next) || s.Advance(11) || s.Advance(inf) {
			t.Errorf("%s: it goes on", name)
		}
		if len(s.faults) != 1 || c.cause != nil && !errors.Is(s.faults[0], c.cause) || !strings.Contains(s.faults[0].Error(), c.want) || len(s.starts) != c.starts {
			t.Errorf("%s: errors %v and %d starts, want one of %q with %q and %d", name, s.faults, len(s.starts), c.cause, c.want, c.starts)
		}
	}
}

// Machines that contradict each other are refused.
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
		if _, err := NewSimulation(cfg, nil, nil); err == nil {
			t.Errorf("%s passes", name)
		}
	}
}
