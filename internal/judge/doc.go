// Package judge holds workloads made after a log against the log, for the tests
// of the packages that make them: the sites, the schedules, the bounds of each row
// and the misses that are known. The measures are package score's, the schedules
// package sched's.
package judge
