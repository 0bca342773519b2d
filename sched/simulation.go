package sched

import (
	"fmt"
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/internal/feedback"
	"github.com/loadstone-hpc/loadstone/workload"
)

// simulation is the machines and what moves them.
type simulation struct {
	cfg       Config
	plans     bool // the policy uses estimates
	estimates estimates
	relater   Relater // nil where the estimator is none
	observer  Observer
	settler   Settler        // nil where the observer is none
	delayer   Delayer        // nil where the observer is none
	feedback  *feedback.Loop // nil where the simulation is open
	yield     func(workload.Job, error) bool

	sites  []*site
	number map[int64]*site // by partition
	wakes  wakes           // of more than one site
	active []*site         // where something happened at this instant
	ended  []workload.Job  // at this instant, where estimates are corrected
	now    float64
}

// site is one machine.
type site struct {
	State
	planner planner
	blocked int32   // slot of the head that the observer knows to wait, -1
	active  bool    // it is in simulation.active
	index   int     // in simulation.sites
	wake    float64 // its newest time in simulation.wakes
}

func newSimulation(cfg Config, observer Observer, yield func(workload.Job, error) bool) (*simulation, error) {
	if cfg.Policy == nil {
		cfg.Policy = FCFS{}
	}
	if cfg.Estimator == nil {
		cfg.Estimator = UserEstimates{}
	}
	if cfg.Cluster != nil {
		if err := cfg.Cluster.Validate(); err != nil {
			return nil, err
		}
		cfg.Processors = cfg.Cluster.Capacity(Processors)
	} else if cfg.Processors < 1 && (cfg.Sites == nil || cfg.Processors < 0) {
		return nil, fmt.Errorf("the simulated machine has %d processors, want at least 1", cfg.Processors)
	}
	for partition, n := range cfg.Sites {
		if n < 1 {
			return nil, fmt.Errorf("the simulated machine of partition %d has %d processors, want at least 1", partition, n)
		}
	}
	s := &simulation{
		cfg: cfg, plans: cfg.Policy.UsesEstimates(), estimates: estimates{Estimator: cfg.Estimator, warnings: cfg.Warnings},
		observer: observer, yield: yield, now: math.Inf(-1),
	}
	s.relater, _ = cfg.Estimator.(Relater)
	s.settler, _ = observer.(Settler)
	s.delayer, _ = observer.(Delayer)
	if cfg.Feedback {
		s.feedback = feedback.New(cfg.Warnings)
	}
	if cfg.Sites == nil {
		s.open(workload.Unknown, cfg.Processors)
	} else {
		s.number = map[int64]*site{}
	}
	return s, nil
}

func (s *simulation) open(partition, processors int64) *site {
	m := &site{blocked: -1, index: len(s.sites), wake: math.Inf(1)}
	m.site = partition
	m.machine.processors, m.machine.free = processors, processors
	if s.cfg.Cluster != nil {
		m.machine.pools = newPools(s.cfg.Cluster, s.cfg.Named)
	}
	m.planner = s.cfg.Policy.planner(m.machine.pools)
	m.queue.order = s.cfg.Policy.order()
	s.sites = append(s.sites, m)
	return m
}

// at returns the machine of a job, nil where there is none.
func (s *simulation) at(j *workload.Job) *site {
	if s.number == nil {
		return s.sites[0]
	}
	m, ok := s.number[j.Partition]
	if !ok {
		n, given := s.cfg.Sites[j.Partition]
		if !given {
			n = s.cfg.Processors
		}
		if n > 0 {
			m = s.open(j.Partition, n)
		}
		s.number[j.Partition] = m
	}
	return m
}

// submit puts a job into its queue, at its submission. It is false where there
// are too many.
func (s *simulation) submit(m *site, j *workload.Job, link int32) bool {
	if s.full(m.jobs.Len(), j) {
		return false
	}
	if s.cfg.Kill && isEstimate(j.Time) && j.Run > j.Time {
		j.Run, j.Status = j.Time, workload.StatusFailed
		if j.CPUTime > j.Run {
			j.CPUTime = j.Run
		}
		if s.cfg.Warnings != nil {
			s.cfg.Warnings.Add("killed", "jobs killed at the user's estimate: their run time is cut", 0, j.Label())
		}
	}
	m.now = s.now
	estimate := 0.0
	if s.plans {
		estimate = s.estimates.first(j)
	}
	slot := m.hold(j, estimate)
	m.jobs.At(slot).link = link
	size := j.Size
	if m.machine.pools != nil {
		size = m.machine.pools.ask(slot, j)
	}
	m.queue.push(entry{size, estimate, 0, slot, 0}, &m.jobs)
	m.planner.submitted(&m.State, slot)
	s.activate(m)
	return true
}

