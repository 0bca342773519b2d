// Package site turns a job log into a model of the whole site: that of Lublin
// and Feitelson (2003), "The workload on parallel supercomputers: modeling the
// characteristics of rigid jobs".
//
//	jobs --Fit--> model.Site and Report
//	jobs --fit.Collect--> classes --FitClasses--> model.Site and Report
//	                      weeks of them --DrawIntervals--> how surely it is known
//	model.Sites --Representative--> the model of all of them
//
// Every class of jobs has sizes, run times that depend on the size, arrivals
// with their daily and weekly cycle, and requested times where the log has
// them. A class that cannot be fitted falls back to its own values and to pooled
// laws, and the report says so.
package site
