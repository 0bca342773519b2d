// Package capacity answers how large a machine has to be for users to wait no longer than a
// target, with an interval.
//
// The pipeline is
//
//	log --> the jobs and twins of them (workload.go)
//	  for each policy, sizes of the machine are simulated (search.go):
//	    by bisection, with the log's jobs: the smallest machine that meets the target
//	    around it, with the log's and the twins': shares of jobs beyond the limit, by week
//	  --> the interval: other weeks that the site might have had (interval.go)
//
// Begin with Compute.
//
// Design decisions:
//   - Simulations are closed: a job that depends on another is submitted after that one has
//     ended (sched.Config.Feedback), so that users slow down on a small machine. Whether they would
//     come sooner on a large one a log does not say: the answer is for users who would not,
//     the interval for both (jobSet.eager).
//   - A workload is the same on all machines, so that differences are those of the machines.
//   - The answer is for weeks like the log's. Its interval has the level Level, and its
//     uncertainty is that of few weeks: a log of a quarter of a year says little of how busy
//     the busiest weeks of a site are, and these decide.
//   - A simulation of today's machine has to give the waits of the log. Where it does not
//     (Answer.Factor), only the relative change of the size is given.
package capacity