func (s *simulation) activate(m *site) {
	if !m.active {
		m.active = true
		s.active = append(s.active, m)
	}
}

// advance moves the time on: starts what can start now, then finishes, jobs that
// were held back, and what starts at each instant, up to the finishes and the
// held back jobs of the given one. What starts at that instant waits for all its
// submissions.
func (s *simulation) advance(to float64) bool {
	for {
		if !s.start() {
			return false
		}
		t := min(s.soonest(), s.feedback.First())
		if t > to || (math.IsInf(t, 1) && !s.busy()) {
			s.now = to
			return true
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

// due is when something is to happen on the machine: a job ends, or has used
// up its estimate.
func (m *site) due() float64 {
	if len(m.machine.running) == 0 {
		return math.Inf(1)
	}
	return min(m.machine.running[0].At, m.ends.first())
}

// soonest is when something is to happen next on any machine.
func (s *simulation) soonest() float64 {
	if s.number == nil {
		return s.sites[0].due()
	}
	return s.wakes.first(s.sites)
}

// busy says whether a job runs on any machine.
func (s *simulation) busy() bool {
	return slices.ContainsFunc(s.sites, func(m *site) bool { return len(m.machine.running) > 0 })
}

// finish ends the jobs whose time has come.
func (s *simulation) finish() {
	switch {
	case s.number == nil:
		s.finishAt(s.sites[0])
	case math.IsInf(s.now, 1): // an end beyond what float64 holds wakes nobody
		for _, m := range s.sites {
			s.finishAt(m)
		}
	default:
		for s.wakes.first(s.sites) <= s.now {
			s.finishAt(s.sites[s.wakes.pop()])
		}
	}
	if len(s.ended) > 0 {
		s.correct()
	}
}

// finishAt does so on one machine, and prolongs the estimates that have proved
// too short.
func (s *simulation) finishAt(m *site) {
	m.now = s.now
	s.activate(m)
	s.release(m)
	revised := false
	for len(m.ends.chunks) > 0 && m.ends.first() <= s.now {
		e := m.ends.chunks[0].list[0]
		j := m.jobs.At(e.slot)
		s.expect(m, e.slot, prolonged(j.start, j.estimate, s.now))
		revised = true
	}
	if revised {
		m.planner.revised(&m.State)
	}
}

// release gives back the processors of the jobs that end now.
func (s *simulation) release(m *site) {
	for len(m.machine.running) > 0 && m.machine.running[0].At <= s.now {
		o := m.machine.release()
		if s.plans {
			j := m.jobs.At(o.slot)
			m.leaves(o.slot, j)
			s.estimates.Observe(j.job)
			if s.cfg.Correct {
				s.ended = append(s.ended, j.job)
			}
		}
		if s.feedback != nil {
			s.feedback.Finished(m.jobs.At(o.slot).link, s.now)
		}
		m.planner.finished(&m.State, o.slot)
		m.jobs.Free(o.slot)
	}
}

// expect gives a running job another estimate.
func (s *simulation) expect(m *site, slot int32, estimate float64) {
	j := m.jobs.At(slot)
	m.leaves(slot, j)
	j.estimate, j.expected = estimate, j.start+estimate
	m.enters(slot, j)
}

// start starts the jobs that the policies choose, where something happened.
func (s *simulation) start() bool {
	for i := 0; i < len(s.active); i++ {
		m := s.active[i]
		m.active = false
		if !s.startAt(m) {
			return false
		}
		if s.settler != nil {
			s.settler.Settled(&m.State)
		}
		if s.number != nil {
			s.wakes.set(m)
		}
	}
	s.active = s.active[:0]
	return true
}

func (s *simulation) startAt(m *site) bool {
	for m.queue.n > 0 {
		c, ok := m.planner.next(&m.State)
		if !ok {
			if s.observer != nil {
				head := m.queue.at(m.queue.first()).slot
				if head != m.blocked {
					m.blocked = head
					s.observer.Blocked(&m.jobs.At(head).job.Request, &m.State)
				}
			}
			return true
		}
		e := m.queue.at(c)
		slot, pool := e.slot, e.pool
		m.queue.remove(c)
		if slot == m.blocked {
			m.blocked = -1
		}
		h := m.jobs.At(slot)
		h.job.Wait = s.now - h.job.Submit
		h.start = s.now
		end := s.now + h.job.Run
		h.seq = m.machine.place(slot, pool, h.job.Size, end)
		if s.plans {
			h.expected = s.now + h.estimate
			m.enters(slot, h)
		}
		if s.observer != nil {
			s.observer.Started(&h.job.Request, &m.State)
		}
		j := h.job
		if end <= s.now { // before the next start of this instant
			s.release(m)
			if len(s.ended) > 0 {
				s.correct()
			}
		}
		if !s.yield(j, nil) {
			return false
		}
	}
	return true
}
