// Package dist provides the probability distributions, or laws, that workload models
// are made of, one file each: UniformLog (Downey's lifetimes), Uniform,
// TwoStageUniform (Lublin's sizes), Exponential, Gamma, HyperGamma (Lublin's run
// times), GammaMixture, LogNormal and LogNormalMixture, Weibull, Pareto and
// BoundedPareto, Normal (of logarithms), and Ln, the law of a positive quantity whose
// logarithm follows another law.
//
// A law is a comparable value struct of its parameters. Every law implements Law:
// log-density, distribution function, survival, quantile and sampling, each accurate
// relative to its value, also far in the tails. What only some laws can do is a
// package function that upgrades: Mean, Variance, InverseSurvival, SurvivalGiven,
// Validate, and LogDensity, which returns the log-density with its constants hoisted,
// for loops over millions of values.
//
// Opinions:
//
//   - Gamma laws have a scale, never a rate, so the mean is shape times scale.
//   - Survival is a separate function, because 1 - CDF loses accuracy in the tail. A
//     log-density is -Inf outside the support, never an error.
//   - Families fitted to one sample compare by the log-likelihood of the
//     attribute itself. Ln's log-density therefore holds the Jacobian.
//   - Methods expect a law that Validate accepts. A law that it rejects gives NaN or
//     meaningless numbers, but never a panic. Validate is called after a fit and by
//     Unmarshal.
//   - Randomness is math/rand/v2, passed in. The draws of a seed are pinned by
//     a golden test and are the same on every processor: logarithms and powers
//     are num's, whose bits do not depend on it as math's do, and products that
//     feed sums are rounded explicitly, against fused multiply-add. What is left
//     is math/rand/v2's own normal and exponential numbers, whose last test of
//     one draw in some hundred rests on a 32-bit sum that may be fused: one draw
//     in 10^9 or so.
//
// Marshal and Unmarshal convert to and from the JSON form, {"family": ..,
// "parameters": ..}, of model files. A custom law is a type with the methods of
// Named, Validate and, where it has one, Mean; a Family reads it from a file. Fitting
// is in package fit, goodness of fit in package stats; package predict defines what
// happens to jobs older than a law's support.
package dist
