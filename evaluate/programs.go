package evaluate

import (
	"context"
	"fmt"
	"math"

	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/runtime/outside"
	"github.com/loadstone-hpc/loadstone/workload"
)

// programs are the external programs of a call.
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

// start starts the programs, as outside.Start does.
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

// running are programs that have been started, to be stopped in any case.
type running []*outside.Process

func (r running) stop() {
	for _, p := range r {
		p.Stop()
	}
}

// finish tells the programs that the log has ended, and waits for their ends. A fault of a
// program is an error, *outside.Fault.
func (r running) finish() error {
	for _, p := range r {
		if err := p.Finish(); err != nil {
			return err
		}
	}
	return nil
}

// boundName is the name of a program's bound of a quantile, as that of bounds in a table of
// predictions.
func boundName(label string, quantile float64) string { return fmt.Sprintf("%s@%g", label, quantile) }

// waitNames are the names of what the programs predict: for each a wait and its bound.
func (c programs) waitNames(quantile float64) (names []string) {
	for _, c := range c {
		names = append(names, c.Label, boundName(c.Label, quantile))
	}
	return names
}

// waitProgram is a program as a predict.Predictor. Of the bounds of its forecasts the first is
// the wait that it predicts, the second the bound of the quantile.
type waitProgram struct {
	process  *outside.Process
	label    string
	quantile float64
}

// Name implements predict.Predictor.
func (p waitProgram) Name() string { return p.label }

// Ask implements predict.Predictor. A program is asked once about a job, at its submission.
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
