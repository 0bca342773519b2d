// Package site fits a model of a whole site's workload to a job log: the model of
// Lublin and Feitelson (2003), "The workload on parallel supercomputers: modeling the
// characteristics of rigid jobs".
//
//	jobs --Fit--> model.Site and Report
//	jobs --fit.Collect--> classes --FitClasses--> model.Site and Report
//	                      weeks of them --DrawIntervals--> confidence intervals
//	models of sites --Representative--> an average model
//
// Every class of jobs has sizes, run times that depend on the size, arrivals with
// their daily and weekly cycle, and requested times where the log has them. A class
// that cannot be fitted gets its observed sizes and pooled laws, and the report lists
// it as a fallback.
package site
