// Package evaluate has the benchmarks of predictors as calls: a log and options
// in, a Result out.
//
//	logfile.Open --> RunTimes(ctx, log, options) --> RunTimesResult
//	logfile.Open --> Waits(ctx, log, options)    --> WaitsResult
//
// RunTimes scores predictors of run time (package runtime): it replays the log
// once, so that no predictor sees the future, tallies what each predicted
// (package score), and draws confidence intervals. Waits does the same for
// predictors of wait (package predict): each kind of them replays the log in a
// pipeline of its own, side by side, and a log of up to half a million jobs is
// read once and held. A Result has JSON names and units on its fields, repeats
// what was asked for, and carries what the user should know as warnings;
// 'loadstone runtime' and 'loadstone predict' print them.
//
// Waits also scores all predictors on the same sample of jobs, each at its submission,
// against the waits in the log (ArrivalScores). Predictors that look at the queue see it
// as the log has it.
//
// DecodeRunTimes and DecodeWaits read the Result of an earlier run, and Since says
// which scores fell, with intervals of the differences: for pipelines that guard
// a predictor.
//
// Schedule simulates a machine (package sched) and scores what it did to the
// jobs; 'loadstone simulate' prints it.
//
// Opinions:
//   - Options are checked here, once, by an error that names the option
//     (workload.OptionError).
//   - A predictor written elsewhere is scored beside those of the package
//     (runtime.Options.Rules, RunTimesOptions.Own, WaitsOptions.Bounds), in the same
//     replay.
//   - Predictions are handed out as they are made, one by one: memory does not
//     grow with the log.
//
// Its neighbours: runtime and predict predict, score judges, forecast answers
// for one request; the command turns flags into Options and prints Results.
package evaluate
