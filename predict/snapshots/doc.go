// Package snapshots predicts how long jobs still wait that are queued at one moment,
// from a table of such moments: what was known of each queued job then, and how long
// it waited from then on.
//
//	files --Reader (Mapping)--> Table --Snapshots--> rows of one moment
//	rows of earlier moments --Learn--> Predictor --Predict--> rows of the next
//
// A Mapping says which columns of a file are the moment, the answer, the group and the
// features. The predictors are a constant, the mean of the group, ridge regressions,
// and a learner: a forest and a ridge regression on all features, with bounds.
//
// Opinions:
//   - A wait is used once it is known: when the job has started by the moment that is
//     predicted. A job that has not is known to wait at least so long.
//   - Waits are predicted as logarithms to the base 10; one below 1 s counts as 1 s.
//   - Predictors learn anew before each moment. Days differ more than the jobs of one
//     day do, so that a day is the unit of what a bound is corrected by.
//   - What is known only later is no feature. The mapping alone can tell: columns of
//     the accounting, such as the state at the end, are to be left out of it.
//
// Package evaluate scores the predictors (Snapshots).
package snapshots
