// Package grid simulates a grid: several clusters, each a space-sharing machine with
// its own queue, and a broker with a global queue that assigns jobs to clusters. It
// is the study of Sonmez and others (2009), "Trace-based evaluation of job runtime
// and queue wait time predictions in grids", section 5, on any log.
//
//	grid file --Decode--> Grid; log, Options --Compute--> Result: policies and their scores
//
// The clusters (grid.go) are the machines of a simulation of package sched (simulate.go),
// and a policy is the sched.Broker that sends jobs to them: LB, FPF and Home are in
// policies.go, ECT in ect.go. forecast.go predicts the run times for ECT. window.go
// finds the busiest days of the log; compute.go is the whole study.
//
// Design decisions:
//   - Clusters are strictly first come, first served, without backfilling: jobs start
//     in the order in which the broker sent them, and stay on their cluster.
//   - At one instant, jobs end first, then the submitted jobs are sent, one by one
//     in the log's order, then jobs start. The broker sees all of these events.
//   - Run times in the log are taken to be those at speed 1; on a cluster of speed s, a job
//     takes 1/s of that time. If a cluster of the grid stands for the site of a job, the
//     run time is taken to have been measured at that cluster's speed.
//   - Predictors learn and predict at speed 1, so that the run time on one cluster
//     predicts that on another.
//   - The paper publishes sizes but no speeds, and does not define a prediction for
//     a class without history. This package makes assumptions for both, and its results
//     state them.
//   - Only ECT-Perfect knows run times. A predictor is given a request, so it cannot read
//     the answer.
//
// Nothing is random. Related packages: sched simulates machines and brokers; runtime has the
// predictors; score scores the jobs.
package grid
