package capacity

import (
	"context"
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/internal/opt"
	"github.com/loadstone-hpc/loadstone/sched"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// study is one call of Compute.
type study struct {
	o        *Options
	policies []sched.Policy
	machine  machine
	target   Target
	label    func(*workload.Job) string // returns the label of a job's class
	sets     []*jobSet                  // the log's jobs, those of eager users if they differ, then the twins
	// behaviours is the number of sets that are the log's jobs: 1, or 2 with eager users.
	behaviours int
	weeks      int
	logged     []float64 // waits in the log, s; NaN if unknown
	jobs       int64     // number of jobs simulated so far
}

// Compute finds the smallest machine on which the waits of a log's users would meet
// Options.Target, or simulates the time limits of Options.Vary.
//
// An invalid option is a *workload.OptionError; a machine of unknown size is
// workload.ErrNoMachine. It is an error if the log has no users, no estimates for a policy that
// plans with them, or less than four weeks, or if no machine meets the target.
func Compute(ctx context.Context, o Options) (*Result, error) {
	opt.Fill(&o)
	if o.Simulated == nil {
		o.Simulated = func() {}
	}
	s := &study{o: &o}
	target, limits, err := o.question()
	if err != nil {
		return nil, err
	}
	if limits != nil {
		o.Vary = varyProcessors
	}
	for _, name := range o.Policies {
		p, err := evaluate.PolicyNamed(name, nil)
		if err != nil {
			return nil, workload.OptionNamed("policies", err)
		}
		s.policies = append(s.policies, p)
	}
	s.target = target
	if s.label, err = o.labels(target); err != nil {
		return nil, err
	}
	if s.machine, err = o.machine(); err != nil {
		return nil, err
	}
	r := &Result{Schema: ResultSchema, Target: o.Target, Limit: s.target.Limit, Unit: s.machine.name, Today: s.machine.amount(s.machine.today), Level: Level, Twins: o.Twins}
	if err := s.read(ctx, o.Log, r); err != nil {
		return r, err
	}
	if err := s.addTwins(ctx, o.Log.Header); err != nil {
		return r, err
	}
	r.Weeks = s.weeks
	if labels := s.sets[0].classes; target.Class != "" && !slices.Contains(labels, target.Class) {
		return r, workload.OptionFault("target", target.Name, "a class that has jobs, such as %s", slices.Min(labels))
	}
	for i := range s.policies {
		if limits != nil {
			err = s.limits(ctx, limits, i, r)
		} else {
			err = s.answer(ctx, i, r)
		}
		if err != nil {
			return r, err
		}
	}
	return r, nil
}

// config returns the configuration of the simulation of a machine of a size under a policy.
func (s *study) config(size int64, policy int) sched.Config {
	c := sched.Config{Policy: s.policies[policy], Named: evaluate.NamesOf(s.o.Log)}
	if s.machine.cluster != nil {
		c.Cluster = s.machine.scaled(size)
	} else {
		c.Processors = size
	}
	return c
}

// answer finds the smallest machine under a policy, and adds it to the result with its curve.
func (s *study) answer(ctx context.Context, policy int, r *Result) error {
	name := s.o.Policies[policy]
	x := &search{study: s, policy: policy, target: s.target, curves: make([]curve, len(s.sets))}
	a := Answer{Policy: name, Factor: unknown, Size: unknown, Low: unknown, High: unknown, Cost: unknown}
	now, err := x.at(ctx, s.machine.today, 1)
	if err != nil {
		return err
	}
	a.Today = stats.Number(now.value)
	if a.Log = stats.Number(x.outcome(s.machine.today, 0, s.logged).value); a.Log >= 0 {
		a.Factor = max(shortWait, a.Today) / max(shortWait, a.Log)
	}
	a.RelativeOnly = !(a.Factor >= 1/MostFactor && a.Factor <= MostFactor)
	if a.RelativeOnly && a.Factor > 0 {
		// Assume that the waits of the log change in proportion to the simulated ones.
		x.target.Limit *= float64(a.Factor)
		x.curves[0] = nil
	}
	best, err := x.bisect(ctx)
	if err != nil {
		return err
	}
	a.Limit = stats.Number(x.target.Limit)
	if err := x.widen(ctx, best.size, r); err != nil {
		return err
	}
	best = x.smallest(best)
	if best.size < s.machine.today && !(float64(a.Log) > s.target.Limit) {
		r.warn("target-met", "under %s today's machine of %d %s meets the target already", name, r.Today, r.Unit)
	}
	if best == x.curves[0][0] { // no smaller machine that runs all jobs was simulated
		r.warn("largest-job", "under %s the answer is the smallest machine that can run the largest job", name)
	}
	meeting := func(workload int, weeks site) float64 { return x.curves[workload].meeting(x.target, weeks) }
	low, high := s.spread(meeting, len(x.curves))
	scale := float64(best.size) / meeting(0, s.same())
	low, high = low*scale, high*scale
	from, to := max(x.tooSmall+1, int64(math.Floor(low))), int64(math.Ceil(high))
	a.ChangePct, a.ChangeLow, a.ChangeHigh = s.change(best.size), s.change(from), s.change(to)
	if !a.RelativeOnly {
		a.Size, a.Low, a.High, a.Cost = stats.Number(s.machine.amount(best.size)), stats.Number(s.machine.amount(from)), stats.Number(s.machine.amount(to)), s.cost(best.size)
	}
	r.Answers = append(r.Answers, a)
	x.points(name, best.size, low, high, r)
	x.byClass(name, now, best, r)
	return nil
}

// change returns the change of the machine from today's, in per cent.
func (s *study) change(size int64) stats.Number {
	return stats.Number(100 * (float64(s.machine.amount(size))/float64(s.machine.amount(s.machine.today)) - 1))
}

// cost returns the cost of a machine for a year, in the unit of Options.Price; NaN without a price.
func (s *study) cost(size int64) stats.Number {
	if s.o.Price == 0 {
		return unknown
	}
	return stats.Number(s.o.Price * float64(s.machine.amount(size)) * 24 * 365)
}
