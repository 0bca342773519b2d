package predict

import (
	"fmt"
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/predict/conformal"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Conformal makes predictors of bounds from one conformal.Predictor, so that
// they share what they learn. Until the first waits have been learned, the
// bounds are those of BMBP (or BoundOptions.Fallback), and their Group says so.
// The Confidence and Achieved of later bounds are NaN.
type Conformal struct {
	*conformal.Predictor
	fallback fallback
}

// The names of the predictors of a Conformal: an upper bound, and the median as
// a point prediction.
const (
	ConformalBound = "conformal"
	ConformalPoint = "conformal-point"
)

// ConformalWaits is the number of known waits from which a Conformal first
// learns.
const ConformalWaits = conformal.FirstWaits

// NewConformal returns a Conformal without history, for quantiles between 0 and
// 1. confidence and the options Groups and Fallback are for the bounds
// until it has learned.
func NewConformal(quantiles []float64, confidence float64, o BoundOptions) (*Conformal, error) {
	c := &Conformal{}
	var err error
	c.Predictor, err = conformal.New(conformal.Options{Quantiles: quantiles, Confidence: confidence, Fallback: c.fallBack(o)})
	return c, err
}

// predictor returns ConformalBound for one of the Conformal's quantiles, or ConformalPoint,
// the median, which must be one of them.
func (c *Conformal) predictor(name string, quantile float64) BoundPredictor {
	if name == ConformalPoint {
		quantile = 0.5
	}
	return conformalBound{c, slices.Index(c.Quantiles(), quantile), name}
}

// conformalBound is one quantile of a Conformal as a predictor. Those of one Conformal are
// used in one replay, and each event counts once.
type conformalBound struct {
	*Conformal
	quantile int // which
	name     string
}

var _ QueueWatcher = conformalBound{}

// Name returns "conformal" or "conformal-point".
func (b conformalBound) Name() string { return b.name }

// Predict implements BoundPredictor.
func (b conformalBound) Predict(r workload.Request) (Bound, bool) {
	seconds := b.Bounds(r)[b.quantile]
	bound := NoBound()
	if n := b.Learned(); n > 0 {
		bound.Quantile, bound.Observations, bound.Group = b.Quantiles()[b.quantile], n, "forest"
	} else {
		bound, _ = b.fallback[b.quantile].Predict(r)
		bound.Group = "bmbp, " + bound.Group
	}
	bound.Seconds = seconds
	return bound, !math.IsNaN(seconds)
}

// Submitted is as QueueWatcher says.
func (b conformalBound) Submitted(r workload.Request) { b.Submit(r) }

// Observe is as BoundPredictor says. A Conformal knows which bounds it gave.
func (b conformalBound) Observe(j workload.Job, _ Bound) { b.Start(&j) }

// Ended is as QueueWatcher says.
func (b conformalBound) Ended(r workload.Request, now float64) { b.End(r.Row, now) }

// fallback is BMBP or the like by quantile, as a conformal.Fallback.
type fallback []BoundPredictor

// fallBack returns what makes c's fallback.
func (c *Conformal) fallBack(o BoundOptions) func([]float64, float64) (conformal.Fallback, error) {
	return func(quantiles []float64, confidence float64) (conformal.Fallback, error) {
		fresh := o.Fallback
		if fresh == nil {
			fresh = func(q, c float64) (BoundPredictor, error) { return NewBMBP(q, c, o) }
		}
		for _, q := range quantiles {
			b, err := fresh(q, confidence)
			if err != nil {
				return nil, fmt.Errorf("quantile %g and confidence %g, want numbers between 0 and 1", q, confidence)
			}
			c.fallback = append(c.fallback, b)
		}
		return c.fallback, nil
	}
}

// Bounds implements conformal.Fallback.
func (f fallback) Bounds(r *workload.Request, bounds []float64) []float64 {
	for _, b := range f {
		bound, _ := b.Predict(*r)
		bounds = append(bounds, bound.Seconds)
	}
	return bounds
}

// Learn implements conformal.Fallback.
func (f fallback) Learn(r *workload.Request, wait float64, given []float64) {
	j := workload.UnknownJob()
	j.Request, j.Wait = *r, wait
	for i, b := range f {
		b.Observe(j, Bound{Seconds: given[i]})
	}
}
