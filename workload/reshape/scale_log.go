package reshape

import (
	"context"
	"fmt"
	"math"

	"github.com/loadstone-hpc/loadstone/internal/opt"
	"github.com/loadstone-hpc/loadstone/workload"
)

// ScaleOptions are the options of Scale. Exactly one of Load and Times is set.
type ScaleOptions struct {
	Load       float64 // offered load to reach, above 0; 0 if Times is set
	Times      float64 // load to reach as a multiple of the log's; 0 if Load is set
	Method     Method  `opt:"method" common:"true" help:"method (default: by the load)"` // "" is DefaultMethod
	Processors int64   `opt:"procs" in:"[1,)" common:"true" help:"processors of the machine (default: the header's)"`
	Seed       uint64  `opt:"seed" usual:"1" common:"true" help:"seed of the random numbers"`
}

// Validate returns a *workload.OptionError for the first option that cannot be
// used.
func (o *ScaleOptions) Validate() error {
	above0 := func(x float64) bool { return x > 0 && !math.IsInf(x, 1) }
	switch {
	case o.Times != 0 && o.Load != 0:
		return workload.OptionFault("times", o.Times, "0, since the load is given")
	case o.Times != 0 && !above0(o.Times):
		return workload.OptionFault("times", o.Times, "a number above 0")
	case o.Times == 0 && !above0(o.Load):
		return workload.OptionFault("load", o.Load, "a number above 0")
	}
	return opt.Check(o)
}

// Choices are the values of options that take one of some.
func (o *ScaleOptions) Choices(option string) []string {
	if option == "method" {
		return Methods()
	}
	return nil
}

// Scaled is a log that is scaled while it is read.
type Scaled struct {
	*Altered
	Method     Method
	Processors int64
	Asked      float64 // offered load to reach
	Before     float64 // offered load of the log

	reached *Load
}

// Reached returns the offered load of the jobs read so far.
func (s *Scaled) Reached() float64 { return s.reached.Offered(s.Processors) }

// Warnings returns the warnings of the log, and one if the load that was reached differs
// from the load asked for.
func (s *Scaled) Warnings() []workload.Warning {
	all := s.Altered.Warnings()
	if off := s.Reached()/s.Asked - 1; !(math.Abs(off) < 0.005) {
		all = append(all, workload.Warning{Rule: "load-off", Count: 1,
			Text: fmt.Sprintf("the load is %.3g %% off because a few jobs dominate it; try another seed, or method interarrival", 100*off)})
	}
	return all
}

// Scale scales a log to another offered load. The log is opened twice, three times for
// Thin and Interarrival. An invalid option is a *workload.OptionError. If the size of the machine is
// unknown, the error is workload.ErrNoMachine.
func Scale(ctx context.Context, open func() (*workload.Log, error), o ScaleOptions) (*Scaled, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	var load *Load
	first, err := workload.WithLog(open, func(log *workload.Log) (err error) {
		load, err = MeasureLoad(workload.Until(ctx, log.Jobs()))
		return err
	})
	if err != nil {
		return nil, err
	}
	s := &Scaled{Method: o.Method, Processors: o.Processors, Asked: o.Load, reached: NewLoad()}
	if s.Processors == 0 {
		var ok bool
		if s.Processors, ok = first.Header.Processors(); !ok {
			return nil, workload.ErrNoMachine
		}
	}
	s.Before = load.Offered(s.Processors)
	if o.Times > 0 {
		s.Asked = o.Times * s.Before
	}
	factor, err := load.Factor(s.Processors, s.Asked)
	if err != nil {
		return nil, err
	}
	if s.Method == "" {
		s.Method = DefaultMethod(factor)
	}
	clock, _ := first.Header.Clock()
	by := func(jobs workload.JobSeq) (workload.JobSeq, error) { return ThinJobs(jobs, factor, random(o.Seed)) }
	switch s.Method {
	case Thin:
		if factor < 1 {
			of, draw := &shares{}, random(o.Seed)
			if _, err := workload.WithLog(open, func(log *workload.Log) error {
				for j, err := range workload.Until(ctx, log.Jobs()) {
					if err != nil {
						return err
					}
					of.add(draw.Float64(), &j) // as ThinJobs will draw
				}
				return nil
			}); err != nil {
				return nil, err
			}
			factor = of.below(factor)
		}
	case Replicated:
		if err := CheckReplicas(load.Jobs, factor); err != nil {
			return nil, err
		}
		by = func(jobs workload.JobSeq) (workload.JobSeq, error) {
			return Replicate(jobs, factor, clock, random(o.Seed))
		}
	case Interarrival:
		var cycle *Cycle
		if _, err := workload.WithLog(open, func(log *workload.Log) (err error) {
			cycle, err = MeasureCycle(workload.Until(ctx, log.Jobs()), load, clock)
			return err
		}); err != nil {
			return nil, err
		}
		by = func(jobs workload.JobSeq) (workload.JobSeq, error) {
			warp, err := cycle.WarpTo(load, s.Processors, s.Asked)
			if err != nil {
				return nil, err
			}
			return warp.Jobs(jobs), nil
		}
	}
	s.Altered, err = alter(ctx, open, func(jobs workload.JobSeq) (workload.JobSeq, error) {
		jobs, err := by(jobs)
		if err != nil {
			return nil, err
		}
		return s.reached.Through(jobs), nil
	})
	if err != nil {
		return nil, err
	}
	if s.Method != Thin {
		for _, w := range first.Header.ClockWarnings() {
			s.odd.Count(w)
		}
	}
	return s, nil
}
