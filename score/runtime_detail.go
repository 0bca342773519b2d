package score

import "github.com/loadstone-hpc/loadstone/stats"

// RunTimeDetail contains further scores of run time predictions, beside those
// of RunTime. They are over the jobs that had a prediction; an undefined score
// is NaN.
type RunTimeDetail struct {
	AccuracyMedian stats.Number `json:"accuracy_median"` // in [0, 1]
	// Accurate is the share of predictions whose accuracy is above 0.9, in [0,
	// 1] (Sonmez and others 2009, section 3.3).
	Accurate stats.Number `json:"accuracy_above_0_9"`

	AbsoluteErrorQ25 stats.Number `json:"absolute_error_q25_s"` // s
	AbsoluteErrorQ75 stats.Number `json:"absolute_error_q75_s"` // s
	AbsoluteErrorQ90 stats.Number `json:"absolute_error_q90_s"` // s
	AbsoluteErrorQ99 stats.Number `json:"absolute_error_q99_s"` // s

	Bias stats.Number `json:"bias_s"` // mean of predicted less actual, s

	// The relative error is the absolute error over the actual run time, of
	// jobs with a run time above 0. A few short jobs dominate its mean.
	RelativeErrorMean   stats.Number `json:"relative_error_mean"`
	RelativeErrorMedian stats.Number `json:"relative_error_median"`

	// LogErrorMean is the mean of |ln(predicted/actual)|, LogBias that of
	// ln(predicted/actual), of the LogPairs predictions where both are above
	// 0. The mean factor by which predictions miss is exp(LogErrorMean).
	LogErrorMean stats.Number `json:"log_error_mean"`
	LogBias      stats.Number `json:"log_bias"`
	LogPairs     int          `json:"log_pairs"`

	// The shares of predictions below the actual run time, equal to it, and
	// above it: %, together 100.
	UnderPct   stats.Number `json:"under_pct" show:"under,%" narrow:"9"`
	PerfectPct stats.Number `json:"perfect_pct"`
	OverPct    stats.Number `json:"over_pct"`

	// DistributionMethod tells how medians and quantiles were computed:
	// "exact", or by a sketch with the given error.
	DistributionMethod string `json:"distribution_method" csv:"-"`
}

// Detail returns all scores of the jobs so far.
func (t *RunTimeTally) Detail() (RunTime, RunTimeDetail) {
	accuracy, absolute := t.accuracies(), t.absoluteErrors()
	s := &t.sums
	method := t.method(stats.RelativeError)
	if t.counts != nil {
		method += ", of accuracies error 0.001"
	}
	share := func(n int) stats.Number { return stats.Number(100 * ratio(n, s.predicted())) }
	return t.result(absolute), RunTimeDetail{
		AccuracyMedian:      stats.Number(accuracy.Quantile(0.5)),
		Accurate:            stats.Number(1 - accuracy.AtMost(0.9)),
		AbsoluteErrorQ25:    stats.Number(absolute.Quantile(0.25)),
		AbsoluteErrorQ75:    stats.Number(absolute.Quantile(0.75)),
		AbsoluteErrorQ90:    stats.Number(absolute.Quantile(0.9)),
		AbsoluteErrorQ99:    stats.Number(absolute.Quantile(0.99)),
		Bias:                stats.Number(s.mean(s.signed)),
		RelativeErrorMean:   stats.Number(s.relative / float64(s.relativeN)),
		RelativeErrorMedian: stats.Number(t.relativeErrors().Quantile(0.5)),
		LogErrorMean:        stats.Number((s.logUnder + s.logOver) / float64(s.logN)),
		LogBias:             stats.Number((s.logOver - s.logUnder) / float64(s.logN)),
		LogPairs:            s.logN,
		UnderPct:            share(s.under),
		PerfectPct:          share(s.perfect),
		OverPct:             share(s.over),
		DistributionMethod:  method,
	}
}
