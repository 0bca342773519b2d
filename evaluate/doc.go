// Package evaluate benchmarks predictors of run times and of waits on a log, and
// scores simulated schedules. Each benchmark is one function from a log and options
// to a Result.
//
//	logfile.Open --> RunTimes(ctx, log, options) --> RunTimesResult
//	logfile.Open --> Waits(ctx, log, options)    --> WaitsResult
//
// RunTimes scores predictors of run time (package runtime): it replays the log
// once, so that no predictor sees the future, tallies the predictions of each
// (package score), and draws confidence intervals. Waits does the same for
// predictors of wait (package predict): each kind replays the log in a separate
// pipeline, concurrently, and a log of up to half a million jobs is read once
// and held in memory. A Result has JSON names and units on its fields, repeats the
// options, and contains warnings about the log and the options; 'loadstone
// runtime' and 'loadstone predict' print them.
//
// The comments of RunTimes and Waits trace the path of a log through the source files.
//
// Waits can also score all predictors on one sample of jobs, each job at its submission,
// against the waits in the log (ArrivalScores). Predictors that look at the queue see it
// as recorded in the log.
//
// DecodeRunTimes and DecodeWaits read the Result of an earlier run, and Since
// reports which scores became worse by more than an allowed amount: for regression
// tests of a predictor.
//
// Schedule simulates a machine (package sched) and scores the waits of the
// jobs; 'loadstone simulate' prints the result.
//
// Design decisions:
//   - Options are validated first; the error names the option (workload.OptionError).
//   - Custom predictors are scored together with those of the package
//     (RunTimesOptions.Rules and Own, WaitsOptions.Bounds), in the same
//     replay.
//   - Predictions are passed to the caller one by one, so that memory does not grow with the log.
//
// Related packages: runtime and predict make the predictions, score scores them, and
// live predicts the waits of requests on a machine as it stands.
package evaluate
