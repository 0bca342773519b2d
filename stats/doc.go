// Package stats holds the statistics on []float64 that fits, predictors and
// reports share.
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
//   - Distinct values with counts are the currency of fits and tests: run
//     times are whole seconds and repeat, so work over distinct values costs
//     a small part of the work over jobs.
//   - Unknown values are the caller's: NaN is left out by Distinct, which
//     cannot order it, and poisons sums elsewhere, as it should.
//   - Accumulators are named structs whose Merge gives what adding all values
//     to one would have given, so that a log can be summed in parts.
//   - Results repeat their inputs and say how they were made: a p-value is
//     "asymptotic" or of a "parametric-bootstrap", a quantile is "exact" or
//     of a sketch with its error, an order-statistic bound has its achieved
//     confidence. A p-value of a law fitted to the same sample is only right
//     by the bootstrap.
//   - Work in parallel is seeded by part, so that any number of cores gives
//     the same result.
//
// Laws are in package dist; what a score of predictions is called and how it
// is tabulated is in package score. Nothing here knows of jobs.
package stats
