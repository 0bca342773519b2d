// Package dist provides the probability distributions, or laws, used by workload models:
// UniformLog (Downey's lifetimes), Uniform, TwoStageUniform (Lublin's sizes), Exponential, Gamma,
// HyperGamma (Lublin's run times), GammaMixture, LogNormal, Weibull, Pareto, Normal (of
// logarithms), MultiStageUniformLog, and Ln, the law of a positive quantity whose logarithm
// follows another law.
//
// A law is a comparable struct of its parameters. Every law implements Law: log-density,
// distribution function, survival function, quantile and sampling, each with relative accuracy
// even far in the tails. Operations that only some laws implement are package functions: Mean,
// InverseSurvival, SurvivalGiven, Validate, and LogDensity, which returns the log-density with
// its constants precomputed, for loops over millions of values.
//
// Design decisions:
//   - Gamma laws have a scale, never a rate, so the mean is shape times scale.
//   - Survival is a separate function, because 1 - CDF loses accuracy in the tail. A
//     log-density is -Inf outside the support, not an error.
//   - Laws fitted to the same sample are compared by the log-likelihood of the quantity itself.
//     The log-density of Ln therefore includes the Jacobian.
//   - Methods expect a law that Validate accepts. Any other law gives NaN or meaningless
//     numbers, but never panics. Call Validate after a fit; Unmarshal calls it.
//   - The random source, of math/rand/v2, is an argument. A seed gives the same values on
//     one type of processor, and a golden test pins them.
//
// Marshal and Unmarshal convert to and from the JSON form in model files, {"family": ..,
// "parameters": ..}. A custom law is a type with the methods and tags of Named and, if it
// has one, Mean; a Family reads it from a file.
//
// Related packages: fit fits laws to data, stats tests goodness of fit, and predict has rules for
// jobs older than a law's support.
package dist
