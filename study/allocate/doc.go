// Package allocate simulates how malleable jobs choose their number of processors:
// Downey (1997), "Using queue time predictions for processor allocation".
//
//	draw or fromLog --> jobs --comparison.run--> Outcome of each workload --> Result
//
// A malleable job can be given any number of processors when it starts, up to its
// average parallelism A. The machine allocates its processors first come, first served,
// and the job at the head of the queue chooses: as many processors as are free, at once,
// or more, for which it waits. machine.go contains the machine and its days, strategy.go the
// strategies and the choices that need no prediction, and predicted.go those that
// predict: by predictors A and B of Downey as in package predict, of which outlook.go is a
// fast form (a test compares the two), corrected by the errors of earlier predictions.
//
// A strategy is evaluated in two views. In the application's view, the saving of each
// job is the time that it would save on AVG's schedule if it alone used the strategy:
// because no job overtakes it in the queue, its wait follows from the ends of the
// running jobs. In the system's view, all jobs use the strategy. scores.go computes the
// scores of both. Compute is the whole study as one call.
//
// Design decisions:
//
//   - The paper's figures for AVG are reproduced if A is rounded up everywhere and a
//     night has at least 12 hours. The text can also be read as if the night ended when
//     the queue is empty; then they are not reproduced.
//   - A job knows the sizes and ages of the running jobs. The corrected prediction learns
//     from outcomes only when they are known.
//   - At one instant, ends come before submissions, and these before starts, as in
//     workload.Timeline. The same seed gives the same bytes on any number of cores.
//
// Related packages: sched simulates rigid jobs, generate draws the jobs, and
// study/grid chooses among sites.
package allocate
