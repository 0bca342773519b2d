// Package em fits mixtures of Gamma laws to a sample by the EM algorithm of
// Dempster, Laird and Rubin (1977).
//
//	Points --Press--> Starts --Run, roughly--> ends --choose--> Fit's answer
//
// A Mixture is one problem: a sample of distinct values, and the Gamma laws that components may
// have. With given shapes these are exponential or Erlang laws.
//
// If values are repeated, the likelihood has no maximum. So a component may not be narrower than
// a bound, and a result at the bound is used only if there is no other.
package em
