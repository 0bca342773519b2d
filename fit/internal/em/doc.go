// Package em is what the EM algorithm of package fit needs to know of a law's
// cells: how likely a value is that was rounded to another one.
package em
