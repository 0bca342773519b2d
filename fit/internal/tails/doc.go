// Package tails fits Weibull and Pareto laws, which have closed forms, to
// values of ln x that are exact or known to lie in cells, by maximum
// likelihood.
package tails
