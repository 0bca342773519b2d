// Package population fits the model of a site's users (model/population) to a log.
//
//	jobs --Fit--> jobs that a model can hold, 160 bytes each (jobs.go)
//	    measure    the unit of sizes, the machine; time: weeks or days, the load (fit.go)
//	    track      sessions and bags (jobs.go)
//	    load       how the work varies from week to week; cycle: submissions by hour (cycle.go)
//	    sizes      and run times, waits and gaps: distributions that all users share (laws.go)
//	    requests   what jobs request, and how they end (requests.go, resources.go)
//	    users      the users in strata, by their traits (users.go, traits.go)
//	--> Model
//
// Each step fills its part of the model and sets scores of the jobs, which later steps read.
//
// The fit has no tuning parameters. Run times and sizes are ranked among all jobs of the log, so
// the jobs are kept until the end. For each user the fit keeps means, deviations and steps of
// scores; for each stratum, the quantiles of these and their correlations. Correlations are shrunk
// by a tenth towards 0 and, in a stratum with few users, towards those of all users.
package population
