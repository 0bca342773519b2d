package cli

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/sched"
	"github.com/loadstone-hpc/loadstone/workload"
)

// predict asks one predictor about all sizes.
func (r *nowRun) predict(name string) error {
	if law := name == "downey-a-exact" || name == "downey-b-queue" || name == "drawn"; law && r.lifetimes == nil {
		for _, n := range r.o.now.sizes {
			r.miss(name, n, fmt.Sprintf("no law of run times: %v", r.noLaw))
		}
		return nil
	}
	switch name {
	case "downey-a-exact":
		r.exact(name)
	case "downey-b-queue":
		r.mean(name)
	case "drawn":
		return r.drawn(name)
	case "simulated":
		return r.simulated(name)
	case "estimates":
		return r.scheduled(name, predict.PredictedLength(predict.Estimates{}), "without an estimate of its own")
	default:
		return r.past(name)
	}
	return nil
}

// exact is A exact: the request at the head of the queue.
func (r *nowRun) exact(name string) {
	s := r.state.snapshot
	for i := range r.requests {
		q := &r.requests[i]
		if ahead := len(s.Ahead(q, r.o.now.queues)); ahead > 0 {
			r.miss(name, q.Size, fmt.Sprintf("%d %s ahead, and it is for the head of the queue: downey-b-queue and drawn go on from there", ahead, present.Plural(ahead, "job is", "jobs are")))
			continue
		}
		h := s.Head(q.Size)
		var bounds []predict.Bound
		for _, level := range nowQuantiles {
			b := predict.NoBound()
			b.Quantile, b.Observations = level, len(h.Running)
			b.Seconds = 0
			if h.Needed > 0 {
				p, _ := predict.DowneyAExact{Lifetimes: r.lifetimes, Quantile: level}.Predict(h)
				b.Seconds = p.Seconds
			}
			bounds = append(bounds, b)
		}
		r.row(q.Size, name, predict.MeanFreed(h, r.lifetimes), bounds, len(h.Running))
	}
}

// mean is B for the whole queue.
func (r *nowRun) mean(name string) {
	p := predict.DowneyBQueue{Lifetimes: r.lifetimes, Queues: r.o.now.queues}
	said := r.inOrder()
	for i := range r.requests {
		q := &r.requests[i]
		x, ok := p.Predict(r.state.snapshot, q)
		if !said && len(r.state.snapshot.Ahead(q, r.o.now.queues)) > 0 {
			r.app.warn("%s is first come, first served: under %s jobs go ahead where they fit, and wait less than it expects", name, r.o.now.policy)
			said = true
		}
		if !ok {
			r.miss(name, q.Size, "all that a job older than the law allows holds would have to be free, and B then has no end: --limits")
			continue
		}
		r.row(q.Size, name, x.Seconds, nil, x.Observations)
	}
}

// inOrder says whether no job starts before those ahead of it.
func (r *nowRun) inOrder() bool {
	switch r.policy.(type) {
	case sched.FCFS, sched.Priority:
		return true
	}
	return false
}

// drawn is the distribution of waits in drawn schedules.
func (r *nowRun) drawn(name string) error {
	lifetimes := r.lifetimes
	if w, ok := lifetimes.(predict.WithinLimit); ok {
		// A schedule adds many run times up, and has to have those that are killed.
		lifetimes = predict.CutAtLimit(w)
		if !slices.Contains(r.o.classes, "requested_time_s") {
			r.app.warn("--limits with one law for all estimates: %s waits come out too short; --classes requested_time_s has a law for each", name)
		}
	}
	d := predict.Drawn{Lifetimes: lifetimes, Policy: r.policy, Draws: r.o.now.draws, Seed: r.o.seed}
	waits, err := d.Waits(r.state.snapshot, r.requests)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	for i, w := range waits {
		var bounds []predict.Bound
		for _, level := range nowQuantiles {
			b, _ := w.Bound(level, r.o.confidence)
			b.Achieved = math.NaN() // it is about the draws: of the waits themselves nobody knows
			bounds = append(bounds, b)
		}
		mean := w.Mean()
		if math.IsInf(mean, 1) {
			mean = math.NaN()
			r.miss(name, r.requests[i].Size, "some schedules have no end in sight (32 years), so that there is no mean, nor a quantile that reaches them")
		}
		r.row(r.requests[i].Size, name, mean, bounds, len(w))
	}
	return nil
}

// simulated is the schedule with run times by Last2.
func (r *nowRun) simulated(name string) error {
	predictors, err := last2()
	if err != nil {
		return err
	}
	for e, err := range workload.Timeline(r.history.all) {
		if err != nil {
			return err
		}
		if e.Kind == workload.Finish {
			for _, p := range predictors {
				p.Observe(*e.Job)
			}
		}
	}
	// Whom nobody knows runs as long as it asked for.
	return r.scheduled(name, predict.PredictedLength(append(predictors, predict.Estimates{})...), "of a class without history, and without an estimate")
}

// scheduled is a schedule with the given run times. Under a policy without
// backfilling the estimates bound the wait, where no job outlives its own.
func (r *nowRun) scheduled(name string, length predict.RunLength, why string) error {
	s := r.state.snapshot
	bounds := name == "estimates" && !r.policy.UsesEstimates()
	for i := range s.Running {
		o := &s.Running[i]
		bounds = bounds && o.Request.Time > o.Age
	}
	for i := range r.requests {
		q := &r.requests[i]
		own := func(x *workload.Request, age float64) float64 {
			if x == q && r.run != nil {
				if run := r.run(q.Size); run > 0 {
					return run
				}
			}
			return length(x, age)
		}
		wait, err := s.ScheduledWait(r.policy, q, own)
		var unknown *predict.UnknownLengthError
		switch {
		case errors.As(err, &unknown):
			r.miss(name, q.Size, fmt.Sprintf("%v: it is %s", err, why))
			continue
		case errors.Is(err, sched.ErrNoEstimates):
			r.miss(name, q.Size, err.Error())
			continue
		case err != nil:
			return fmt.Errorf("%s: %w", name, err)
		}
		var list []predict.Bound
		if bounds {
			for _, level := range nowQuantiles {
				b := predict.NoBound()
				b.Seconds, b.Quantile, b.Observations = wait, level, len(s.Running)+len(s.Queued)
				list = append(list, b)
			}
		}
		r.row(q.Size, name, wait, list, len(s.Running)+len(s.Queued))
	}
	return nil
}

// past is a bound from past waits.
func (r *nowRun) past(name string) error {
	options, err := boundOptionsOf(&r.o)
	if err != nil {
		return err
	}
	var predictors []predict.BoundPredictor
	for _, level := range nowQuantiles {
		p, err := predict.NewBound(name, level, r.o.confidence, options)
		if err != nil {
			return err
		}
		predictors = append(predictors, p)
	}
	if r.history.waits == 0 {
		for _, n := range r.o.now.sizes {
			r.miss(name, n, "the history has no waits")
		}
		return nil
	}
	for _, err := range predict.Bounds(r.history.all, 0, predictors) {
		if err != nil {
			return err
		}
	}
	for i := range r.requests {
		q := &r.requests[i]
		var bounds []predict.Bound
		some := false
		for _, p := range predictors {
			b, ok := p.Predict(*q)
			bounds, some = append(bounds, b), some || ok
		}
		if !some {
			r.miss(name, q.Size, fmt.Sprintf("%d past waits of group %s, too few", bounds[0].Observations, bounds[0].Group))
			continue
		}
		r.row(q.Size, name, math.NaN(), bounds, bounds[0].Observations)
	}
	return nil
}
