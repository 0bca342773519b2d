// Package sched simulates a space-sharing machine: jobs hold whole processors
// from their start to their end, and wait in a queue while too few processors are
// free.
//
// The pipeline is
//
//	jobs by submission --Simulate--> jobs with their simulated waits
//	                       |
//	                       +--> Observer: called at each event, with the State
//	                       |
//	                       +--> Policy: which job starts; Broker: on which machine
//
// Jobs must come in order of submission; workload.InOrder sorts them:
//
//	processors, _ := log.Header.Processors()
//	config := sched.Config{Processors: processors, Policy: sched.EASY{}}
//	for job, err := range sched.Simulate(workload.InOrder(log.Jobs(), nil), config, nil) { ... }
//
// The machine has processors only, or it is a Cluster: pools of nodes with several
// resources, and partitions that share them. There may also be a machine for each
// partition of the log (Config.Sites), or several machines to which a Broker sends
// jobs (Config.Machines). All have the same events, queue and policies.
//
// A Policy is one of FCFS, EASY, Conservative, SJF and Priority, or a custom one. The value
// holds only parameters; its Planner looks at a State and returns the Place of a job that
// starts. Adding a policy to this package takes one file and one line in Policies; a custom
// policy is passed as Config.Policy, or in the list that PolicyNamed takes.
//
// simulation.go contains the events, start.go and finish.go the steps at one instant, and
// simulate.go the input.
//
// Design decisions:
//   - Events follow the order of workload.Timeline: at one instant finishes
//     come before submissions and submissions before starts. A job of length 0
//     returns its processors before the next start.
//   - A job keeps its run time and size in the log (Job.Run, Job.Size). The log's
//     waits are ignored and replaced.
//   - On a Cluster a job runs in one pool, and delays only jobs that could run in its
//     pools: partitions that share no pool do not wait for each other.
//   - A simulation is open, with each job submitted at its time in the log, or closed
//     (Config.Feedback): a job that depends on another is submitted when that job has
//     ended and the think time has passed, and never before its time in the log
//     (Shmueli and Feitelson, TPDS 2009; Zakay and Feitelson, MASCOTS 2014).
//   - A policy decides after all finishes and submissions of an instant, and it plans
//     with estimates: only Perfect is given run times.
//   - An estimate is doubled at the moment the job exceeds it.
//   - An observer sees requests, sizes and ages, never a run time, so that a
//     predictor cannot read the answer from a State.
//   - Jobs are streamed. Memory use depends on the number of running and waiting jobs,
//     not on the length of the log.
//   - A job that can never start is left out and counted; it does not block
//     the rest of the log.
//
// Related packages: workload defines jobs, predict observes a simulation to predict
// waits, and score measures a schedule.
package sched
