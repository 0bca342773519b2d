// Package fit fits probability distributions, or laws, to the jobs of a log.
//
//	jobs --Collect--> samples --Fit-----> Report (a law and how well it fits)
//	                     |
//	                     +------site.Fit----> model.Site and site.Report
//	     weeks of samples --bootstrap of weeks (site)--> confidence intervals
//
// A Sample holds the distinct values of an attribute with the number of jobs of each. Run times
// are whole seconds and repeat, so the cost of a fit depends on the number of distinct values,
// not of jobs. Samples are collected from a stream; the log itself is never in memory:
//
//	clock, _ := log.Header.Clock()
//	classes, err := fit.Collect(log.Jobs(), clock, fit.CollectOptions{}, nil)
//	if err != nil { ... }
//	report, err := fit.Fit("hyper-gamma", fit.RunTime, classes[0].Sample(fit.RunTime), fit.Options{})
//
// The model of site.Fit consists of independent distributions, and its load may differ from that
// of the log. Package fit/population fits the model of the site's users, which keeps the load.
// The command fit -o writes that model, and generate/population draws from it.
//
// Each family is one file: uniform-log, of one stage or several, by least squares (Downey 1997),
// Gamma by maximum likelihood, mixtures of Gammas, of Erlangs and of exponentials by EM with
// SQUAREM's acceleration, two-stage uniform by least squares (Lublin and Feitelson 2003),
// log-normal, Weibull, Pareto, exponential and uniform. Fit fits the family with a given name,
// and RankFamilies fits several to the same jobs. Options.Families adds custom families.
//
// Design decisions:
//
//   - A fit returns a Report: parameters, number of jobs, jobs left out and why, likelihood,
//     distance, warnings. Status reports whether the fit converged. A sample that does not
//     determine a law gives a *DegenerateError, never a NaN.
//   - Log-likelihoods are of the attribute itself, so that a law of run times and a
//     law of their logarithms can be compared.
//   - A law is fitted by the paper's estimator; Report.Method names it.
//   - All jobs whose attribute is known and positive are used, whatever their status. Values for
//     which a transform is not above 0 (1 s or less for ln) are left out and counted.
//   - The likelihood of a mixture has no maximum if rounded data are taken as exact, so no
//     component may be narrower than the rounding (see fit/internal/em). With Options.Censored,
//     the values of jobs that were killed are lower bounds; only some laws of one component
//     support it.
//   - A tabulated p-value is too large for a law that was fitted to the same sample,
//     so none is given. The bootstrap, an option, refits every replicate.
//   - Only the bootstrap and subsamples are random, and they are seeded.
//     Results are identical on any number of cores.
//
// Package fit/site uses this package to fit the model of a whole site, and fit/lifetimes to fit
// run times class by class.
package fit
