package sched

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/internal/feedback"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Simulation holds one or more machines, the jobs that run and wait on them, and the
// present time. Simulate feeds it a log. A caller that decides during the simulation what
// comes next steps it: Submit adds a job now, Advance moves to a later time.
type Simulation struct {
	clock
	cfg       Config
	plans     bool // the policy uses estimates
	estimates estimates
	relater   Relater // nil where the estimator is none
	observer  Observer
	settler   Settler        // nil where the observer is none
	delayer   Delayer        // nil where the observer is none
	admitter  Admitter       // the same
	recorder  Recorder       // nil where the observer is none
	feedback  *feedback.Loop // nil where the simulation is open
	started   func(workload.Job, error) bool

	machines  []*State
	number    map[int64]*State // by partition, under Config.Sites
	submitted int64
	wakes     wakes          // of more than one machine
	active    []*State       // where something happened at this instant
	ended     []workload.Job // at this instant, where estimates are corrected
	gone      []int32        // slots of the jobs that end at this instant, under a Broker
	over      bool           // the simulation has ended
}

// NewSimulation returns a Simulation at time -Inf. started is called with each job as it
// starts, with its simulated Wait, and with the error that ends the simulation; if it
// returns false the simulation ends. After its end started is not called. The observer and
// started may be nil: Submit and Advance return false after an error too. The errors are
// those that Simulate documents for its Config.
func NewSimulation(cfg Config, observer Observer, started func(workload.Job, error) bool) (*Simulation, error) {
	if cfg.Policy == nil {
		cfg.Policy = FCFS{}
	}
	if cfg.Warnings == nil {
		cfg.Warnings = new(workload.Warnings) // an error gives reasons from them
	}
	if started == nil {
		started = func(workload.Job, error) bool { return true }
	}
	s := &Simulation{
		cfg: cfg, plans: cfg.Policy.UsesEstimates(), observer: observer, started: started,
		estimates: estimates{Estimator: cfg.Estimator, warnings: cfg.Warnings},
	}
	if cfg.Estimator == nil {
		s.estimates.Estimator = UserEstimates{}
	}
	s.now = math.Inf(-1)
	s.relater, _ = cfg.Estimator.(Relater)
	s.settler, _ = observer.(Settler)
	s.delayer, _ = observer.(Delayer)
	s.admitter, _ = observer.(Admitter)
	s.recorder, _ = observer.(Recorder)
	if cfg.Feedback {
		s.feedback = feedback.New(cfg.Warnings)
	}
	if err := cfg.validate(); err != nil {
		return nil, err
	}
	switch {
	case cfg.Cluster != nil:
		s.open(workload.Unknown, Machine{})
	case cfg.Machines != nil:
		for _, m := range cfg.Machines {
			s.open(workload.Unknown, m)
		}
	case cfg.Sites != nil:
		s.number = map[int64]*State{}
	default:
		s.open(workload.Unknown, Machine{cfg.Processors, 1})
	}
	return s, nil
}

func (s *Simulation) open(partition int64, of Machine) *State {
	m := &State{clock: &s.clock, site: partition, speed: cmp.Or(of.Speed, 1), blocked: -1, index: len(s.machines), wake: math.Inf(1)}
	cluster := s.cfg.Cluster
	if cluster == nil {
		cluster = &Cluster{Pools: []Pool{{Processors: of.Processors}}}
	}
	m.machine = newMachine(cluster, s.cfg.Named)
	m.machine.plain = s.cfg.Cluster == nil
	m.planner = s.cfg.Policy.Planner(m)
	m.follower, _ = m.planner.(Follower)
	m.queue.order = orderOf(s.cfg.Policy)
	s.machines = append(s.machines, m)
	return m
}

// at returns the machine of a job that no Broker sends, nil where there is none.
func (s *Simulation) at(j *workload.Job) *State {
	if s.number == nil {
		return s.machines[0]
	}
	m, ok := s.number[j.Partition]
	if !ok {
		n, given := s.cfg.Sites[j.Partition]
		if !given {
			n = s.cfg.Processors
		}
		if n > 0 {
			m = s.open(j.Partition, Machine{n, 1})
		}
		s.number[j.Partition] = m
	}
	return m
}

// many reports whether there may be several machines.
func (s *Simulation) many() bool { return s.number != nil || len(s.machines) > 1 }

// Machines returns the machines: those of Config.Machines in their order, under
// Config.Sites those that have had a job.
func (s *Simulation) Machines() []*State { return s.machines }

// Now returns the time, in seconds.
func (s *Simulation) Now() float64 { return s.now }

