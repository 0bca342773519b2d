// Package inspect describes and validates job logs: how many jobs there are, when and by
// whom they were submitted, how times and sizes are distributed, how busy the machine was,
// and which values are missing, implausible or impossible.
//
//	log --Describe--> Description
//	log --Use-------> Usage: load, utilisation, queue and waits over time
//	log --Validate--> Validation: the findings of each rule, with their places
//
// Each function reads the log once, a batch at a time. Means and variances are exact.
// Quantiles are exact up to a limit and beyond it come from a sketch with a known error;
// the result states which. Memory grows with the number of distinct users, groups,
// applications, queues and partitions, not with the number of jobs.
//
// Related packages: stats has the accumulators, workload/reshape cleans and changes logs.
package inspect
