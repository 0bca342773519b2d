// Package inspect describes and validates job logs: how many jobs, when and by whom,
// how their times and sizes are distributed, which values are missing, and which are
// impossible or implausible.
//
//	batches --Describe--> Description
//	batches --Validate--> Validation: findings, a rule each, with places
//
// A table is read once, a batch at a time. Means and variances are exact;
// quantiles are exact up to a stated number of values and come from a sketch
// with a stated error beyond it, and each says which. Memory grows with the
// number of distinct users, groups, applications, queues and partitions, not
// with the number of jobs.
//
// Related packages: workload reads the table, stats has the accumulators;
// workload/reshape alters a table; cmd prints what is found here.
package inspect
