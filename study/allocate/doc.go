// Package allocate studies how malleable jobs choose their sizes: Downey (1997),
// "Using queue time predictions for processor allocation".
//
//	Workload.Jobs or FromLog --> jobs --Study.Run--> Outcome
//	                                    Replicate--> outcomes of many seeds --Over--> intervals
//
// A malleable job can be given any number of processors when it starts, up to
// its average parallelism A. The machine gives its processors first come, first
// served, and the job at the head of the queue chooses: as many as are free, at
// once, or more, for which it holds out. machine.go and simulate.go have the
// machine and its days, strategy.go the ways of choosing; forecaster.go those
// that predict, by predict's Downey A and B (outlook.go is a fast form of the
// paper's combination, held against it by a test) with the lifetimes of
// lifetimes.go, bias.go what they learn of their errors.
//
// A strategy is looked at from two sides. From the application's (whatif.go,
// application.go) every job is asked what it would have saved on AVG's schedule
// had it alone chosen so, while all others did what they did: since none passes
// it in the queue, its wait follows from the ends of the jobs that run. From the
// system's (system.go) all jobs choose so. tune.go searches HEUR's parameters,
// and vary.go sets what is to be varied. compute.go is the whole study as one call,
// by options.go; quantities.go sums up its outcomes, and costs.go says how long it takes.
//
// Opinions:
//
//   - The paper's figures of AVG come out if A is its ceiling everywhere and a
//     night has at least 12 hours; if it ended with its queue, as the text can
//     be read, they do not.
//   - What the paper leaves open is in Rules, with the reading that meets most
//     of its figures as the default.
//   - A job knows sizes and ages of what runs; the corrected prediction learns
//     from outcomes when they are known, not before.
//   - At one instant ends come before submissions and these before starts, as
//     everywhere here. The same seed gives the same bytes on any number of cores.
//
// Its neighbours: package sched simulates rigid jobs, whose sizes are not to be
// chosen; package generate draws the jobs; study/grid, which this package does
// not import, chooses sites.
package allocate
