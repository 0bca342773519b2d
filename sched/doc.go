// Package sched simulates a space-sharing machine: jobs hold whole processors
// from their start to their end, and those that find too few free wait in a
// queue.
//
// The pipeline is
//
//	jobs by submission --Simulate--> jobs with their simulated waits
//	                       |
//	                       +--> Observer: the State at the moments that matter
//	                       |
//	                       +--> Policy: which job starts; Broker: on which machine
//
// The jobs come by submission, as InOrder sees to:
//
//	processors, _ := log.Header.Processors()
//	config := sched.Config{Processors: processors, Policy: sched.EASY{}}
//	for job, err := range sched.Simulate(workload.InOrder(log.Jobs(), nil), config, nil) { ... }
//
// Simulate feeds a log to a Simulation. A caller that decides during the simulation what
// comes next steps one itself: NewSimulation, Submit, Advance, Next.
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
