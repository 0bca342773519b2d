package predict

import (
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/workload"
)

// conformalBound is one quantile of a Conformal as a predictor. Several of one
// Conformal are asked in one replay: what one is told is news to it once.
type conformalBound struct {
	*Conformal
	quantile int // which
	name     string
}

var _ QueueWatcher = conformalBound{}

// The names of what a Conformal predicts: a bound, and the median as a point
// prediction.
const (
	ConformalBound = "conformal"
	ConformalPoint = "conformal-point"
)

// ConformalQuantiles are those that a Conformal has as a rule, and others: it rests
// on one forest, and its state serves whoever asks for any of them.
func ConformalQuantiles(others ...float64) []float64 {
	return append([]float64{0.5, 0.8, 0.95, 0.99}, others...)
}

// ConformalOf returns the Conformal that some of the predictors share; nil where none
// does.
func ConformalOf(predictors []BoundPredictor) *Conformal {
	for _, p := range predictors {
		if b, ok := p.(conformalBound); ok {
			return b.Conformal
		}
	}
	return nil
}

// Has says whether a quantile is one of its own.
func (c *Conformal) Has(quantile float64) bool { return slices.Contains(c.quantiles, quantile) }

// Moment returns the time of the last event, in s of the log; -Inf before the first.
func (c *Conformal) Moment() float64 { return c.Queue.Now }

// Bound returns the predictor of bounds of one of the quantiles, "conformal"; another
// quantile is a programmer's error.
func (c *Conformal) Bound(quantile float64) BoundPredictor {
	return c.view(quantile, ConformalBound)
}

// Point returns the median, which must be one of the quantiles, as the predictor
// "conformal-point" of waits.
func (c *Conformal) Point() BoundPredictor { return c.view(0.5, ConformalPoint) }

func (c *Conformal) view(quantile float64, name string) BoundPredictor {
	for i, q := range c.quantiles {
		if q == quantile {
			return conformalBound{c, i, name}
		}
	}
	panic("predict: Conformal has no such quantile")
}

// Name returns "conformal" or "conformal-point".
func (b conformalBound) Name() string { return b.name }

// Predict is as BoundPredictor says.
func (b conformalBound) Predict(r workload.Request) (Bound, bool) {
	r.Row += b.shift
	b.ask(&r)
	bound := b.moment.bounds[b.quantile]
	return bound, !math.IsNaN(bound.Seconds)
}

// Submitted is as QueueWatcher says.
func (b conformalBound) Submitted(r workload.Request) { b.submit(r) }

// Observe is as BoundPredictor says. A Conformal knows which bounds it gave.
func (b conformalBound) Observe(j workload.Job, _ Bound) { b.start(&j) }

// Ended is as QueueWatcher says.
func (b conformalBound) Ended(r workload.Request, now float64) { b.end(r.Row, now) }
