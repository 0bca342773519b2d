package score

import (
	"math"

	"github.com/loadstone-hpc/loadstone/stats"
)

// secondsPerMinute turns seconds into the papers' minutes.
const secondsPerMinute = 60

// WaitTally accumulates point-valued predictions of waits. The zero value is
// empty.
type WaitTally struct {
	points points
	logs   stats.Correlation // of ln predicted, ln actual
}

// Wait is how well waits were predicted.
type Wait struct {
	Jobs      int
	Predicted int     // jobs that had a prediction
	Coverage  float64 // Predicted over Jobs, in [0, 1]

	AccuracyMean      float64 // in [0, 1]
	AbsoluteErrorMean float64 // min

	// The shares of the predicted jobs whose prediction was below the actual
	// wait, equal to it, and above it: %, together 100.
	UnderPct, PerfectPct, OverPct float64

	// The correlation and the bias are of logarithms, so they rest on the jobs
	// whose predicted and actual wait are both above 0: LogPairs of them.
	LogPairs int
	// CorrelationLog is the correlation coefficient of ln predicted and
	// ln actual, in [-1, 1]: the CC of Downey (1997).
	CorrelationLog float64
	// The least-squares line ln actual = BiasIntercept + BiasSlope ln predicted,
	// times in seconds; 0 and 1 (in this order) where there is no bias. Downey (1997),
	// processor allocation, section 5.4.
	BiasSlope, BiasIntercept float64
}

// Add enters one job: its predicted wait, NaN where there was no prediction,
// and its actual one, both in seconds. An infinite prediction is none. A job
// whose actual wait is unknown is not counted.
func (t *WaitTally) Add(predicted, actual float64) {
	if _, ok := t.points.add(predicted, actual); ok && predicted > 0 && actual > 0 {
		t.logs.Add(math.Log(predicted), math.Log(actual))
	}
}

// Merge adds all jobs of o.
func (t *WaitTally) Merge(o *WaitTally) {
	t.points.merge(&o.points)
	t.logs.Merge(o.logs)
}

// Result returns the scores of the jobs so far.
func (t *WaitTally) Result() Wait {
	p := &t.points
	return Wait{
		Jobs:              p.jobs,
		Predicted:         p.predicted(),
		Coverage:          ratio(p.predicted(), p.jobs),
		AccuracyMean:      p.accuracy.Mean(),
		AbsoluteErrorMean: p.miss.Mean() / secondsPerMinute,
		UnderPct:          100 * ratio(p.under, p.predicted()),
		PerfectPct:        100 * ratio(p.perfect, p.predicted()),
		OverPct:           100 * ratio(p.over, p.predicted()),
		LogPairs:          t.logs.N(),
		CorrelationLog:    t.logs.R(),
		BiasSlope:         t.logs.Slope(),
		BiasIntercept:     t.logs.Intercept(),
	}
}
