// Package change tests what changed between two logs, or within one log at a given
// moment.
//
// Logs reads both once, and gathers each attribute as a Series, job by job in the
// order of submission. Compare fits one law to both series, resamples each by blocks,
// since neighbouring jobs are alike, and gives every parameter, the mean and the
// median an interval on either side and one of the difference; a two-sample test says
// whether both have the same law. Package fit fits the laws; package fit/lifetimes
// follows one law over many periods.
package change
