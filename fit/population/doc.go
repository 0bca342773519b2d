// Package population fits the model of a site's users (model/population) to a log.
//
//	jobs --Fit--> jobs that a model can hold, 160 bytes each (jobs.go)
//	    measure    the unit of sizes, the machine; time: weeks or days, the load (fit.go)
//	    track      sessions and bags (jobs.go)
//	    load       how the work varies from week to week; cycle: the hours of jobs (cycle.go)
//	    sizes      and run times, waits and gaps: laws that all users share (laws.go)
//	    requests   what jobs ask for, and how they end (requests.go, resources.go)
//	    users      the users in strata, by their traits (users.go, traits.go)
//	--> Model
//
// Each step fills its part of the model and sets scores of the jobs, which later steps read.
//
// The model follows from the log; there is nothing to choose. Run times and sizes are
// ranked among all jobs of the log, so the jobs are kept until the end. For
// each user the fit keeps means, deviations and steps of scores; for each
// stratum, the quantiles of these and their correlations. The correlations are
// shrunk: those of a stratum with few users towards those of all users, and by
// a tenth towards 0.
package population
