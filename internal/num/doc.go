// Package num holds the few numerical routines that package dist, stats, fit
// and predict need and that gonum lacks or computes less accurately.
//
//   - Regularised incomplete gamma functions, GammaP and GammaQ, that keep
//     their relative accuracy in both far tails and for shapes in the
//     thousands, and their inverses.
//   - Digamma and Trigamma, and the two differences that a maximum likelihood
//     fit of a Gamma law needs without cancellation.
//   - Logarithms of sums and differences of exponentials, the Stirling error,
//     log1p(x) - x.
//   - Root, a bracketing root finder, Sum, a compensated sum, and the nodes of a
//     Gauss-Legendre rule.
//
// Design decisions: a probability near one is never the way to a probability near
// zero, so everything comes with its complement; functions return NaN for arguments outside their domain, as package math
// does, and never panic.
//
// What gonum does well (the normal quantile, linear algebra, optimisation) is
// used from gonum. Package num imports nothing of this module; dist builds
// its laws on it.
package num
