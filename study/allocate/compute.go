package allocate

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/internal/field"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Compute studies what strategies save and cost, on workloads that are drawn or
// on the jobs of a log.
//
// An option that cannot be used is an error of Options.Validate. For a log
// without jobs that can be malleable the error wraps ErrRigid; other faults of
// the log are its reader's errors. With an error the result is nil, or contains
// the warnings of the log.
func Compute(ctx context.Context, o Options) (*Result, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	s := &computation{o: o, study: o.study()}
	s.study.Stop = ctx.Err
	var err error
	if o.Log != nil {
		err = s.ofLog(ctx)
	} else {
		err = s.drawn()
	}
	r := &s.result
	if err != nil {
		return &Result{Warnings: r.Warnings}, err
	}
	r.Schema, r.Parameter, r.Machine = ResultSchema, o.Parameter, s.study.Machine
	r.Rules = RulesNamed{
		Classes: max(1, o.Rules.Classes), Predictor: o.Rules.Predictor,
	}
	return r, nil
}

// computation is a study at work.
type computation struct {
	o      Options
	study  Study
	result Result
}

// expect tells how long the study will take.
func (s *computation) expect(jobs, seconds float64) {
	if s.o.Expected != nil {
		s.o.Expected(jobs, seconds)
	}
}

// drawn studies workloads that are drawn.
func (s *computation) drawn() error {
	jobs, seconds, err := s.o.Cost()
	if err != nil {
		return err
	}
	s.expect(jobs, seconds)
	s.result.Workload = &Drawn{Model: "downey1997", Seeds: s.o.Seeds, FirstSeed: s.o.FirstSeed, Workload: s.o.Workload}
	for _, value := range s.o.values() {
		w, study, err := s.o.setting(s.study, value)
		if err != nil {
			return err
		}
		each := func(seed uint64, jobs []Job, out *Outcome) error { return s.studied(value, int64(seed), jobs, out) }
		outcomes, err := study.Replicate(w, s.o.FirstSeed, s.o.Seeds, each)
		if err != nil {
			return err
		}
		s.result.Settings = append(s.result.Settings, settingOf(value, outcomes))
	}
	if !s.o.Search {
		return nil
	}
	var workloads [][]Job
	for i := range s.o.Seeds {
		jobs, err := s.o.Workload.Jobs(s.o.FirstSeed + uint64(i))
		if err != nil {
			return err
		}
		workloads = append(workloads, jobs)
	}
	return s.tune(workloads)
}

// ofLog studies the jobs of a log.
func (s *computation) ofLog(ctx context.Context) error {
	log, r := s.o.Log, &s.result
	if s.o.OfHeader {
		n, ok := log.Header.Processors()
		switch {
		case !ok:
			return &workload.OptionError{Option: "procs", Saw: "0", Want: "the processors of the machine: the header has neither MaxProcs nor MaxNodes"}
		case n > MaxProcessors:
			return fmt.Errorf("the machine has %d processors, want at most %d", n, MaxProcessors)
		}
		s.study.Machine.Processors = int(n)
	}
	processors := s.study.Machine.Processors
	var odd workload.Warnings
	jobs, err := FromLog(workload.Until(ctx, log.Jobs()), LogOptions{Processors: processors, Days: s.o.LogDays, Sigma: s.o.sigma()}, &odd)
	r.Warnings = slices.Clone(log.Warnings())
	if err != nil {
		return err
	}
	r.Warnings = append(r.Warnings, odd.List()...)
	n := float64(len(jobs))
	s.expect(n, s.study.seconds(n, 0, processors)+s.o.searching(n))
	out, err := s.study.Run(jobs)
	if err != nil {
		return err
	}
	if err := s.studied(math.NaN(), workload.Unknown, jobs, out); err != nil {
		return err
	}
	r.Log = &workload.Summary{Name: log.Name, Jobs: out.Jobs}
	r.Settings = []Setting{settingOf(math.NaN(), []*Outcome{out})}
	if s.o.Search {
		return s.tune([][]Job{jobs})
	}
	return nil
}

// studied passes a workload on, and keeps the first.
func (s *computation) studied(value float64, seed int64, jobs []Job, out *Outcome) error {
	if s.o.Keep && s.result.First == nil {
		first := *out
		first.Rows = slices.Clone(out.Rows) // which Replicate empties
		s.result.First = &Studied{Jobs: jobs, Outcome: first}
	}
	if s.o.Placed == nil {
		return nil
	}
	return out.each(value, seed, jobs, s.o.Placed)
}

func (s *computation) tune(workloads [][]Job) (err error) {
	s.result.Heuristics, err = s.study.Machine.Tune(workloads, DefaultGrid(), 0, s.study.Stop)
	return err
}

// settingOf sums up the outcomes at one value of the parameter, NaN without one.
func settingOf(value float64, outcomes []*Outcome) Setting {
	over := func(of func(*Outcome) float64) Interval {
		return Over(outcomes, of).cut(field.ParseRange("[0,)"))
	}
	s := Setting{
		Jobs: over(func(o *Outcome) float64 { return float64(o.Jobs) }),
		AVG:  over(func(o *Outcome) float64 { return o.Base.Turnaround }),
		TMin: over(func(o *Outcome) float64 { return o.Lifetimes.TMin }),
		TMax: over(func(o *Outcome) float64 { return o.Lifetimes.TMax }),
	}
	if !math.IsNaN(value) {
		v := stats.Number(value)
		s.Value = &v
	}
	for i := range outcomes[0].Rows {
		s.Strategies = append(s.Strategies, StrategyResult{
			Strategy:    outcomes[0].Rows[i].Strategy,
			Application: intervals[ApplicationResult[float64], ApplicationResult[Interval]](outcomes, i, applicationOf),
			System:      intervals[SystemResult[float64], SystemResult[Interval]](outcomes, i, systemOf),
		})
	}
	return s
}
