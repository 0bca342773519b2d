package evaluate

import (
	"context"
	"fmt"
	"math"

	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/runtime/outside"
	"github.com/loadstone-hpc/loadstone/workload"
)

// programs are external programs that predict.
type programs []outside.Command

// labels returns the names of the programs.
func (c programs) labels() (names []string) {
	for _, c := range c {
		names = append(names, c.Label)
	}
	return names
}

// validate returns a *workload.OptionError for the first program that cannot be run.
func (c programs) validate() error {
	for _, c := range c {
		if err := c.Validate(); err != nil {
			return err
		}
	}
	return nil
}

// start starts the programs with outside.Start. On an error it stops those already started.
func (c programs) start(ctx context.Context, quantiles []float64) (all running, err error) {
	for _, c := range c {
		p, err := outside.Start(ctx, c, quantiles)
		if err != nil {
			all.stop()
			return nil, err
		}
		all = append(all, p)
	}
	return all, nil
}

// running are programs that have been started and must be stopped.
type running []*outside.Process

func (r running) stop() {
	for _, p := range r {
		p.Stop()
	}
}

// finish signals the end of the log to each program in turn and waits for its exit. A program
// that fails is an *outside.Fault.
func (r running) finish() error {
	for _, p := range r {
		if err := p.Finish(); err != nil {
			return err
		}
	}
	return nil
}

// boundName returns the name of a program's bound of a quantile, in the form that bounds have
// in a table of predictions.
func boundName(label string, quantile float64) string { return fmt.Sprintf("%s@%g", label, quantile) }

// waitNames returns the names of the programs' predictions: for each program, those of its
// wait and its bound.
func (c programs) waitNames(quantile float64) (names []string) {
	for _, c := range c {
		names = append(names, c.Label, boundName(c.Label, quantile))
	}
	return names
}

// waitProgram presents a program as a predict.Predictor. Its forecasts have two bounds: the
// predicted wait, then the bound of the quantile.
type waitProgram struct {
	process  *outside.Process
	label    string
	quantile float64
}

// Name implements predict.Predictor.
func (p waitProgram) Name() string { return p.label }

// Ask implements predict.Predictor. A program is asked about each job once, at its submission.
func (p waitProgram) Ask(_ *predict.Snapshot, r *workload.Request) (predict.Forecast, error) {
	a := p.process.Ask(r)
	bound := unbounded(workload.Prediction{Seconds: math.NaN(), Observations: a.Observations})
	bound.Quantile = p.quantile
	if len(a.Bounds) > 0 {
		bound.Seconds = a.Bounds[0]
	}
	return predict.Forecast{Expected: a.Seconds, Bounds: []predict.Bound{unbounded(a.Prediction), bound}, Observations: a.Observations}, p.process.Err()
}

// Learn implements predict.Predictor.
func (p waitProgram) Learn(e workload.Event) error {
	switch e.Kind {
	case workload.Start:
		p.process.Started(e.Job)
	case workload.Finish:
		p.process.Observe(e.Job)
	}
	return p.process.Err()
}
