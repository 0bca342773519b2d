// Package generate draws synthetic job logs from a workload model, in the same schema
// as real logs.
//
//	model.Site --New--> Workload --Batches or Jobs--> job table
//
//	site, err := model.Preset(model.Lublin2003)
//	if err != nil { ... }
//	made, err := generate.New(site, generate.Options{Jobs: 10000, Seed: 1})
//	if err != nil { ... }
//	for job, err := range made.Jobs() { ... }
//
// For every class of the model three parts are drawn, in the order of Lublin
// and Feitelson's own program:
//
//   - arrivals (arrivals.go): interarrival times, stretched by the weights of the half hours
//     of a day and the days of a week, or with a different shape for each half hour; the
//     classes are merged by time (stream.go);
//   - sizes and run times (jobs.go), in the forms that the model uses (package model).
//
// Malleable jobs have three laws instead of the last two. Requested times are drawn last, given
// the run time. The header (header.go) records how the log was made.
//
// Design decisions:
//
//   - One seed. Every class has its own stream of random numbers for arrivals,
//     and every job its own for its size and for its run time, named by seed,
//     part, class and the job's number in the class. So the k-th batch job is
//     the same on any number of cores, whatever other classes there are, and a
//     change to one part of a model leaves the draws of the other parts
//     unchanged.
//   - Submissions are whole seconds, but the underlying clock is not rounded. The original
//     program truncates the clock itself and so loses half a second for each job; its daily cycle
//     drifts by eight minutes after 1,000 jobs of a class, and by a day after 172,800.
//   - Estimates change nothing else, except that Tsafrir's model of 2005 cuts run
//     times to the largest estimate; Made.Cut counts these.
//   - Options.Exact turns off rounding and truncation, so that a fit can be
//     tested on the laws alone.
//
// Memory use is a few batches, however many jobs are drawn. The package writes no files. Package
// fit/site fits models to logs; package sched simulates the waits of the jobs. The load is that
// of the model, which may be below that of the log to which it was fitted (Options.Load sets
// another). Draw accepts models of both forms. Package generate/population draws from a model of
// users (fit/population), which keeps the log's load; the command does so for files written by
// its fit -o.
package generate
