// Package forest implements quantile regression forests. It learns the distribution
// of an answer from a row of numbers: a forest of extremely randomised trees that
// keeps the answers in its leaves, from which weighted quantiles are read.
//
//	Table --Train--> Forest --At(row)--> Sample --Quantile--> numbers
//
// Trees are grown as Geurts, Ernst and Wehenkel (2006), "Extremely randomized
// trees", Machine Learning 63, say: each on all rows; at a node some columns
// are drawn, a cut is drawn between the least and the largest value of each,
// and the cut that reduces the variance of the answers most divides the rows.
// Quantiles are those of Meinshausen (2006), "Quantile regression forests",
// JMLR 7: the weight of an answer is its share of the leaf into which the row
// falls, averaged over the trees.
//
// Design decisions:
//   - A value may be missing (NaN): at each cut the missing values go to the side
//     where they reduce the variance more, and whether a value is missing is a cut too.
//   - Trees cannot answer more than they have seen. So every other tree learns by how much
//     answers are above a number known for each row (Table.Offsets), and what it answers
//     rises with that number, up to twice what has been seen where answers are logarithms.
//   - Cuts are drawn uniformly from the range of the values, so heavy-tailed
//     columns should be given as logarithms.
//   - Each tree has its own random stream, so that a forest is the same on any number
//     of cores.
//   - Values are compared in single precision.
//
// The package does not depend on jobs or logs.
package forest
