// Package series has what bounds of waits need of past waits as a series of
// numbers: the k-th smallest of a growing set (orderstat.go), the autocorrelation of
// the normal scores of the last hundred (autocorrelation.go), and how long a run
// above a quantile has to be to be a rare event (runlength.go). It knows no jobs.
package series
