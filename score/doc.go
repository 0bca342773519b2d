// Package score says what predictions are worth. It is the only place that
// names a score: runtime and predict make predictions, and the command prints
// what this package counts.
//
//	(predicted, actual) --Tally.Add, Merge--> Tally --Result--> named scores
//
// There is one tally for each kind of prediction: RunTimeTally for run times,
// WaitTally for point-valued waits, BoundTally for upper bounds of waits. A
// tally is a sufficient statistic: a log may be scored in parts, whose tallies
// are merged.
//
// Opinions:
//   - Scores are those of Sonmez and others (2009), sections 3.2 and 4, and the
//     correlation and bias of Downey (1997), so that published tables can be
//     set beside ours. Accuracy is the smaller time over the larger, 1 where
//     both are equal.
//   - A job without a prediction counts as a job, and in no other score: the
//     share that was predicted stands beside every mean, because a predictor
//     can look good by keeping silent.
//   - Which jobs are scored (those at the head of the queue, those that
//     waited) is the caller's decision.
//   - A score without meaning, such as the mean of nothing, is NaN, never 0.
//   - Units are in each field's comment: run times are scored in seconds, waits
//     in minutes, as the papers do.
//
// Its statistics are those of package stats, its accuracy too.
package score
