// Package judge measures what a scheduler sees of a workload: waits of a plain
// EASY schedule, open and closed, dispersion of arrivals, locality. It is for the
// tests of the packages that make workloads after a log, beside sched and score,
// which have none of its code.
package judge
