// Package model represents a workload model of a site as plain data: one struct that
// can be read, edited, compared and stored as JSON.
//
//	fit ----> Site <---- Preset
//	           |  ^
//	    Encode v  | Decode
//	        model file
//	           |
//	generate <-+-> sched, score (loads, means)
//
// A Site has classes of jobs (one, or one for every value of a column such as
// queue_id). A class has three parts, which are independent except that the run
// time depends on the size: Sizes, RunTimes and Arrivals, the model of Lublin
// and Feitelson (2003) for rigid jobs. The package also has the arithmetic that
// needs only the model: the weights of the daily cycle, the share of short jobs
// at a size, the probability of every size, means and offered load of the
// truncated laws, the parameters of the paper's three methods of imposing the
// cycle on the arrivals, and scaling to another machine.
//
// Sizes, RunTimes and Estimates (requested run times, nil if left out) are interfaces, each with
// some forms: sizes by a law of their logarithm or as a table, run times by two Gammas or by a law of
// seconds. A form is a type with its fields, ranges, means and draws in one file, and a row
// in forms.go. The interarrival times may be of a law of seconds, and the daily cycle be given
// weight by weight; Malleable jobs have neither sizes nor run times but a law of both. The
// weekly cycle and the project's own extension Users are optional.
//
// The model of a site's users, with their sessions and the log's load, which the command
// fits and generates by default, is that of package model/population.
//
// The tags of a part's fields say how a file names them, their ranges and what goes with what;
// its method Check has what relates them.
//
// Design decisions:
//   - A law of ln of a time carries a largest value, because a Gamma law of
//     ln t has no mean in seconds when its scale is 1 or more; a law of seconds
//     needs one where it has no mean. Means and loads are of the truncated laws.
//   - No job is larger than the machine: a power of two that rounding would
//     lift above it is rounded down instead. (With log2 of the machine's size
//     at least half above a whole number, the published procedure makes such
//     jobs.)
//   - Decode is strict: an unknown field, or a value out of range, is an error
//     that gives the path of the field and what is allowed. Encode gives the
//     same bytes for the same model.
//   - The published models are presets, with the constants of their authors'
//     program or paper, for the size of machine to which these constants apply.
//
// Package model reads no logs: package fit/site makes a Site from a log, and package generate
// draws whole jobs from it, with their arrivals. The laws are those of package dist.
package model
