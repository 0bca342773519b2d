// Package stats provides the statistics that fits, predictors and reports share:
// goodness-of-fit tests, moments, quantiles, correlations, order-statistic bounds and
// summaries of streams.
//
//	data -> Distinct -> GoodnessOfFit, GoodnessOfFitBootstrap -> tests with p-values
//	stream -> Moments, Correlation, Quantiles (Add, Merge), Cardinality -> summaries
//	stream -> Distribution -> two-sample KS, Wasserstein
//	series -> Autocorrelation, EventCounts
//	history length -> OrderStatistic -> rank of an upper bound (BMBP)
//
// Design decisions:
//   - Fits and tests take distinct values with counts. Run times are whole seconds and repeat,
//     so there are far fewer distinct values than jobs.
//   - Callers handle unknown values. Distinct drops NaN, which cannot be ordered; elsewhere a
//     NaN makes the result NaN unless stated otherwise.
//   - Results repeat their inputs and name their method: a p-value is "asymptotic" or
//     from a "parametric-bootstrap", a quantile is "exact" or from a sketch with a known error,
//     and an order-statistic bound has the confidence that it achieves. If a law was fitted to
//     the same sample, only the bootstrap gives a correct p-value.
//   - Parallel work is seeded per part, so results do not depend on the number of cores.
//
// Laws are in package dist, scores of predictions in package score. Nothing in this package
// depends on jobs.
package stats
