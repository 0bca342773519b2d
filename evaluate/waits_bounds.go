package evaluate

import (
	"context"
	"iter"

	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/workload"
)

// boundsAsked are the names of the bounds that are to be scored.
func (r *waits) boundsAsked() []string { return r.chosen(r.o.boundNames()) }

// bounds scores the bounds on the log's own waits.
func (r *waits) bounds(ctx context.Context) error {
	names := r.boundsAsked()
	if len(names)+len(r.o.Programs) == 0 {
		return nil
	}
	if r.waits == 0 { // the survey knows: no need to replay the log
		r.noWaits = true
		return nil
	}
	options, err := r.boundOptions()
	if err != nil {
		return err
	}
	predictors, err := predict.NewBounds(names, []float64{r.o.Quantile}, r.o.Confidence, options)
	if err != nil {
		return err
	}
	if err := r.overfull(ctx); err != nil {
		return err
	}
	tallies := r.newTallies(LogWaits, func(name string) bool { return !predict.IsPoint(name, r.o.Bounds) }, names)
	for _, c := range r.o.Programs {
		bound := boundName(c.Label, r.o.Quantile)
		tallies = append(tallies, r.newTallies(LogWaits, func(name string) bool { return name == bound }, []string{c.Label, bound})...)
		names = append(names, c.Label, c.Label) // in a sample a program is one predictor
	}
	training := r.waits / 10 // Sonmez and others (2009) train on a tenth of the log
	err = programs(r.o.Programs).runWaits(ctx, r.o.Quantile, func(all []predict.Predictor) error {
		if len(predictors) > 0 {
			all = append([]predict.Predictor{predict.NewPastWaits("bounds", predictors)}, all...)
		}
		return r.replayBounds(ctx, all, func(j *predict.Replayed, bounds []predict.Bound) error {
			if j.Number < training {
				return nil
			}
			for i, b := range bounds {
				if !tallies[i].isBound() {
					b = unbounded(workload.Prediction{Seconds: b.Seconds, Observations: b.Observations})
				}
				switch {
				case r.sample == nil:
				case tallies[i].isBound():
					r.sample.Bound(names[i], 0, j.Request.Row, b.Seconds)
				default:
					r.sample.Point(names[i], j.Request.Row, b.Seconds)
				}
				if err := tallies[i].add(&j.Request, b, j.Actual); err != nil {
					return err
				}
			}
			return nil
		})
	})
	if err != nil {
		return err
	}
	r.tallies = append(tallies[:len(predictors)], r.answered(tallies[len(predictors):])...)
	return nil
}

// answered leaves out what a program, of which there are two tallies, never gave: the wait
// or its bound.
func (r *waits) answered(tallies []*waitTally) (all []*waitTally) {
	silent := func(i int) bool { return tallies[i].Result().Predicted == 0 }
	for i, t := range tallies {
		if silent(i) && (t.isBound() || !silent(i+1)) {
			r.leaveOut("the program gave none", t.predictor)
			continue
		}
		all = append(all, t)
	}
	return all
}

// replayBounds replays the log's own waits and calls add with the bounds that predictors
// have for each job, in their order.
func (r *waits) replayBounds(ctx context.Context, predictors []predict.Predictor, add func(*predict.Replayed, []predict.Bound) error) error {
	var bounds []predict.Bound
	for j, err := range (predict.Replay{Predictors: predictors}).Jobs(r.replay(ctx)) {
		if err != nil {
			return err
		}
		bounds = bounds[:0]
		for _, f := range j.Forecasts {
			bounds = append(bounds, f.Bounds...)
		}
		if err := add(j, bounds); err != nil {
			return err
		}
	}
	return nil
}

// overfull warns of waits that cannot all be right: they have jobs run side by
// side that do not fit on the machine. A log whose machine is not known is not
// checked.
func (r *waits) overfull(ctx context.Context) error {
	processors, err := r.machine()
	if err != nil {
		return nil
	}
	busy, peak, moments := int64(0), int64(0), 0
	var sizes []int64 // by slot
	for e, err := range workload.Timeline(placed(r.replay(ctx))) {
		if err != nil {
			return err
		}
		switch e.Kind {
		case workload.Start:
			for e.Slot >= len(sizes) {
				sizes = append(sizes, 0)
			}
			sizes[e.Slot] = e.Job.Size
			if busy += e.Job.Size; busy > processors {
				moments++
			}
			peak = max(peak, busy)
		case workload.Finish:
			busy -= sizes[e.Slot]
		}
	}
	if moments > 0 {
		r.remark("overfull", "the waits in the log cannot all be right: at %d starts more processors are busy than the machine's %d, at most %d; bounds are still scored on them",
			moments, processors, peak)
	}
	return nil
}

// mostPlaced is the size that a larger job is taken for, so that no sum
// overflows.
const mostPlaced = 1 << 32

// placed are the jobs whose start and end are known.
func placed(jobs iter.Seq2[workload.Job, error]) iter.Seq2[workload.Job, error] {
	return func(yield func(workload.Job, error) bool) {
		for j, err := range jobs {
			if err == nil && !(j.Wait >= 0 && j.Run > 0 && j.Size > 0) {
				continue
			}
			j.Size = min(j.Size, mostPlaced)
			if !yield(j, err) {
				return
			}
		}
	}
}
