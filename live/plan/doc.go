// Package plan predicts from simulated schedules when the pending jobs of a machine will
// start, and how long a request would wait, for a service that is asked often.
//
//	jobs that end --Observe--> Planner
//	[]Machine ------Plan-----> Plan --> Start, Wait
//
// A Planner learns the run times of jobs as they end (runtime.Kernel). Plan draws run times
// for those that run, given their ages, and for those that wait, simulates the schedule
// of each draw (package sched), and keeps when each pending job starts and when requests of
// many sizes and time limits would. A Plan is immutable; questions about it are answered
// by interpolation, in microseconds.
//
// Design decisions:
//   - The expected start is the median over the schedules: it has the least expected
//     absolute error. A single schedule with expected run times, or with time limits
//     as Slurm plans, gives no such median.
//   - A request is at the end of its queue. Later submissions are not predicted.
//   - The schedules are not simulated once more for each size and time limit: a job at the
//     end of the queue changes nothing before it starts, so that one simulation
//     answers for all of them (sched.Opening), and exactly.
//   - Work is counted, not timed: the same input gives the same plan, on any number of
//     cores and however busy they are.
//   - Of a long queue the first jobs are simulated, as backfilling schedulers do. For those
//     behind them, and for requests, the time is added in which as many processors as are
//     busy now do the work of the jobs between.
//   - Real machines differ from any schedule: they serve by priorities that change,
//     and later jobs may start first. The errors of past forecasts correct the later
//     ones.
//
// Related: predict.Drawn simulates the schedules of one request from the start, and
// package live asks for a Plan after each poll.
package plan
