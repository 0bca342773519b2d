// Package score measures the quality of predictions, schedules and synthetic workloads.
// It defines and names every score: runtime and predict make predictions, generate
// makes workloads, sched makes schedules, and the command prints the scores.
//
//	(predicted, actual) --Tally.Add--> Tally --Result--> named scores
//	jobs --Profile.Add--> Profile --Compare--> distances
//
// Each kind of prediction has its tally: RunTimeTally for run times, WaitTally for waits,
// BoundTally for bounds of either.
//
// Groups resamples whole users, or whole weeks, to compute
// confidence intervals of scores and of the difference between two predictors
// on the same jobs. Distributions of accuracy and error are exact up to a
// stated number of jobs; beyond it they are sketches with a stated error.
// WaitScatter collects the data of a figure. The scores of a
// Schedule (waits, slowdowns, utilisation and queue length) need no
// predictions.
//
// A Profile summarises a workload for comparison in bounded memory. Compare
// compares two profiles.
//
// Design decisions:
//   - Scores are those of Sonmez and others (2009), sections 3.2 and 4, and the
//     correlation and bias of Downey (1997), so that results can be compared with
//     published tables. Accuracy is the smaller time divided by the larger, 1 if they
//     are equal.
//   - A job without a prediction counts as a job, but in no other score. The share of
//     jobs predicted is reported with every mean, because a predictor can look good
//     by predicting only easy jobs.
//   - Which jobs are scored (those at the head of the queue, those that
//     waited) is the caller's decision.
//   - Two logs are compared by distances, not by p-values, because jobs are not independent.
//   - An undefined score, such as the mean of no jobs, is NaN, never 0.
//   - Units are in each field's comment: run times are scored in seconds, waits
//     in minutes, as in the papers.
//
// The statistics are those of package stats.
package score
