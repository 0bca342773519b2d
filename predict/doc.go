// Package predict predicts how long a job will wait. (Package runtime
// predicts how long it will run.)
//
// There are four pipelines, one for each question:
//
//	jobs --AtHead-----> sched.Simulate --Head--> HeadPredictor --> HeadWait
//	jobs --QueueWaits-> sched.Simulate --State-> Simulated ------> QueueWait
//	jobs --Bounds-----> workload.Timeline -----> BoundPredictor -> BoundWait
//	jobs --SnapshotBuilder--> Snapshot, a request --> DowneyBQueue, Drawn, ...
//
// AtHead asks when the processors for the job at the head of a simulated FCFS
// queue will be free. Downey's predictors (downey_a.go, downey_exact.go,
// downey_b.go, downey_combined.go) answer from the ages and sizes of the running
// jobs and the conditional law of their lifetimes (the files lifetimes...):
// one law or one for each class, of the whole log or of the interval before.
//
// QueueWaits asks, when a job is submitted to such a queue or to one that
// backfills, of one machine or of each site's, when it will start; the answer is
// a schedule simulated with predicted run times.
//
// Bounds asks, when a job is submitted, for a time that its whole wait will
// not exceed. BMBP (bmbp.go), QBETS (qbets.go), Chebyshev (chebyshev.go) and
// LogNormal (lognormal.go) answer from the log's own past waits: groups.go says
// which of them are alike, history.go keeps them, and changepoint.go says when
// older ones no longer count. Conformal (conformal.go) answers from the state of the
// queue instead, as package predict/conformal has learned waits from it.
//
// A Snapshot is a machine at one moment (snapshot.go, standing.go); Arrivals
// (arrivals.go) makes one of the log as it was for each job that is submitted. For a request
// that is submitted then, DowneyBQueue (downey_b_queue.go) predicts the whole
// wait with processors as a fluid, ScheduledWait (schedule.go) by one simulated
// schedule, and Drawn (drawn.go) by many; LeastTurnaround (choose.go) says which
// of its sizes a malleable job should ask for.
//
// Opinions:
//   - A predictor receives only what is known at the time: requests, ages and past
//     waits. It cannot read the answer.
//   - A bound repeats what was asked and reports what it achieves: the rank and the
//     exact confidence of the order statistic, for the length of history that there
//     was.
//   - A job older than its law allows is taken to last as long again with probability
//     1/2 (see OneLaw).
//   - A prediction is at least Shortest, because scores take logarithms.
//   - A missing prediction is NaN and false, and NaN in the rows of a replay; package
//     score counts the coverage.
//
// Related packages: package sched simulates, package stats has the ranks and moments,
// package fit the lifetimes, and package score scores the rows that AtHead and Bounds
// yield.
package predict
