// Package snapshots predicts how much longer queued jobs will wait, from a table of
// such moments: what was known of each queued job then, and how long it waited from
// then on.
//
//	files --Reader (Mapping)--> Table --Snapshots--> rows of one moment
//	rows of earlier moments --Learn--> Predictor --Predict--> rows of the next
//
// A Mapping names the columns of a file that contain the moment, the answer,
// the group and the features. The predictors are a constant, the mean of the
// group, ridge regressions, and a learner: a forest and a ridge regression on
// all features, with bounds.
//
// Design decisions:
//   - A wait is used once it is known: if the job has started by the moment that is
//     predicted. Otherwise it is known to be at least the time since the snapshot.
//   - Waits are predicted as logarithms to the base 10; one below 1 s counts as 1 s.
//   - Predictors are trained again before each moment. Days differ more than
//     the jobs of one day do, so bounds are corrected day by day.
//   - A feature must be known at the snapshot. Only the mapping can ensure
//     that: it must leave out columns of the accounting that are known only
//     later, such as the final state.
//
// Package evaluate scores the predictors (Snapshots).
package snapshots
