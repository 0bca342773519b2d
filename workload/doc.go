// Package workload defines the job table: the jobs of a batch system's log in one
// schema, whatever file format they came from.
//
// The pipeline is
//
//	file --logfile.Open--> Log --Batches--> batches --logfile.Create--> file
//	[]Job -----LogOf-----> |
//	                       +--Jobs--> Job values --InOrder--> --Timeline--> events
//
// Begin with logfile.Open for a file, or with LogOf for jobs in memory. Read the Log once, with
// Jobs, or pass it to a function of another package.
//
// A Log has its header from the moment it is opened and reads its jobs as they are pulled, so
// memory use is a few batches, however long the log is. Real and synthetic logs have the same
// columns (see Columns), so any command can read a file that another has written.
//
// Design decisions:
//   - Times are float64 seconds from the log's start; sizes and identifiers
//     are int64. An unknown value is NaN or Unknown in Go and null in a table,
//     never -1.
//   - A reader keeps every value unchanged, even an implausible one such as a
//     negative run time. A recoverable problem is counted as a warning; any other
//     stops the reader with an *InputError that gives file, line and field.
//   - The order of simultaneous events is fixed in Timeline. Every replay of a log
//     uses it, so no predictor can see the future.
//
// Related packages: workload/logfile opens and creates files and lists the formats, each of
// which is a Format value in a separate package; workload/inspect and workload/reshape describe
// and alter tables; generate makes them; runtime, predict and sched replay them. Only
// workload/columnar uses Arrow's types.
package workload
