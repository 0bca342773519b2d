// Package em fits mixtures of Gamma laws to a sample by the EM algorithm of
// Dempster, Laird and Rubin (1977).
//
//	Points --Press--> Starts --Run, roughly--> ends --choose--> Fit's answer
//
// A Mixture is one problem: a sample of distinct values, and the Gammas that components
// may be, with given shapes exponential and Erlang laws.
//
// The likelihood has no maximum where values are repeated, so that a component may
// not be narrower than a bound, and an end at the bound is taken only if there is no
// other.
package em
