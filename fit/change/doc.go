// Package change tests what changed between two logs, or within one log at a given
// moment.
//
// Logs reads both once, and gathers each attribute as a Series, job by job in
// the order of submission. Compare fits one family to both series, resamples
// each by blocks, because neighbouring jobs are alike, and computes intervals
// for every parameter, the mean and the median of each side and for their
// differences. A two-sample test shows whether both sides have the same law.
// Package fit fits the laws; package fit/lifetimes follows one law over many
// periods.
package change
