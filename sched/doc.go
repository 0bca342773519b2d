// Package sched simulates a space-sharing machine: jobs hold whole processors
// from their start to their end, and those that find too few free wait in a
// queue.
//
// The pipeline is
//
//	jobs by submission --Simulate--> jobs with their simulated waits
//	                       |
//	                       +--> Observer: calls at the moments that matter, with the State
//	                       |
//	                       +--> Policy: which job starts; Broker: on which machine
//
// Jobs must come in order of submission; workload.InOrder sorts them:
//
//	processors, _ := log.Header.Processors()
//	config := sched.Config{Processors: processors, Policy: sched.EASY{}}
//	for job, err := range sched.Simulate(workload.InOrder(log.Jobs(), nil), config, nil) { ... }
//
// The machine has processors, or it is a Cluster: pools of nodes with several
// resources, and partitions that share them. Several machines are one for each
// partition of the log (Config.Sites), or those that a Broker sends jobs to
// (Config.Machines). All have the same events, queue and policies.
//
// A Policy is one of FCFS, EASY, Conservative, SJF and Priority, or a custom one. The value
// holds only parameters; its Planner looks at a State and returns the Place of a job that
// starts. A new policy of this package is one file and one line in Policies; a custom one
// is a value in Config.Policy, or in the list that PolicyNamed takes.
//
// simulation.go has the events, start.go and finish.go what happens at one instant,
// simulate.go the input.
//
// Design decisions:
//   - Events follow the order of workload.Timeline: at one instant finishes
//     come before submissions and submissions before starts. A job without
//     length gives its processors back before the next start.
//   - A job keeps the run time and the size of the log (Job.Run, Job.Size). The log's
//     waits are replaced, not read.
//   - On a Cluster a job runs in one pool, and delays only jobs that could run in its
//     pools: partitions that share no pool do not wait for each other.
//   - A simulation is open, each job submitted when the log has it, or closed
//     (Config.Feedback): a job that depends on another is submitted when that job has
//     ended and the think time has passed, and never before its time in the log
//     (Shmueli and Feitelson, TPDS 2009; Zakay and Feitelson, MASCOTS 2014).
//   - A policy sees a whole instant, all its finishes and submissions, before
//     it decides, and it plans with estimates: only Perfect is shown run times.
//   - An estimate is doubled at the moment the job exceeds it.
//   - An observer sees requests, sizes and ages, never a run time, so that a
//     predictor cannot read the answer from a State.
//   - Jobs are streamed. Memory is the jobs that run and wait, however long
//     the log is.
//   - A job that can never start is left out and counted; it does not block
//     the rest of the log.
//
// Related packages: workload has the jobs, predict observes a simulation to predict
// waits, and score measures a schedule.
package sched
