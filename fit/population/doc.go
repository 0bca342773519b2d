// Package population fits the model of a site's users (model/population) to a log.
//
//	jobs --Collector.Add--> all jobs, 170 bytes each
//	     --Collector.Model--> sessions and bags (collector.go), laws that all users
//	       share (fit.go), traits of each user and strata of users (users.go)
//
// There are no options: the model follows from the log. Ranks of run times and sizes
// are among the jobs of the whole log, so the jobs are kept until the end. Of each
// user the fit keeps means, deviations and steps of scores; of a stratum the
// quantiles of these and their correlations, drawn a little together (those of a
// stratum of few users towards those of all, and a tenth towards none).
package population
