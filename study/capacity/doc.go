// Package capacity computes how large a machine must be for the waits of its users to meet a
// target, with an interval.
//
// The pipeline is
//
//	log --> its jobs and twins (workload.go)
//	  for each policy, machines of several sizes are simulated (search.go):
//	    by bisection, with the log's jobs: the smallest machine that meets the target
//	    around it, with the log's jobs and the twins: shares of jobs beyond the limit, by week
//	  --> the interval: other weeks that the site might have had (interval.go)
//
// Begin with Compute.
//
// Design decisions:
//   - Simulations are closed: a job that depends on another is submitted after the other has
//     ended (sched.Config.Feedback), so that users slow down on a small machine. A log does not
//     show whether they would submit sooner on a large one: the answer is for users who would
//     not, the interval for both (jobSet.eager).
//   - The workload is the same on all machines, so that only the machines differ.
//   - The answer is for weeks like the log's. Its interval has the level Level, and covers the
//     uncertainty due to few weeks: a log of three months contains little information on
//     the busiest weeks of a site, and these determine the answer.
//   - A simulation of today's machine should reproduce the waits in the log. If it does not
//     (Answer.Factor), only the relative change of the size is given.
package capacity
