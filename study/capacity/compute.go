package capacity

import (
	"context"
	"fmt"
	"slices"

	"github.com/loadstone-hpc/loadstone/internal/opt"
	"github.com/loadstone-hpc/loadstone/sched"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// study is the simulations of a call of Compute.
type study struct {
	o        *Options
	policies []sched.Policy
	today    int64
	target   Target
	classes  classes
	class    int32     // of the target
	sets     []*jobSet // the log's jobs, then those of the twins
	weeks    int
	logged   []float64 // s, waits in the log; NaN if unknown
	jobs     int64     // simulated
}

// Compute finds the smallest machine on which the users of a log would have what Options.Target
// says.
//
// An option that cannot be used is a *workload.OptionError; a machine of unknown size is
// workload.ErrNoMachine. A log without users, without estimates for a policy that plans with
// them, or of less than four weeks is an error, and so is a target that no machine meets.
func Compute(ctx context.Context, o Options) (*Result, error) {
	opt.Fill(&o)
	if err := o.Validate(); err != nil {
		return nil, err
	}
	s := &study{o: &o, today: o.Processors}
	var err error
	if s.target, err = ParseTarget(o.Target); err != nil {
		return nil, err
	}
	if s.policies, err = o.policies(); err != nil {
		return nil, err
	}
	if s.classes, err = o.classes(); err != nil {
		return nil, err
	}
	if s.today == 0 {
		if s.today, _ = o.Log.Header.Processors(); s.today == 0 {
			return nil, workload.ErrNoMachine
		}
	}
	r := &Result{Schema: ResultSchema, Target: s.target.String(), Limit: s.target.Limit, Unit: "processors", Today: s.today, Level: Level, Twins: o.Twins}
	if err := s.read(ctx, o.Log, r); err != nil {
		return r, err
	}
	r.Weeks = s.weeks
	if s.class, err = s.classes.number(s.target); err != nil {
		return r, err
	}
	for i := range s.policies {
		if err := s.answer(ctx, i, r); err != nil {
			return r, err
		}
	}
	return r, nil
}

// plans reports whether a policy needs the users' estimates.
func (s *study) plans() bool {
	return s.o.Estimates == "user" && slices.ContainsFunc(s.policies, sched.Policy.UsesEstimates)
}

// config is the simulation of a machine.
func (s *study) config(size int64, policy int) (sched.Config, error) {
	c := sched.Config{Processors: size, Policy: s.policies[policy]}
	if s.o.Estimates == "perfect" {
		c.Estimator = sched.Perfect{}
	}
	return c, nil
}

// never is the error for a target that no machine meets.
func (s *search) never(largest *outcome) error {
	return fmt.Errorf("no machine of up to %d processors meets the target %s: on the largest %s is still %.0f s", largest.size, s.target, s.target.Name, largest.value)
}

// answer adds what is found under a policy.
func (s *study) answer(ctx context.Context, policy int, r *Result) error {
	x := &search{study: s, policy: policy, target: s.target, curves: make([]curve, 1+s.o.Twins)}
	name := s.o.policyNames()[policy]
	a := Answer{Policy: name, Factor: unknown, Size: unknown, Low: unknown, High: unknown, Cost: unknown}
	now, err := x.at(ctx, s.today, 1)
	if err != nil {
		return err
	}
	a.Today = stats.Number(now.value)
	if a.Log = stats.Number(x.outcome(s.today, 0, s.logged).value); a.Log >= 0 {
		a.Factor = max(shortWait, a.Today) / max(shortWait, a.Log)
	}
	a.RelativeOnly = !(a.Factor >= 1/MostFactor && a.Factor <= MostFactor)
	if a.RelativeOnly && a.Factor > 0 {
		// The waits of the log change as the simulated ones do.
		x.target.Limit *= float64(a.Factor)
		x.curves[0] = nil
	}
	best, err := x.bisect(ctx)
	if err != nil {
		return err
	}
	if best.size < s.today {
		r.Warnings = append(r.Warnings, workload.Warning{Rule: "target-met", Count: 1, Text: fmt.Sprintf("under %s today's machine of %d %s meets the target already", name, s.today, r.Unit)})
	}
	if err := x.widen(ctx, best.size, r); err != nil {
		return err
	}
	low, high := x.interval(best.size)
	a.ChangePct, a.ChangeLow, a.ChangeHigh = s.change(float64(best.size)), s.change(low), s.change(high)
	if !a.RelativeOnly {
		a.Size, a.Low, a.High, a.Cost = stats.Number(best.size), stats.Number(low), stats.Number(high), s.cost(float64(best.size))
	}
	r.Answers = append(r.Answers, a)
	x.points(name, r)
	return x.byClass(ctx, name, best.size, r)
}

// change is a size's excess over today's, in per cent.
func (s *study) change(size float64) stats.Number {
	return stats.Number(100 * (size/float64(s.today) - 1))
}

// cost is the price of a machine for a year, NaN if none is given.
func (s *study) cost(size float64) stats.Number {
	if s.o.Price == 0 {
		return unknown
	}
	return stats.Number(s.o.Price * size * 24 * 365)
}
