// Package predict predicts how long a job will wait. (Package runtime
// predicts how long it will run.)
//
// There are four pipelines:
//
//	jobs --AtHead-----> sched.Simulate --Head--> HeadPredictor --> HeadWait
//	jobs --QueueWaits-> sched.Simulate --State-> Simulated ------> QueueWait
//	jobs --Replay-----> workload.Timeline -----> Predictor ------> Replayed
//	jobs --SnapshotBuilder--> Snapshot, a request --> DowneyBQueue, Drawn, ...
//
// AtHead simulates an FCFS queue and asks when the processors that the job at
// its head needs will be free. Downey's predictors (downey.go) answer from the ages and
// sizes of the running jobs and the conditional distribution of their lifetimes
// (lifetimes.go): one law for all jobs or one for each class, fitted to the whole log
// or to the preceding interval.
//
// QueueWaits asks, when a job is submitted to such a queue or to one that
// backfills, when the job will start. There is one machine, or one for each site.
// The answer comes from a schedule simulated with predicted run times.
//
// Replay passes the recorded waits to a Predictor (replay.go), together with the state of
// the machine at each submission if the predictor asks for it, as a Snapshot (snapshot.go).
// PastWaits is the Predictor of upper bounds of a job's whole wait. BMBP and Chebyshev
// (bmbp.go) and QBETS (qbets.go) answer from the past waits of the log: groups.go
// sorts jobs into groups whose waits are similar, and history.go stores the waits and
// decides when older ones no longer apply. ConformalBound
// (conformal.go) answers from the state of the queue instead, and CombinedBound
// (combined.go) mixes all of these except Chebyshev by their past losses.
//
// For a request that is submitted to a Snapshot, DowneyBQueue (downey_b_queue.go)
// predicts the whole wait by treating processors as a fluid, ScheduledWait
// (schedule.go) by one simulated schedule, and Drawn (drawn.go) by many.
//
// Design decisions:
//   - A predictor receives only facts known at the time: requests, ages and past
//     waits. It cannot read the answer.
//   - A bound contains the requested levels and those achieved: the rank and
//     the exact confidence of the order statistic, given the length of the
//     history.
//   - A job older than its law allows is assumed to last as long again with
//     probability 1/2 (see OneLaw).
//   - A prediction is at least Shortest, because scores take logarithms.
//   - A missing prediction is NaN and false, and NaN in the rows of a replay; package
//     score counts the coverage.
//
// Related packages: package sched simulates, package stats provides ranks and moments,
// package fit fits lifetimes, and package score scores the results of AtHead and Replay.
package predict
