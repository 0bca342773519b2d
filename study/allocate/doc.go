// Package allocate simulates how malleable jobs choose their number of processors:
// Downey (1997), "Using queue time predictions for processor allocation".
//
//	Workload.Jobs or FromLog --> jobs --Study.Run--> Outcome
//	                                    Replicate--> outcomes of many seeds --Over--> intervals
//
// A malleable job can be given any number of processors when it starts, up to its
// average parallelism A. The machine gives its processors first come, first served,
// and the job at the head of the queue chooses: as many as are free, at once, or
// more, for which it waits. machine.go and simulate.go have the machine and its days,
// strategy.go the ways of choosing; forecaster.go those that predict, by predict's
// Downey A and B (outlook.go is a fast form of the paper's combination, which a test
// compares with it) with the lifetimes of lifetimes.go, bias.go what they learn of
// their errors.
//
// A strategy has two views. In the application's view (whatif.go,
// application.go) the saving of each job is what it would have saved on AVG's
// schedule if it alone had used the strategy: because no job overtakes it in
// the queue, its wait follows from the ends of the running jobs. In the
// system's view (system.go) all jobs use the strategy. tune.go searches HEUR's
// parameters, and vary.go sets the parameter that is varied. Compute is the
// whole study as one call; quantities.go summarises its outcomes, and costs.go
// estimates how long it takes.
//
// Design decisions:
//
//   - The paper's figures of AVG come out if A is its ceiling everywhere and a
//     night has at least 12 hours; if it ended with its queue, as the text can
//     be read, they do not.
//   - What the paper leaves open is in Rules; the default is the interpretation that
//     reproduces most of its figures.
//   - A job knows sizes and ages of what runs; the corrected prediction learns
//     from outcomes when they are known, not before.
//   - At one instant ends come before submissions and these before starts, as in
//     workload.Timeline. The same seed gives the same bytes on any number of cores.
//
// Related packages: sched simulates rigid jobs, generate draws the jobs, and
// study/grid chooses among sites.
package allocate
