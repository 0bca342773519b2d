// Package num provides the few numerical routines that packages dist, stats, fit
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
// Design decisions: a probability near zero is never computed from one near one, so
// every function has a complement. Functions return NaN for arguments outside their
// domain, as package math does, and never panic.
//
// For the normal quantile, linear algebra and optimisation, use gonum. Package num
// imports nothing of this module; dist builds its laws on it.
package num
