// Package points holds a sample as likelihoods take it: its distinct values,
// or the cells that they are known to lie in, with the number of jobs of each.
package points
