// Package stages fits straight and broken lines, by least squares, to the
// empirical distribution function of values over their logarithm: the
// uniform-log laws of one and of several stages. Downey (1997), "Predicting
// queue times on space-sharing parallel computers", sections 2 and 5.4.
package stages
