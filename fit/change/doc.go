// Package change says what changed between two logs, or in one log at a moment.
//
// Logs reads both once, and gathers each attribute as a Series, job by job in the
// order of submission. Compare fits one law to both series, resamples each by
// blocks, since neighbouring jobs are alike, and gives every parameter, the mean
// and the median an interval on either side and one of the difference; a two-sample
// test says whether the two have one law at all. Package fit fits the laws;
// package fit/lifetimes follows one law over many periods.
package change
