// Package forest implements quantile regression forests, which predict the distribution
// of an answer from a row of numbers. A forest of extremely randomised trees stores the
// answers in its leaves; predictions are weighted quantiles of these answers.
//
//	Table --Train--> Forest --At(row)--> Sample --Quantile--> numbers
//
// Trees are grown as in Geurts, Ernst and Wehenkel (2006), "Extremely randomized
// trees", Machine Learning 63: each tree uses all rows (but see Options.Rows); at a
// node some columns are drawn, a cut is drawn between the least and the largest value
// of each, and the cut that reduces the variance of the answers most divides the rows.
// Quantiles are those of Meinshausen (2006), "Quantile regression forests",
// JMLR 7: the weight of an answer is its share of the leaf into which the row
// falls, averaged over the trees.
//
// Design decisions:
//   - A value may be missing (NaN). At each cut the missing values go to the side
//     where they reduce the variance more, and a cut may separate the missing values
//     from the others.
//   - A tree cannot predict more than the largest answer it has learned. Therefore every
//     other tree learns the difference between the answer and a number known for each row
//     (Table.Offsets). Its predictions rise with that number, to at most ln 2 above the
//     largest answer, which is a factor of two if answers are logarithms.
//   - Cuts are drawn uniformly from the range of the values, so heavy-tailed
//     columns should be given as logarithms.
//   - Each tree has its own random stream, so that the forest does not depend on the
//     number of cores.
//   - Values are compared in single precision.
//
// The package does not depend on jobs or logs.
package forest
