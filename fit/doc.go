// Package fit turns a job log into laws.
//
//	jobs --Collect--> samples --Fit-----> Report (a law and what it is worth)
//	                     |
//	                     +------site.Fit----> model.Site and site.Report
//	     weeks of samples --site.DrawIntervals--> how surely the site is known
//
// A Sample holds the distinct values of an attribute with how many jobs have
// each: run times are whole seconds and repeat, so a fit to a million jobs
// costs what its distinct values cost. Samples are collected from a stream,
// in parts that merge; the log itself is never held:
//
//	clock, _ := log.Header.Clock()
//	classes, err := fit.Collect(log.Jobs(), clock, fit.CollectOptions{}, nil)
//	if err != nil { ... }
//	report, err := fit.Fit("hyper-gamma", fit.RunTime, classes[0].Sample(fit.RunTime), fit.Options{})
//
// Families are one file each: uniform-log, of one stage or several, by least
// squares (Downey 1997), Gamma by maximum likelihood, mixtures of Gammas, of
// Erlangs, of exponentials and of log-normals by EM with SQUAREM's
// acceleration, two-stage uniform by least squares (Lublin and Feitelson
// 2003), log-normal, Weibull, Pareto, exponential and uniform. Fit is one
// function of the family's name; Rank orders what it returns. A custom Family
// stands in Options.Families.
//
// Opinions:
//
//   - A fit returns a Report: parameters, n, what was left out and why, how it
//     ended, likelihood, distance, warnings. What did not converge says so in
//     its Status; what a sample does not determine is a *DegenerateError,
//     never a NaN.
//   - Log-likelihoods are of the attribute itself, so that a law of run times
//     and one of their logarithms compare.
//   - A law is by the paper's estimator unless another is asked for
//     (Options.Method, such as moments), and then says so.
//   - All jobs whose attribute is known and positive are used, whatever their
//     status. What a transform cannot take (ln of a second or less) is left
//     out and counted.
//   - The likelihood of rounded data as if it were exact has no maximum: a
//     component may not be narrower than the rounding (fit/internal/em says
//     how that is bounded). Options.Rounding, Censored and Max give mixtures and
//     Weibull laws the likelihood of what is known of each job: a cell, a
//     least run time, a law that is cut.
//   - A tabulated p-value of a fitted law is too large, and none is given:
//     the bootstrap, which refits every replicate, is one option away.
//   - Nothing is random but the bootstrap, folds and subsamples, which are seeded;
//     results have the same bytes on any number of cores.
//
// Package fit/site builds a model of a whole site on it, and fit/lifetimes
// fits run times class by class.
package fit
