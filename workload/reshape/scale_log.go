package reshape

import (
	"context"
	"fmt"
	"math"
	"strconv"

	"github.com/loadstone-hpc/loadstone/workload"
)

// ScaleOptions are the options of Scale. Exactly one of Load and Times is set.
type ScaleOptions struct {
	Load       float64 // offered load to reach, above 0; 0 if Times is set
	Times      float64 // load to reach as a multiple of the log's; 0 if Load is set
	Method     Method  // "" is DefaultMethod
	Processors int64   // of the machine; 0 takes the header's value
	Seed       uint64
}

// Validate returns a *workload.OptionError for the first option that cannot be
// used.
func (o *ScaleOptions) Validate() error {
	switch {
	case o.Times != 0 && o.Load != 0:
		return &workload.OptionError{Option: "times", Saw: fmt.Sprintf("%g", o.Times), Want: "0, since the load is given"}
	case o.Times != 0 && (!(o.Times > 0) || math.IsInf(o.Times, 0)):
		return &workload.OptionError{Option: "times", Saw: fmt.Sprintf("%g", o.Times), Want: "a number above 0"}
	case o.Times != 0:
	case !(o.Load > 0) || math.IsInf(o.Load, 0):
		return &workload.OptionError{Option: "load", Saw: fmt.Sprintf("%g", o.Load), Want: "a number above 0"}
	case o.Processors < 0:
		return &workload.OptionError{Option: "processors", Saw: strconv.FormatInt(o.Processors, 10), Want: "1 or more, or 0 for what the header says"}
	}
	return oneOf("method", string(o.Method), Methods())
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
