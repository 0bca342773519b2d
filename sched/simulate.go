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

// Simulate yields each job when it starts, with Wait as simulated and all other
// fields unchanged; under FCFS this is the order of the input. The jobs must be in
// order of submission (see workload.InOrder). Each runs for Run seconds on Size
// processors; Run may be 0. A job that is killed has the shorter run time and
// workload.StatusFailed. The observer may be nil.
//
// At one instant finishes come first, then the doubling of estimates that have proved
// too short, corrections, submissions in the log's order, and starts.
//
// Under Config.Feedback the jobs must be in order of their submission in the log, and
// the yielded jobs have the simulated Submit. A job without a Preceding, or whose
// Preceding is not simulated before it, keeps its submission in the log: a job never
// waits for itself or for a later one, so there are no cycles. When a job of length 0
// ends, the jobs held for it are submitted at that instant, after its starts.
//
// Jobs are left out, and counted, if their submission time is unknown, if they have
// no size above 0 (Job.Size), if their run time is unknown or negative, or if they are
// larger than the machine and so could never start.
//
// Memory use is about 300 bytes for each running or waiting job. Under Config.Feedback
// there are as many bytes for each job that is held back, about 80 bytes for each job
// that ended within the last week (LongestThink), and a bit for each job of the log
// (40 bytes if job numbers have gaps of 64 or more).
//
// Errors of the input are passed on. Other errors are: the jobs are not in
// order (workload.ErrOrder); a machine has no processor; no job can be simulated
// (workload.ErrNoJobs, with the reasons); more than 4 million jobs run and wait at once on
// one machine (ErrTooMany); the policy or the Broker leaves jobs waiting when no job runs and
// none will be submitted (ErrNeverStarts); or the policy uses estimates and at the end no job
// has had one (ErrNoEstimates). The sequence ends after an error.
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

// full reports whether the given number of jobs is the limit. If so, it ends the simulation
// with an error for job j.
func (s *simulation) full(held int, j *workload.Job) bool {
	most := cmp.Or(s.cfg.most, mostHeld)
	if held < most {
		return false
	}
	return !s.fail("%w: more than %d, at %s; want more processors, a lower load or a part of the log", ErrTooMany, most, j.Label())
}

// ErrTooMany is the error if more jobs run and wait at once than are held in memory.
var ErrTooMany = fmt.Errorf("too many jobs run and wait at once on one machine")

// mostHeld is the largest number of running and waiting jobs on one machine, as in
// study/allocate.
const mostHeld = 4_000_000

// ErrNoEstimates is the error if the policy uses estimates but no job had one.
var ErrNoEstimates = fmt.Errorf("no job has an estimate of its run time")

// reasons returns the part of an error message that lists the warnings so far.
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

// admit reports whether a job can be simulated, and counts it in the warnings if not.
func (s *simulation) admit(j *workload.Job) bool {
	rule, text, saw := s.unfit(j)
	if rule != "" {
		s.cfg.Warnings.Add(rule, text, 0, j.Label()+saw)
	}
	return rule == ""
}

// unfit returns the rule, the text and details of a warning if a job cannot be simulated, and
// empty strings if it can.
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

// largest returns the number of processors of the largest machine on which a job may run,
// or 0 if there is none.
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

// Unfit returns the rule and the text of a warning if a job cannot be simulated on any
// machine, and empty strings if it can. Such a job has an unknown or infinite submission
// time, an unknown, infinite or negative run time, or no size above 0 (workload.Job.Size).
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
