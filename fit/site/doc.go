// Package site fits a whole log in one call: distributions of the attributes of its jobs, class
// by class, and the model of the site that ran them, by Lublin and Feitelson (2003), "The
// workload on parallel supercomputers: modeling the characteristics of rigid jobs".
//
//	log --Compute--> Result: reports of distributions, ranked; model.Site and its Report
//	models of sites --Average--> one model
//
// The log is read once and not kept in memory. The files, in the order of a fit:
//
//	compute.go    options, result, and the reading of the log into classes of jobs (package fit)
//	laws.go       every family fitted to every attribute of every class
//	model.go      a class of the model: its parts, one by one, and the model of all classes
//	sizes.go      the two-stage uniform of log2 of the sizes
//	runtimes.go   two Gammas of ln of the run time
//	share.go      the share of the first Gamma as a function of the size
//	arrivals.go   gaps at peak hours, the daily and the weekly cycle
//	fallback.go   classes that cannot be fitted: observed values and pooled distributions
//	intervals.go  a bootstrap of weeks, for intervals of all parameters
//	average.go    one model of several sites
//	search.go     the two ways to make one distribution of several
//
// Families of one class and attribute are fitted to the jobs that all of them can use, so that
// their likelihoods can be compared. A law that the log does not determine is only a warning if
// another could be fitted.
package site
