// Package bounds shows how to add a bound on waits: implement predict.BoundPredictor, and
// give a predict.BoundMethod that creates it to package evaluate.
package bounds

import (
	"fmt"
	"slices"

	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/workload"
)

// LargestOf returns the method that bounds a wait by the largest of the last n waits. If waits are
// independent and identically distributed, the next one exceeds this bound with probability
// 1/(n+1). Quantiles above n/(n+1) are an error.
func LargestOf(n int) predict.BoundMethod {
	name := fmt.Sprintf("largest%d", n)
	return predict.BoundMethod{Name: name, New: func(quantile, confidence float64, _ predict.BoundOptions) (predict.BoundPredictor, error) {
		if most := float64(n) / float64(n+1); quantile > most {
			return nil, fmt.Errorf("%s: quantile %g, want at most %g", name, quantile, most)
		}
		b := predict.NoBound()
		b.Quantile, b.Confidence = quantile, confidence
		return &largest{name: name, n: n, bound: b}, nil
	}}
}

type largest struct {
	name  string
	n     int
	bound predict.Bound // without Seconds, Rank and Observations
	waits []float64     // the last n, in order of observation
}

// Name implements predict.BoundPredictor.
func (l *largest) Name() string { return l.name }

// Predict implements predict.BoundPredictor.
func (l *largest) Predict(workload.Request) (predict.Bound, bool) {
	if len(l.waits) < l.n {
		return l.bound, false
	}
	b := l.bound
	b.Seconds, b.Rank, b.Observations = slices.Max(l.waits), l.n, l.n
	return b, true
}

// Observe implements predict.BoundPredictor.
func (l *largest) Observe(j workload.Job, _ predict.Bound) {
	if len(l.waits) == l.n {
		l.waits = slices.Delete(l.waits, 0, 1)
	}
	l.waits = append(l.waits, j.Wait)
}
