// Package generate makes jobs of a workload model: a synthetic job log, in the
// same schema as a real one.
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
//   - arrivals (arrivals.go, gaps.go, calendar.go, merge.go): interarrival
//     times, stretched by the weights of the half hours of a day and the days
//     of a week, or by shapes of their own; the classes are merged by time;
//   - sizes (sizes.go): serial, a power of two, or any number of processors;
//   - run times (runtimes.go): from one of two laws, the share of which depends
//     on the size, or from the total work and a speedup.
//
// Malleable jobs (malleable.go) have three laws in place of the last two. Users
// (users.go, quantiles.go) give each of their applications a stretch of the
// quantiles of sizes and run times, and may come back in sessions
// (sessions.go). What users ask for (estimates_workload.go) is drawn last, given
// the run time; estimates.go has the models of it. Bursts and bags of tasks
// (gaps.go) are ways of arrivals. The header (header.go) says how to make a log again, and
// ReadRecipe (recipe.go) reads it.
//
// Opinions:
//
//   - One seed. Every class has its own stream of random numbers for arrivals,
//     and every job its own for its size and for its run time, named by seed,
//     part, class and the job's number in the class. So the k-th batch job is
//     the same on any number of cores, whatever other classes there are, and a
//     change to one part of a model leaves the other parts' draws as they were.
//   - Submissions are whole seconds, but the clock behind them is not rounded.
//     The original program keeps the truncated clock, loses half a second a
//     job by it, and its daily cycle drifts: by eight minutes after 1,000 jobs
//     of a class, by a day after 172,800. Options.OriginalClock brings that
//     back.
//   - Estimates change nothing else, but that the model of 2005 cuts run times to
//     the largest estimate; how many, Made says.
//   - Exact switches off what rounding and cutting do to a law, so that a fit
//     can be tested on laws alone.
//
// Memory is a few batches, however many jobs are asked for. The package knows
// nothing of files; it sits beside fit, which makes models of logs, and below
// sched, which gives the jobs their waits.
package generate
