// Package em fits mixtures of laws to a sample by the EM algorithm.
//
//	points.Set --Press--> Starts --Run, roughly--> ends --choose--> Fit's answer
//
// A Mixture is one problem: a sample of distinct values or of cells, a Kernel,
// which is what EM needs to know of a family of laws, and what is given of the
// weights. Gammas is the kernel of Gamma laws, and with given shapes of
// exponential and Erlang laws; Normals that of log-normal laws, as normal laws
// of logarithms. Everything else is written once: the E step over values and
// over cells, SQUAREM's acceleration, the starts, and the choice between the
// ends.
//
// The likelihood of densities has no maximum where values are repeated, so
// that a component may not be narrower than a bound, and an end at the bound is
// taken only if there is no other. The likelihood of cells is bounded by
// itself.
package em
