// Package evaluate benchmarks predictors of run times and of waits on a log, and
// scores simulated schedules. Each benchmark is one function from a log and options
// to a Result.
//
//	logfile.Open --> RunTimes(ctx, log, options) --> RunTimesResult
//	logfile.Open --> Waits(ctx, log, options)    --> WaitsResult
//
// RunTimes scores predictors of run time (package runtime): it replays the log
// once, so that no predictor sees the future, tallies what each predicted
// (package score), and draws confidence intervals. Waits does the same for
// predictors of wait (package predict): each kind replays the log in a separate
// pipeline, concurrently, and a log of up to half a million jobs is read once
// and held. A Result has JSON names and units on its fields, repeats the
// options, and contains warnings about the log and the options; 'loadstone
// runtime' and 'loadstone predict' print them.
//
// The docs of RunTimes and of Waits each name the files that a log goes through.
//
// Waits also scores all predictors on the same sample of jobs, each at its submission,
// against the waits in the log (ArrivalScores). Predictors that look at the queue see it
// as the log has it.
//
// DecodeRunTimes and DecodeWaits read the Result of an earlier run, and Since
// reports which scores fell, with intervals of the differences: for regression
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
//   - Predictions are yielded one by one, so that memory does not grow with the log.
//
// Related packages: runtime and predict make the predictions, score scores them, and
// live answers for requests of the moment.
package evaluate
