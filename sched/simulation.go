package sched

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/internal/feedback"
	"github.com/loadstone-hpc/loadstone/workload"
)

// simulation is the state of a simulation: one or more machines, their running and waiting
// jobs, and the present time.
type simulation struct {
	clock
	cfg       Config
	plans     bool // the policy uses estimates
	estimates estimates
	relater   Relater // nil if the estimator does not implement it
	observer  Observer
	feedback  *feedback.Loop // nil if the simulation is open
	started   func(workload.Job, error) bool

	machines  []*State
	number    map[int64]*State // by partition, under Config.Sites; nil for a site without a machine
	submitted int64            // number of submissions so far
	active    []*State         // machines with events at this instant
	ended     []workload.Job   // jobs that ended at this instant, under Config.Correct
	gone      []int32          // slots of the jobs that ended at this instant, under a Broker
}

// newSimulation returns a simulation at time -Inf. started is called with each job as it
// starts, with its simulated Wait, and with the error that ends the simulation; if it
// returns false the simulation ends.
func newSimulation(cfg Config, observer *Observer, started func(workload.Job, error) bool) (*simulation, error) {
	if cfg.Policy == nil {
		cfg.Policy = FCFS{}
	}
	cfg.Warnings = cmp.Or(cfg.Warnings, new(workload.Warnings)) // reasons needs them
	if cfg.Estimator == nil {
		cfg.Estimator = UserEstimates{}
	}
	s := &simulation{
		cfg: cfg, plans: cfg.Policy.UsesEstimates(), started: started,
		estimates: estimates{Estimator: cfg.Estimator, warnings: cfg.Warnings},
	}
	s.now = math.Inf(-1)
	s.relater, _ = cfg.Estimator.(Relater)
	if observer != nil {
		s.observer = *observer
	}
	if cfg.Feedback {
		s.feedback = feedback.New(cfg.Warnings)
	}
	if err := cfg.validate(); err != nil {
		return nil, err
	}
	switch {
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

// open adds an empty machine.
func (s *simulation) open(partition int64, of Machine) *State {
	m := &State{clock: &s.clock, site: partition, speed: cmp.Or(of.Speed, 1), blocked: -1, index: len(s.machines), wake: math.Inf(1)}
	cluster := s.cfg.Cluster
	if cluster == nil {
		cluster = &Cluster{Pools: []Pool{{Processors: of.Processors}}}
	}
	m.machine = newMachine(cluster, s.cfg.Named)
	m.planner = s.cfg.Policy.Planner(m)
	m.follower, _ = m.planner.(Follower)
	m.queue.order = orderOf(s.cfg.Policy)
	s.machines = append(s.machines, m)
	return m
}

// at returns the machine of a job in a simulation without a Broker, or nil if the job's site
// has no machine.
func (s *simulation) at(j *workload.Job) *State {
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

func (s *simulation) submit(j *workload.Job, link int32) bool {
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
	slot := s.jobs.Put(&held{job: *j, number: s.submitted, link: link})
	h := s.jobs.At(slot)
	h.slot = slot
	if s.plans {
		h.estimate = s.estimates.first(&h.job)
	} else if s.cfg.Broker != nil && s.cfg.Estimator == (Perfect{}) {
		h.estimate = j.Run
	}
	s.submitted++
	if s.cfg.Broker == nil {
		s.send(s.at(j), h)
		return true
	}
	to := s.cfg.Broker.Submit(h.task(), s.machines)
	return to == Hold || s.dispatch(slot, to)
}

// send puts a job into a machine's queue.
func (s *simulation) send(m *State, h *held) {
	h.machine, h.estimate = int32(m.index), h.estimate/m.speed
	c := m.machine.claim(&h.job)
	m.queue.push(entry{size: c.least, estimate: h.estimate, among: c.among, claim: c, slot: h.slot}, &s.jobs)
	if m.follower != nil {
		m.follower.Submitted(m, h.slot)
	}
	if s.observer.Submitted != nil {
		s.observer.Submitted(h.task(), m)
	}
	s.activate(m)
}

// activate records that there was an event on a machine, so that start asks its planner.
func (s *simulation) activate(m *State) {
	if !m.active {
		m.active = true
		s.active = append(s.active, m)
	}
}

// advance moves the time to the given one, in seconds, which must be later than now. It starts
// the jobs that can start now, then processes each instant: finishes, submissions that were
// held back, starts. At the last instant it leaves the starts to the next call, because more
// jobs may be submitted then. If to is +Inf, it runs all jobs to their end; jobs that still
// wait are an error (ErrNeverStarts). It returns false if the simulation has ended.
func (s *simulation) advance(to float64) bool {
	for {
		if !s.start() {
			return false
		}
		t := s.next()
		if t > to || (math.IsInf(t, 1) && !s.busy()) {
			s.now = to
			return !math.IsInf(to, 1) || s.allStarted()
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

// next returns the time of the next event in seconds, or +Inf if there is none. The events are
// the end of a job, the end of an estimate, and the submission of a job that was held back.
func (s *simulation) next() float64 {
	next := s.feedback.First()
	for _, m := range s.machines {
		next = min(next, m.wake)
	}
	return next
}

// due returns the time at which the next job of the machine ends or reaches its estimate.
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
func (s *simulation) busy() bool {
	return slices.ContainsFunc(s.machines, func(m *State) bool { return len(m.machine.running) > 0 })
}

// fail ends the simulation with an error. It returns false.
func (s *simulation) fail(format string, args ...any) bool {
	s.started(workload.Job{}, fmt.Errorf(format, args...))
	return false
}
