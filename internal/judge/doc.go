// Package judge compares workloads that are modelled on a log with the log, for the tests
// of the packages that make them. It contains the sites, the schedules, the bounds of each
// row and the handling of known misses. The measures are those of package score, and the
// schedules those of package sched.
package judge
