// Package workload is the job table: what a batch machine's log says, in one
// schema, whatever file it came from.
//
// The pipeline is
//
//	file --logfile.Open--> Log --Batches--> batches --logfile.Create--> file
//	                        |
//	                        +--Jobs--> Job values --InOrder--> --Timeline--> events
//
// A Log knows its header when it is opened and reads its jobs as they are
// pulled: memory is a few batches, however long the log is. A real log and a
// synthetic one have the same columns (see Columns), so every file that one
// command writes another can read.
//
// Opinions:
//   - Times are float64 seconds from the log's start; sizes and identifiers
//     are int64. What is unknown is NaN or Unknown in Go and null in a table,
//     never -1.
//   - A reader keeps every value as it stands, also an odd one (a negative run
//     time): it counts a warning and goes on where going on is safe, and stops
//     with an *InputError, which says file, line and field, where it is not.
//   - The order of things that happen at the same instant is fixed in one
//     place, timeline.go. Every replay pulls from it, so that no predictor can
//     see the future.
//
// Its neighbours: workload/logfile opens and creates files, and has the list of
// formats, each of which is a Format value of a package of its own;
// workload/inspect and workload/reshape describe and alter tables; generate makes
// them; runtime, predict and sched replay them. Only this package and its formats
// have Arrow types in their signatures: a new version of Arrow changes them alone.
package workload
