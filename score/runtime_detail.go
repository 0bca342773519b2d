package score

import "github.com/loadstone-hpc/loadstone/stats"

// RunTimeDetail is all scores of predictions of run times. Scores are over the
// jobs that had a prediction; those without a meaning are NaN.
type RunTimeDetail struct {
	RunTime

	AccuracyMedian float64 // in [0, 1]
	// Accurate is the share of predictions whose accuracy is above 0.9, in
	// [0, 1]: Sonmez and others (2009), section 3.3.
	Accurate float64

	AbsoluteErrorQ25, AbsoluteErrorQ75, AbsoluteErrorQ90, AbsoluteErrorQ99 float64 // s

	Bias float64 // mean of predicted less actual, s

	// The relative error is the absolute one over the actual run time, of the
	// jobs that did run. A few short jobs rule its mean.
	RelativeErrorMean, RelativeErrorMedian float64

	// LogErrorMean is the mean of |ln(predicted/actual)|, LogBias that of
	// ln(predicted/actual), of the LogPairs predictions where both are above
	// 0. The mean factor by which predictions miss is exp(LogErrorMean).
	LogPairs              int
	LogErrorMean, LogBias float64

	// The shares of predictions below the actual run time, equal to it, and
	// above it: %, together 100.
	UnderPct, PerfectPct, OverPct float64

	// DistributionMethod says how medians and quantiles were computed: "exact",
	// or by a sketch with its error.
	DistributionMethod string
}

// Detail returns all scores of the jobs so far.
func (t *RunTimeTally) Detail() RunTimeDetail {
	accuracy, absolute := t.accuracies(), t.absoluteErrors()
	s := &t.sums
	n := s.predicted()
	method := t.method(stats.RelativeError)
	if t.counts != nil {
		method += ", of accuracies error 0.001"
	}
	return RunTimeDetail{
		RunTime:             t.result(absolute),
		AccuracyMedian:      accuracy.Quantile(0.5),
		Accurate:            1 - accuracy.AtMost(0.9),
		AbsoluteErrorQ25:    absolute.Quantile(0.25),
		AbsoluteErrorQ75:    absolute.Quantile(0.75),
		AbsoluteErrorQ90:    absolute.Quantile(0.9),
		AbsoluteErrorQ99:    absolute.Quantile(0.99),
		Bias:                s.mean(s.signed),
		RelativeErrorMean:   s.relative / float64(s.relativeN),
		RelativeErrorMedian: t.relativeErrors().Quantile(0.5),
		LogPairs:            s.logN,
		LogErrorMean:        (s.logUnder + s.logOver) / float64(s.logN),
		LogBias:             (s.logOver - s.logUnder) / float64(s.logN),
		UnderPct:            100 * ratio(s.under, n),
		PerfectPct:          100 * ratio(s.perfect, n),
		OverPct:             100 * ratio(s.over, n),
		DistributionMethod:  method,
	}
}
