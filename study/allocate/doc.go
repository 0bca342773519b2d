// Package allocate simulates how malleable jobs choose their number of processors:
// Downey (1997), "Using queue time predictions for processor allocation".
//
//	draw or fromLog --> jobs --comparison.run--> Outcome of each workload --> Result
//
// A malleable job can be given any number of processors when it starts, up to its
// average parallelism A. The machine gives its processors first come, first served,
// and the job at the head of the queue chooses: as many as are free, at once, or
// more, for which it waits. machine.go has the machine and its days, strategy.go the
// strategies and those ways of choosing that need no prediction, predicted.go those that
// predict: by predict's Downey A and B, of which outlook.go is a fast form (a test
// compares the two), and by what they learn of their errors.
//
// A strategy has two views. In the application's view the saving of each
// job is what it would have saved on AVG's schedule if it alone had used the strategy:
// because no job overtakes it in the queue, its wait follows from the ends of the
// running jobs. In the system's view all jobs use the strategy. scores.go sums both up.
// Compute is the whole study as one call.
//
// Design decisions:
//
//   - The paper's figures of AVG come out if A is its ceiling everywhere and a
//     night has at least 12 hours; if it ended with its queue, as the text can
//     be read, they do not.
//   - A job knows sizes and ages of what runs; the corrected prediction learns
//     from outcomes when they are known, not before.
//   - At one instant ends come before submissions and these before starts, as in
//     workload.Timeline. The same seed gives the same bytes on any number of cores.
//
// Related packages: sched simulates rigid jobs, generate draws the jobs, and
// study/grid chooses among sites.
package allocate
