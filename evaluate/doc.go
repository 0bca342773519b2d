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
// The way of a log through RunTimes is: options (runtimes_options.go) name entries, a replay
// (runtimes.go) hands each job with its predictions to their tallies (runtimes_tally.go), and
// what the log does not lack (runtimes_classes.go) is the result (runtimes_result.go). Through
// Waits: options (waits_options.go), a survey that holds the log (waits.go), pipelines
// (waits_pipelines.go) that each replay it with their kind of predictors (waits_heads.go,
// waits_queue.go, waits_bounds.go, waits_arrivals.go), tallies (waits_tally.go), result
// (waits_result.go).
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
// forecast answers for one request.
package evaluate
