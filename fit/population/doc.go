// Package population fits the model of a site's users (model/population) to a log.
//
//	jobs --Fit, or Collector.Add--> all jobs, 160 bytes each (collector.go)
//	     --Collector.Model--> sessions and bags, laws that all users share (fit.go, cycle.go,
//	       requests.go, resources.go), traits of each user (traits.go), strata of users (users.go)
//
// The model follows from the log; there is nothing to choose. Run times and sizes are
// ranked among all jobs of the log, so the jobs are kept until the end. For
// each user the fit keeps means, deviations and steps of scores; for each
// stratum, the quantiles of these and their correlations. The correlations are
// shrunk: those of a stratum with few users towards those of all users, and by
// a tenth towards 0.
package population
