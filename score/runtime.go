package score

import "github.com/loadstone-hpc/loadstone/stats"

// KeptErrors is how many absolute errors a RunTimeTally keeps for an exact
// median, unless told otherwise: 2 MiB.
const KeptErrors = 1 << 18

// RunTimeTally accumulates predictions of run times. The zero value is empty.
type RunTimeTally struct {
	// Keep is how many absolute errors are kept; beyond, the median is from a
	// sketch, and the result says so. 0 stands for KeptErrors.
	Keep int

	points points
	errors stats.Quantiles
}

// RunTime is how well run times were predicted.
type RunTime struct {
	Jobs      int
	Predicted int     // jobs that had a prediction
	Coverage  float64 // Predicted over Jobs, in [0, 1]

	AccuracyMean        float64 // in [0, 1]
	AbsoluteErrorMean   float64 // s
	AbsoluteErrorMedian float64 // s
	// MedianMethod says how the median was computed: "exact", or by a sketch
	// with its relative error.
	MedianMethod string
}

// Add enters one job: its predicted run time, NaN where there was no
// prediction, and its actual one, both in seconds. An infinite prediction is
// none. A job whose actual run time is unknown is not counted.
func (t *RunTimeTally) Add(predicted, actual float64) {
	if miss, ok := t.points.add(predicted, actual); ok {
		t.limit()
		t.errors.Add(miss)
	}
}

// Merge adds all jobs of o.
func (t *RunTimeTally) Merge(o *RunTimeTally) {
	t.points.merge(&o.points)
	t.limit()
	t.errors.Merge(&o.errors)
}

func (t *RunTimeTally) limit() {
	t.errors.Exact = t.Keep
	if t.Keep == 0 {
		t.errors.Exact = KeptErrors
	}
}

// Result returns the scores of the jobs so far.
func (t *RunTimeTally) Result() RunTime {
	return RunTime{
		Jobs:                t.points.jobs,
		Predicted:           t.points.predicted(),
		Coverage:            ratio(t.points.predicted(), t.points.jobs),
		AccuracyMean:        t.points.accuracy.Mean(),
		AbsoluteErrorMean:   t.points.miss.Mean(),
		AbsoluteErrorMedian: t.errors.Quantile(0.5),
		MedianMethod:        t.errors.Method(),
	}
}
