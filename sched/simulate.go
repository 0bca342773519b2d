package sched

import (
	"cmp"
	"fmt"
	"iter"
	"math"

	"github.com/loadstone-hpc/loadstone/internal/feedback"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Config is the machine that is simulated, or the machines.
type Config struct {
	Processors int64  // at least 1; a log's own number is Header.Processors
	Policy     Policy // nil is FCFS

	// Sites says that each partition of the log (Request.Partition; unknown is
	// one too) has a machine of its own, with the processors given here, else
	// with Processors. Where that is 0, jobs of other partitions are left out.
	// nil is one machine for the whole log.
	Sites map[int64]int64

	// Cluster is a machine of several resources in place of Processors and Sites,
	// which are 0 and nil then. Named says what the log calls a number of an
	// identifier's column (workload.ColPartition), false where it has no name; nil
	// is for none.
	Cluster *Cluster
	Named   func(col int, number int64) (string, bool)

	// Estimator is asked for run times where the policy uses estimates; nil is
	// UserEstimates. An estimate that proves too short is doubled until it is not.
	Estimator Estimator
	// Correct says that each completion corrects the estimates of jobs that
	// run or wait, as far as the estimator has learnt from it.
	Correct bool
	// Kill says that a job ends when it reaches the user's estimate.
	Kill bool

	// Feedback says that a job which waits for another (Request.Preceding) is
	// submitted when that has ended in the simulation and the think time
	// (Request.Think) has passed, and not before its own time in the log.
	Feedback bool

	// Warnings counts the jobs that were left out, under the rules
	// "no-submit-time", "no-size", "no-run-time", "larger-than-machine" and
	// "no-site-size", on a Cluster also
	// "no-partition" and "larger-than-machine-processors" (-gpus, -memory_kb, -nodes), and those killed ("killed") or without an estimate
	// ("no-estimate"). Under Feedback it counts jobs that wait for none although
	// the log says so ("preceding-missing", "think-time-long") and those left out
	// because what they wait for ends at no time ("preceding-never-ends"). It may
	// be nil.
	Warnings *workload.Warnings

	most int // jobs that run and wait on one machine; 0 is mostHeld
}

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
// for a later one, so that there are no cycles. A job without length can let
// others go at its own instant, which come after the starts then.
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
// order, a machine has no processor, no job can be simulated
// (workload.ErrNoJobs), more than 4 million run and wait at once on one machine
// (ErrTooMany), or the policy uses estimates and at the end no job has had one
// (ErrNoEstimates). After an error nothing follows.
func Simulate(jobs iter.Seq2[workload.Job, error], cfg Config, observer Observer) iter.Seq2[workload.Job, error] {
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
			m := s.admit(&j)
			if m == nil {
				continue
			}
			any = true
			if j.Submit < s.now {
				yield(workload.Job{}, fmt.Errorf("%s (row %d) is submitted at %g s, before the job that precedes it (%g s): sort the jobs by submission", j.Label(), j.Row+1, j.Submit, s.now))
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
			if !s.submit(m, &j, link) {
				return
			}
		}
		if !any {
			yield(workload.Job{}, fmt.Errorf("nothing to simulate on %s: %w with a submission time, a run time%s and a size that fits", s.machines(), workload.ErrNoJobs, s.partitions()))
			return
		}
		if !s.advance(math.Inf(1)) {
			return
		}
		if s.feedback != nil {
			s.feedback.Close()
		}
		if s.plans && !s.estimates.some {
			yield(workload.Job{}, fmt.Errorf("%w, which policy %s needs", ErrNoEstimates, s.cfg.Policy.Name()))
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
	s.yield(workload.Job{}, fmt.Errorf("%w: more than %d, at %s; want more processors, a lower load or a part of the log", ErrTooMany, most, j.Label()))
	return true
}

// ErrTooMany says that more jobs run and wait at once than are held in memory.
var ErrTooMany = fmt.Errorf("too many jobs run and wait at once on one machine")

// mostHeld is how many are: as many as the studies hold (study/allocate).
const mostHeld = 4_000_000

// ErrNoEstimates says that no job had an estimate of its run time.
var ErrNoEstimates = fmt.Errorf("no job has an estimate of its run time")

func (s *simulation) machines() string {
	switch {
	case s.cfg.Cluster != nil:
		return "the machine"
	case s.cfg.Sites == nil:
		return fmt.Sprintf("%d processors", s.cfg.Processors)
	}
	return "the sites' machines"
}

// partitions is what the message about no jobs says of them.
func (s *simulation) partitions() string {
	if s.cfg.Cluster != nil && len(s.cfg.Cluster.Partitions) > 0 {
		return ", a partition that it has"
	}
	return ""
}

// admit returns the machine of a job that can be simulated, nil for one that
// is left out and counted.
func (s *simulation) admit(j *workload.Job) *site {
	rule, text := Unfit(j)
	saw := ""
	if s.cfg.Cluster != nil {
		m := s.sites[0]
		if rule, text = m.machine.pools.unfit(j); rule == "" {
			return m
		}
	} else if rule == "" {
		m := s.at(j)
		switch {
		case m == nil:
			rule, text = "no-site-size", "jobs left out of the simulation: no machine is given for their partition"
		case j.Size <= m.machine.processors:
			return m
		default:
			rule, text = "larger-than-machine", "jobs left out of the simulation: they are larger than the machine"
			saw = fmt.Sprintf(" of %d processors, machine of %d", j.Size, m.machine.processors)
		}
	}
	if s.cfg.Warnings != nil {
		s.cfg.Warnings.Add(rule, text, 0, j.Label()+saw)
	}
	return nil
}

// Unfit says why no machine can be simulated with a job: the rule and the text
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
