package forecast

import (
	"errors"
	"fmt"

	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/sched"
	"github.com/loadstone-hpc/loadstone/workload"
)

// simulated predicts by one schedule, with run times by Last2 or by the law kernel.
func (a *asked) simulated(name string) error {
	if a.kernel != nil {
		return a.scheduled(name, predict.PredictedLength(evaluate.KernelPoints{Kernel: a.kernel}, predict.Estimates{}), "submitted before any had ended, and without an estimate")
	}
	predictors, err := evaluate.QueueRunTimes()
	if err != nil {
		return err
	}
	for e, err := range workload.Timeline(a.past.all) {
		if err != nil {
			return err
		}
		if e.Kind == workload.Finish {
			for _, p := range predictors {
				p.Observe(*e.Job)
			}
		}
	}
	// A job of a class without history runs as long as it asked for.
	return a.scheduled(name, predict.PredictedLength(append(predictors, predict.Estimates{})...), "of a class without history, and without an estimate")
}

// scheduled is a schedule with the given run times. Under a policy without
// backfilling the estimates bound the wait, where no job outlives its own.
func (a *asked) scheduled(name string, length predict.RunLength, why string) error {
	m := a.machine
	observations := len(m.Running) + len(m.Queued)
	bounded := name == "estimates" && !a.policy.UsesEstimates()
	for i := range m.Running {
		o := &m.Running[i]
		bounded = bounded && o.Request.Time > o.Age
	}
	for i := range a.requests {
		r := &a.requests[i]
		own := func(x *workload.Request, age float64) float64 {
			if x == r && a.q.Run != nil {
				if run := a.q.Run(r.Size); run > 0 {
					return run
				}
			}
			return length(x, age)
		}
		wait, err := m.ScheduledWait(a.policy, r, own)
		var unknown *predict.UnknownLengthError
		switch {
		case name == "estimates" && errors.As(err, &unknown) && unknown.Job == predict.TheRequest:
			a.miss(name, r.Size, NoTime)
			continue
		case errors.As(err, &unknown):
			a.miss(name, r.Size, fmt.Sprintf("%v: it is %s", err, why))
			continue
		case errors.Is(err, sched.ErrNoEstimates):
			a.miss(name, r.Size, err.Error())
			continue
		case err != nil:
			return fmt.Errorf("%s: %w", name, err)
		}
		var bounds []predict.Bound
		if bounded {
			for _, level := range a.q.Quantiles {
				b := predict.NoBound()
				b.Seconds, b.Quantile, b.Observations = wait, level, observations
				bounds = append(bounds, b)
			}
		}
		a.row(r.Size, name, wait, bounds, observations)
	}
	return nil
}
