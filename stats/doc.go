// Package stats provides the statistics that fits, predictors and reports share:
// goodness-of-fit tests, moments, quantiles, correlations, order-statistic bounds and
// summaries of streams.
//
//	data -> Distinct -> KolmogorovSmirnov -> asymptotic or bootstrap p
//	stream -> Moments, Correlation, Quantiles (Add, Merge), Cardinality -> summaries
//	stream -> DistinctCounts -> two-sample KS, Wasserstein
//	table of observations -> NewCoPlot -> map with arrows
//	series -> Autocorrelation, EventCounts
//	history length -> OrderStatistic -> rank of an upper bound (BMBP)
//
// Opinions:
//
//   - Fits and tests take distinct values with counts: run times are whole seconds
//     and repeat, so that there are far fewer distinct values than jobs.
//   - The caller handles unknown values: Distinct leaves NaN out, which cannot be
//     ordered; elsewhere a NaN makes the result NaN.
//   - Accumulators are named structs whose Merge gives what adding all values
//     to one would have given, so that a log can be summed in parts.
//   - Results repeat their inputs and how they were computed: a p-value is
//     "asymptotic" or of a "parametric-bootstrap", a quantile is "exact" or of a
//     sketch with its error, an order-statistic bound has its achieved confidence. A
//     p-value of a law fitted to the same sample is only right by the bootstrap.
//   - Work in parallel is seeded by part, so that any number of cores gives
//     the same result.
//
// Laws are in package dist; scores of predictions are in package score. Nothing in
// this package depends on jobs.
package stats
