// Package forest implements quantile regression forests. It learns the distribution
// of an answer from a row of numbers: a forest of extremely randomised trees that
// keeps the answers in its leaves, from which weighted quantiles are read.
//
//	Table --Train--> Forest --At(row)--> Sample --Quantile, Mean--> numbers
//
// Trees are grown as Geurts, Ernst and Wehenkel (2006), "Extremely randomized
// trees", Machine Learning 63, say: each on all rows; at a node some columns are
// drawn, a cut is drawn between the least and the largest value of each, and the
// cut that reduces the variance of the answers most divides the rows. Quantiles are
// those of Meinshausen (2006), "Quantile regression forests", JMLR 7: an answer
// weighs its share of the leaf that the row falls into, averaged over the trees.
//
// Opinions:
//   - A value may be missing (NaN): at each cut the missing values go to the side
//     where they reduce the variance more, and whether a value is missing is a cut too.
//   - A cut is drawn from the values' range, so that it follows their scale: give
//     heavy-tailed columns as logarithms.
//   - Each tree has its own random stream, so that a forest is the same on any number
//     of cores.
//   - Values are compared with single precision.
//
// Nothing in it depends on jobs.
package forest