// Submit adds a job at the present time; Advance starts it, at this instant at the
// earliest. Its Wait counts from its Submit, which is Now, or earlier for a job that has
// waited already; Config.Feedback does not hold it back.
//
// The job must be one that Simulate does not leave out: its Submit known, its Run finite
// and at least 0, its Size at least 1 and not above the machine's. Any other ends the
// simulation with an error that wraps ErrUnfit; a caller that wants to leave such jobs out
// asks Unfit first and compares their Size with the machine. A job whose Submit is later
// than Now, which is -Inf before the first Advance, ends it with an error that wraps
// workload.ErrOrder. Submit returns false if the simulation has ended.
func (s *Simulation) Submit(j *workload.Job) bool {
	if s.over {
		return false
	}
	if rule, _, saw := s.unfit(j); rule != "" {
		return s.fail("%w: %s%s (%s)", ErrUnfit, j.Label(), saw, rule)
	}
	if j.Submit > s.now {
		return s.fail("%s is %w: its submission at %g s is after the present, %g s; advance to it first", j.Label(), workload.ErrOrder, j.Submit, s.now)
	}
	return s.submit(j, feedback.None)
}

// ErrUnfit says that a job which Submit was given cannot be simulated. The error names the
// rule by which Simulate leaves such a job out (Config.Warnings).
var ErrUnfit = errors.New("a job cannot be simulated")

func (s *Simulation) submit(j *workload.Job, link int32) bool {
	if s.full(s.jobs.Len(), j) {
		return false
	}
	if s.cfg.Kill && isEstimate(j.Time) && j.Run > j.Time {
		j.Run, j.Status = j.Time, workload.StatusFailed
		if j.CPUTime > j.Run {
			j.CPUTime = j.Run
		}
		s.cfg.Warnings.Add("killed", "jobs killed at the user's estimate: their run time is cut", 0, j.Label())
	}
	h := held{job: *j, number: s.submitted, link: link}
	if s.plans {
		h.estimate = s.estimates.first(j)
	} else if s.cfg.Broker != nil && s.cfg.Estimator == (Perfect{}) {
		h.estimate = j.Run
	}
	s.submitted++
	slot := s.jobs.Put(&h)
	x := s.jobs.At(slot)
	x.slot = slot
	if s.cfg.Broker == nil {
		s.send(s.at(j), x)
		return true
	}
	to := s.cfg.Broker.Submit(x.task(), s.machines)
	return to == Hold || s.dispatch(slot, to)
}

// send puts a job into a machine's queue.
func (s *Simulation) send(m *State, h *held) {
	h.machine, h.estimate = int32(m.index), h.estimate/m.speed
	size, among := m.machine.claim(h.slot, &h.job)
	m.queue.push(entry{size: size, estimate: h.estimate, among: among, slot: h.slot}, &s.jobs)
	if m.follower != nil {
		m.follower.Submitted(m, h.slot)
	}
	if s.recorder != nil {
		s.recorder.Submitted(h.task(), m)
	}
	s.activate(m)
}

func (s *Simulation) activate(m *State) {
	if !m.active {
		m.active = true
		s.active = append(s.active, m)
	}
}

// Advance moves the time on to the given one, in seconds. It starts the jobs that can start
// now, then processes each instant: finishes, submissions that were held back, starts. At
// the last instant it leaves the starts to the next call, because more jobs may be submitted
// at it. Advance to Now starts these.
//
// +Inf runs all jobs to their end, and the simulation is over then; jobs that still wait are
// an error (ErrNeverStarts). A time that is NaN or before Now is an error that wraps
// workload.ErrOrder. Advance returns false if the simulation had ended before, by +Inf too,
// or ends by an error or because started returns false.
func (s *Simulation) Advance(to float64) bool {
	if s.over {
		return false
	}
	if !(to >= s.now) {
		return s.fail("the time to advance to is %w: %g s, want %g s, the present, or later", workload.ErrOrder, to, s.now)
	}
	for {
		if !s.start() {
			return false
		}
		t := s.Next()
		if t > to || (math.IsInf(t, 1) && !s.busy()) {
			s.now = to
			s.over = math.IsInf(to, 1)
			return !s.over || s.allStarted()
		}
		s.now = t
		s.finish()
		if !s.arrive() {
			return false
		}
		if t == to && !math.IsInf(to, 1) {
			return true
		}
	}
}

// Next returns the time of the next event, in seconds, +Inf if there is none: a job ends, has
// used up its estimate, or was held back and is submitted.
func (s *Simulation) Next() float64 {
	next := s.feedback.First()
	if s.many() {
		return min(next, s.wakes.first(s.machines))
	}
	return min(next, s.machines[0].due())
}

// due returns the time at which the next job of the machine ends or uses up its estimate.
func (m *State) due() float64 {
	if len(m.machine.running) == 0 {
		return math.Inf(1)
	}
	due := m.machine.running[0].At
	for i := range m.machine.pools {
		due = min(due, m.machine.pools[i].ends.first())
	}
	return due
}

// busy reports whether a job runs on any machine.
func (s *Simulation) busy() bool {
	return slices.ContainsFunc(s.machines, func(m *State) bool { return len(m.machine.running) > 0 })
}

// fail ends the simulation with an error.
func (s *Simulation) fail(format string, args ...any) bool {
	s.over = true
	s.started(workload.Job{}, fmt.Errorf(format, args...))
	return false
}
