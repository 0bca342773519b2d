// Package predict predicts how long a job will wait. (Package runtime
// predicts how long it will run.)
//
// There are four pipelines, one for each question:
//
//	jobs --AtHead-----> sched.Simulate --Head--> HeadPredictor --> HeadWait
//	jobs --QueueWaits-> sched.Simulate --State-> Simulated ------> QueueWait
//	jobs --Replay-----> workload.Timeline -----> Predictor ------> Replayed
//	jobs --SnapshotBuilder--> Snapshot, a request --> DowneyBQueue, Drawn, ...
//
// AtHead simulates an FCFS queue and asks when the processors that the job at
// its head needs will be free. Downey's predictors (downey.go) answer from the ages and
// sizes of the running jobs and the conditional distribution of their lifetimes
// (lifetimes.go): one law or one for each class, fitted to the whole log
// or to the interval before.
//
// QueueWaits asks, when a job is submitted to such a queue or to one that
// backfills, when it will start. There is one machine, or one for each site.
// The answer comes from a schedule simulated with predicted run times.
//
// Replay plays the log's own waits to a Predictor (replay.go): at each submission it may
// show the machine as the log has it, a Snapshot (snapshot.go). PastWaits asks
// for a time that a job's whole wait will not exceed. BMBP and Chebyshev (bmbp.go) and QBETS
// (qbets.go) answer from the past waits of the log: groups.go
// sorts jobs into groups whose waits are alike, and history.go keeps the waits and
// decides when older ones no longer count. ConformalBound
// (conformal.go) answers from the state of the queue instead, and CombinedBound
// (combined.go) mixes all of these but Chebyshev by their past losses.
//
// For a request that is submitted to a Snapshot, DowneyBQueue (downey_b_queue.go)
// predicts the whole wait with processors as a fluid, ScheduledWait
// (schedule.go) by one simulated schedule, and Drawn (drawn.go) by many.
//
// Design decisions:
//   - A predictor receives only what is known at the time: requests, ages and past
//     waits. It cannot read the answer.
//   - A bound repeats the request and reports what it achieves: the rank and
//     the exact confidence of the order statistic, given the length of the
//     history.
//   - A job older than its law allows is assumed to last as long again with
//     probability 1/2 (see OneLaw).
//   - A prediction is at least Shortest, because scores take logarithms.
//   - A missing prediction is NaN and false, and NaN in the rows of a replay; package
//     score counts the coverage.
//
// Related packages: package sched simulates, package stats has the ranks and moments,
// package fit the lifetimes, and package score scores what AtHead and Replay
// yield.
package predict
