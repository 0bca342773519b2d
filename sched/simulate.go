package sched

import (
	"fmt"
	"iter"
	"math"

	"github.com/loadstone-hpc/loadstone/workload"
)

// Config is the machine that is simulated.
type Config struct {
	Processors int64  // at least 1; a log's own number is Header.Processors
	Policy     Policy // nil is FCFS
	// Warnings counts the jobs that were left out, under the rules
	// "no-submit-time", "no-size", "no-run-time" and
	// "larger-than-machine". It may be nil.
	Warnings *workload.Warnings
}

// Simulate yields the jobs as they start, with Wait as simulated and all else
// as it was: under FCFS in their order. The jobs come by submission (see
// workload.InOrder). Each runs for Run seconds on Size processors; Run may be
// 0. The observer may be nil.
//
// Left out and counted are jobs whose submission time is unknown, that have
// no size above 0 (Job.Size), whose run time is unknown or negative, and those
// that are larger than the machine, which could never start.
//
// An error of the input is passed on. It is an error if the jobs are not in
// order, the machine has no processor, or no job can be simulated
// (workload.ErrNoJobs). After an error nothing follows.
func Simulate(jobs iter.Seq2[workload.Job, error], cfg Config, observer Observer) iter.Seq2[workload.Job, error] {
	return func(yield func(workload.Job, error) bool) {
		if cfg.Processors < 1 {
			yield(workload.Job{}, fmt.Errorf("the simulated machine has %d processors, want at least 1", cfg.Processors))
			return
		}
		s := simulation{policy: cfg.Policy, observer: observer, yield: yield}
		if s.policy == nil {
			s.policy = FCFS{}
		}
		s.machine.processors, s.machine.free = cfg.Processors, cfg.Processors
		s.now = math.Inf(-1)
		any := false
		for j, err := range jobs {
			if err != nil {
				yield(workload.Job{}, err)
				return
			}
			if !usable(&j, cfg) {
				continue
			}
			any = true
			if j.Submit < s.now {
				yield(workload.Job{}, fmt.Errorf("%s (row %d) is submitted at %g s, before the job that precedes it (%g s): sort the jobs by submission", j.Label(), j.Row+1, j.Submit, s.now))
				return
			}
			if j.Submit > s.now {
				if !s.advance(j.Submit) {
					return
				}
			}
			s.queue.push(&j)
		}
		if !any {
			yield(workload.Job{}, fmt.Errorf("nothing to simulate on %d processors: %w with a submission time, a run time and a size that fits", cfg.Processors, workload.ErrNoJobs))
			return
		}
		s.advance(math.Inf(1))
	}
}

// usable says whether a job can be simulated, and counts it where not.
func usable(j *workload.Job, cfg Config) bool {
	var rule, text, saw string
	switch {
	case math.IsNaN(j.Submit) || math.IsInf(j.Submit, 0):
		rule, text, saw = "no-submit-time", "jobs left out: their submission time is unknown", j.Label()
	case j.Size <= 0: // workload.Unknown too
		rule, text, saw = "no-size", "jobs left out of the simulation: they have no size", j.Label()
	case !(j.Run >= 0) || math.IsInf(j.Run, 1):
		rule, text, saw = "no-run-time", "jobs left out of the simulation: their run time is unknown or negative", j.Label()
	case j.Size > cfg.Processors:
		rule, text = "larger-than-machine", "jobs left out of the simulation: they are larger than the machine"
		saw = fmt.Sprintf("%s of %d processors, machine of %d", j.Label(), j.Size, cfg.Processors)
	default:
		return true
	}
	if cfg.Warnings != nil {
		cfg.Warnings.Add(rule, text, 0, saw)
	}
	return false
}

// simulation is a state and what moves it.
type simulation struct {
	State
	policy   Policy
	observer Observer
	yield    func(workload.Job, error) bool
	blocked  bool // the observer knows of the head of the queue
}

// advance moves the time on: starts what can start now, then finishes and
// what starts at each, up to the finishes of the given instant. What starts
// at that instant waits for all its submissions.
func (s *simulation) advance(to float64) bool {
	if !s.start() {
		return false
	}
	for len(s.machine.running) > 0 && (s.machine.running[0].end < to || math.IsInf(to, 1)) {
		s.now = s.machine.running[0].end
		s.finish()
		if !s.start() {
			return false
		}
	}
	s.now = to
	s.finish()
	return true
}

// finish ends the jobs whose time has come.
func (s *simulation) finish() {
	for len(s.machine.running) > 0 && s.machine.running[0].end <= s.now {
		s.machine.release()
	}
}

// start starts the jobs that the policy chooses.
func (s *simulation) start() bool {
	for s.queue.n > 0 {
		i, ok := s.policy.next(&s.State)
		if !ok {
			if s.observer != nil && !s.blocked {
				s.blocked = true
				s.observer.Blocked(&s.queue.at(0).Request, &s.State)
			}
			return true
		}
		j := *s.queue.at(i)
		s.queue.remove(i)
		if i == 0 {
			s.blocked = false
		}
		j.Wait = s.now - j.Submit
		end := s.now + j.Run
		held := s.machine.place(&j.Request, s.now, end)
		if s.observer != nil {
			s.observer.Started(held, &s.State)
		}
		if end <= s.now {
			s.finish() // before the next start of this instant
		}
		if !s.yield(j, nil) {
			return false
		}
	}
	return true
}
