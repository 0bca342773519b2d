// Package survey fits a whole log in one call: laws of the attributes of its jobs,
// class by class, and the model of the site.
//
//	log --Compute--> Result: reports of laws, ranked; model.Site and its report
//
// The log is read once and not kept in memory: jobs are collected by class
// (package fit), every family is fitted to every attribute of every class, and
// package fit/site fits the model of the site. 'loadstone fit' prints the
// Result.
//
// Design decisions:
//   - Families of one class and attribute are fitted to the jobs that all of
//     them can use, so that their likelihoods can be compared.
//   - A law that the log does not determine is only a warning if another could
//     be fitted.
//   - The model's law of run times is marked among the reports.
//
// Related packages: fit has the laws, fit/site the model, fit/lifetimes the run times
// of classes as predictors of waits use them.
package survey
