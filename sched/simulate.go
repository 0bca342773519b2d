package sched

import (
	"cmp"
	"fmt"
	"iter"
	"math"
	"strings"

	"github.com/loadstone-hpc/loadstone/internal/feedback"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Simulate yields the jobs as they start, with Wait as simulated and all else
// as it was: under FCFS in their order. The jobs come by submission (see
// workload.InOrder). Each runs for Run seconds on Size processors; Run may be
// 0. A job that is killed has the shorter run time and workload.StatusFailed.
// The observer may be nil.
//
// At one instant finishes come first, then what estimates have proved too
// short, corrections, submissions in the log's order, and starts.
//
// Under Config.Feedback the jobs come by their submission in the log, Submit of
// those yielded is as simulated, and what the log says of a job without a
// Preceding that is simulated before it stays: a job never waits for itself or
// for a later one, so that there are no cycles. When a job of length 0
// ends, jobs held for it are submitted at that instant, after its starts.
//
// Left out and counted are jobs whose submission time is unknown, that have
// no size above 0 (Job.Size), whose run time is unknown or negative, and those
// that are larger than the machine, which could never start.
//
// Memory is that of the jobs that run and wait: some 300 bytes each. Under
// Config.Feedback it is also that of the jobs that are held back, as much each,
// some 80 bytes for each job that ended within the last week (LongestThink), and
// a bit for each job of the log (40 bytes where numbers have gaps of 64 and
// more).
//
// An error of the input is passed on. It is an error if the jobs are not in
// order (workload.ErrOrder), a machine has no processor, no job can be simulated
// (workload.ErrNoJobs, with the reasons), more than 4 million run and wait at once on one machine
// (ErrTooMany), the policy or the Broker leaves jobs waiting when no job runs and none
// will be submitted (ErrNeverStarts), or the policy uses estimates and at the end no job
// has had one (ErrNoEstimates). After an error nothing follows.
func Simulate(jobs iter.Seq2[workload.Job, error], cfg Config, observer *Observer) iter.Seq2[workload.Job, error] {
	return func(yield func(workload.Job, error) bool) {
		s, err := newSimulation(cfg, observer, yield)
		if err != nil {
			yield(workload.Job{}, err)
			return
		}
		any := false
		for j, err := range jobs {
			if err != nil {
				yield(workload.Job{}, err)
				return
			}
			if !s.admit(&j) {
				continue
			}
			any = true
			if s.observer.Admitted != nil {
				s.observer.Admitted(j)
			}
			if j.Submit < s.now {
				s.fail("%w", workload.OutOfOrder(&j, s.now))
				return
			}
			if j.Submit > s.now && !s.advance(j.Submit) {
				return
			}
			link := feedback.None
			if s.feedback != nil {
				held := false
				if link, held = s.feedback.Take(&j); held {
					if s.full(s.feedback.Held()-1, &j) {
						return
					}
					continue
				}
			}
			if !s.submit(&j, link) {
				return
			}
		}
		if !any {
			s.fail("nothing to simulate: %w with a submission time, a run time and a size that fits%s", workload.ErrNoJobs, s.reasons())
			return
		}
		if !s.advance(math.Inf(1)) {
			return
		}
		if s.feedback != nil {
			s.feedback.Close()
		}
		if s.plans && !s.estimates.some {
			s.fail("%w, which policy %s needs", ErrNoEstimates, s.cfg.Policy.Name())
		}
	}
}

// full says whether no more jobs can be held beside so many, which ends the
// simulation.
func (s *simulation) full(held int, j *workload.Job) bool {
	most := cmp.Or(s.cfg.most, mostHeld)
	if held < most {
		return false
	}
	return !s.fail("%w: more than %d, at %s; want more processors, a lower load or a part of the log", ErrTooMany, most, j.Label())
}

// ErrTooMany says that more jobs run and wait at once than are held in memory.
var ErrTooMany = fmt.Errorf("too many jobs run and wait at once on one machine")

// mostHeld is the most jobs that run and wait on one machine, as in study/allocate.
const mostHeld = 4_000_000

// ErrNoEstimates says that no job had an estimate of its run time.
var ErrNoEstimates = fmt.Errorf("no job has an estimate of its run time")

// reasons is what the message about no jobs says of those that were left out.
func (s *simulation) reasons() string {
	var all []string
	for _, w := range s.cfg.Warnings.List() {
		all = append(all, fmt.Sprintf("%d %s, first %s", w.Count, w.Rule, w.Saw))
	}
	if len(all) == 0 {
		return ""
	}
	return " (" + strings.Join(all, "; ") + ")"
}

// admit says whether a job can be simulated, and counts one that is left out.
func (s *simulation) admit(j *workload.Job) bool {
	rule, text, saw := s.unfit(j)
	if rule != "" {
		s.cfg.Warnings.Add(rule, text, 0, j.Label()+saw)
	}
	return rule == ""
}

// unfit says why a job cannot be simulated here: the rule and the text of a warning and
// what it saw, empty where it can.
func (s *simulation) unfit(j *workload.Job) (rule, text, saw string) {
	if s.cfg.Cluster != nil {
		m := &s.machines[0].machine
		if rule, text = m.unfit(j); rule == noPartition {
			saw = m.otherPartition(j.Partition)
		}
		return rule, text, saw
	}
	if rule, text = Unfit(j); rule != "" {
		return rule, text, ""
	}
	switch n := s.largest(j); {
	case n == 0:
		return "no-site-size", "jobs left out of the simulation: no machine is given for their partition", ""
	case j.Size > n:
		return "larger-than-machine", "jobs left out of the simulation: they are larger than the machine",
			fmt.Sprintf(" of %d processors, machine of %d", j.Size, n)
	}
	return "", "", ""
}

// largest returns the processors of the largest machine that a job may run on, 0
// where there is none.
func (s *simulation) largest(j *workload.Job) (n int64) {
	if s.cfg.Broker == nil {
		if m := s.at(j); m != nil {
			n = m.machine.capacity[Processors]
		}
		return n
	}
	for _, m := range s.machines {
		n = max(n, m.machine.capacity[Processors])
	}
	return n
}

// Unfit returns why no machine can be simulated with a job: the rule and the text
// of a warning, empty where one can. Such a job's submission or run time is
// unknown, infinite or, of the latter, negative, or it has no size above 0
// (workload.Job.Size).
func Unfit(j *workload.Job) (rule, text string) {
	switch {
	case math.IsNaN(j.Submit) || math.IsInf(j.Submit, 0):
		return "no-submit-time", "jobs left out: their submission time is unknown"
	case j.Size <= 0: // workload.Unknown too
		return "no-size", "jobs left out of the simulation: they have no size"
	case !(j.Run >= 0) || math.IsInf(j.Run, 1):
		return "no-run-time", "jobs left out of the simulation: their run time is unknown or negative"
	}
	return "", ""
}
