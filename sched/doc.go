// Package sched simulates a space-sharing machine: jobs hold whole processors
// from their start to their end, and those that find too few free wait in a
// queue.
//
// The pipeline is
//
//	jobs by submission --Simulate--> jobs with their simulated waits
//	                       |
//	                       +--> Observer: the State at the moments that matter
//
// The machine has processors, or it is a Cluster: pools of nodes with several
// resources, and partitions that share them. Both have the same events, queue and
// policies; a policy has a planner for each, conservative one for both over a plan.
//
// One file holds each part: machine.go the processors and what runs on them,
// ends.go when that is expected to end, queue.go those that wait, estimator.go
// how long they are expected to run (correct.go when that changes), policy.go
// who decides and one file a policy the decision (fcfs.go, easy.go with
// backfilling, conservative.go on a plan (plan.go, profile.go), sjf.go, priority.go),
// cluster.go the description of a Cluster, demand.go what a job asks of it, pools.go
// its state and pools_*.go what plans on it (poolHeads, easyPools, poolPlan),
// state.go what an observer may see, simulate.go the input, feedback.go the
// submissions of jobs that wait for others (internal/feedback), and simulation.go the events, of
// one machine or of many (wakes.go). A policy only chooses which
// queued job starts now and moves nothing, so a new one is one file and one
// line in Policies.
//
// Opinions:
//   - Events follow the order of workload.Timeline: at one instant finishes
//     come before submissions and submissions before starts. A job without
//     length gives its processors back before the next start.
//   - A job takes the run time and the size of the log (Job.Run, Job.Size)
//     and nothing else of its schedule: the log's waits are replaced, not read.
//   - On a Cluster a job runs in one pool, and holds up others only where they could
//     run in its pools: partitions that share none do not wait for each other.
//   - A simulation is open, each job submitted when the log has it, or closed
//     (Config.Feedback): a job that waits for another is submitted once that has
//     ended and been thought about, and never before its time in the log (Shmueli
//     and Feitelson, TPDS 2009; Zakay and Feitelson, MASCOTS 2014).
//   - A policy sees a whole instant, all its finishes and submissions, before
//     it decides, and it plans with estimates: only Perfect is shown run times.
//   - An estimate that proves too short is doubled at the moment it does.
//   - An observer sees requests, sizes and ages, never a run time: what
//     predicts from a State cannot read the answer.
//   - Jobs are streamed. Memory is the jobs that run and wait, however long
//     the log is.
//   - A job that can never start is left out and counted; it does not block
//     the rest of the log.
//
// Its neighbours: package workload has the jobs, package predict observes a
// simulation to predict waits, package score says what a schedule is worth.
package sched
