package evaluate

import (
	"context"
	"math"

	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/workload"
)

// bounds scores the bounds on the log's own waits, and what programs predict of them.
func (p *pipeline) bounds(ctx context.Context) error {
	options := predict.BoundOptions{Methods: p.o.Bounds}
	if len(p.o.Groups) > 0 {
		var err error
		if options.Groups, err = workload.ClassesOf(p.o.Groups, p.grouping()); err != nil {
			return err
		}
	}
	own := p.names[:len(p.names)-len(p.o.Programs)]
	bounds, err := predict.NewBounds(own, []float64{p.o.Quantile}, p.o.Confidence, options)
	if err != nil {
		return err
	}
	busy := &occupancy{}
	if busy.processors, err = p.machine(); err != nil {
		busy.processors = math.MaxInt64 // of an unknown machine nothing is checked
	}
	predictors := []predict.Predictor{busy}
	for i, name := range own {
		predictors = append(predictors, predict.NewPastWaits(name, bounds[i:i+1]))
	}
	tallies := p.newTallies(LogWaits, func(name string) bool { return !predict.IsPoint(name, p.o.Bounds) }, own)
	for _, c := range p.o.Programs {
		bound := boundName(c.Label, p.o.Quantile)
		tallies = append(tallies, p.newTallies(LogWaits, func(name string) bool { return name == bound }, []string{c.Label, bound})...)
	}
	running, err := programs(p.o.Programs).start(ctx, []float64{p.o.Quantile})
	if err != nil {
		return err
	}
	defer running.stop()
	for i, program := range running {
		predictors = append(predictors, waitProgram{program, p.o.Programs[i].Label, p.o.Quantile})
	}
	if err := p.replayBounds(ctx, predictors, tallies); err != nil {
		return err
	}
	err = running.finish()
	if busy.settle(); busy.overfull > 0 {
		p.remark("overfull", "the waits in the log cannot all be right: at %d starts more processors are busy than the machine's %d, at most %d; bounds are still scored on them",
			busy.overfull, busy.processors, busy.peak)
	}
	p.tallies = append(tallies[:len(own)], p.answered(tallies[len(own):])...)
	return err
}

// answered leaves out what a program, of which there are two tallies, never gave: the wait
// or its bound.
func (p *pipeline) answered(tallies []*waitTally) (all []*waitTally) {
	silent := func(i int) bool { return tallies[i].Result().Predicted == 0 }
	for i, t := range tallies {
		if silent(i) && (t.isBound() || !silent(i+1)) {
			p.leftOut = append(p.leftOut, PredictorLeftOut{t.predictor, "the program gave none"})
			continue
		}
		all = append(all, t)
	}
	return all
}

// replayBounds replays the log's own waits, and scores the bounds of the predictors, in
// their order, each with its tally: on all jobs but the first tenth, which train (Sonmez and
// others, 2009).
func (p *pipeline) replayBounds(ctx context.Context, predictors []predict.Predictor, tallies []*waitTally) error {
	for j, err := range (predict.Replay{Predictors: predictors}).Jobs(p.replay(ctx)) {
		if err != nil {
			return err
		}
		if j.Number < p.known/predict.TrainingPart {
			continue
		}
		rest := tallies
		for i, f := range j.Forecasts {
			for _, b := range f.Bounds {
				t := rest[0]
				rest = rest[1:]
				if !t.isBound() {
					b = unbounded(workload.Prediction{Seconds: b.Seconds, Observations: b.Observations})
				}
				if p.sample != nil {
					p.sample.add(predictors[i].Name(), t.isBound(), &j.Request, b.Seconds)
				}
				if err := t.add(&j.Request, b, j.Actual); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// occupancy is a predict.Predictor that predicts nothing, so that it has no tally. It finds waits that cannot all be
// right: they have jobs run at the same time that do not fit on the machine.
type occupancy struct {
	processors, busy, peak int64
	overfull               int   // starts
	starting               int64 // processors of the job that has just started, which may end at once; 0 for none
	row                    int64 // of that job
}

func (*occupancy) Name() string { return "occupancy" }

func (*occupancy) Ask(*predict.Snapshot, *workload.Request) (f predict.Forecast, err error) {
	return f, nil
}

// mostPlaced is the size that a larger job is taken for, so that no sum overflows.
const mostPlaced = 1 << 32

func (o *occupancy) Learn(e workload.Event) error {
	size := min(e.Job.Size, mostPlaced)
	switch {
	case size < 1:
		return nil
	case e.Kind == workload.Finish && o.starting > 0 && o.row == e.Job.Row:
		o.starting = 0
		return nil
	}
	o.settle()
	switch e.Kind {
	case workload.Start:
		o.starting, o.row = size, e.Job.Row
	case workload.Finish:
		o.busy -= size
	}
	return nil
}

// settle enters the job that has just started.
func (o *occupancy) settle() {
	if o.starting == 0 {
		return
	}
	if o.busy += o.starting; o.busy > o.processors {
		o.overfull++
	}
	o.peak = max(o.peak, o.busy)
	o.starting = 0
}
