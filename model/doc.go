// Package model represents a workload model of a site as plain data: a struct that can be read,
// edited, compared and stored as JSON.
//
//	fit ----> Site <---- Preset
//	           |  ^
//	    Encode v  | Decode
//	        model file
//	           |
//	generate <-+-> sched, score (loads, means)
//
// A Site has classes of jobs (one, or one for every value of a column such as queue_id). A class
// has three parts, which are independent except that the run time depends on the size: Sizes,
// RunTimes and Arrivals, the model of Lublin and Feitelson (2003) for rigid jobs. The package
// also computes whatever needs only the model: the weights of the daily cycle, the share of short
// jobs at a size, the probability of every size, means and offered load of the truncated laws,
// the parameters of the paper's three methods of applying the cycle to the arrivals, and scaling
// to another machine.
//
// Sizes, RunTimes and Estimates (requested run times; nil for none) are interfaces, each with
// several forms: sizes follow a law of their logarithm or a table, run times two Gamma laws or a
// law of seconds. A form is a type with its fields, ranges, means and draws in one file, and a
// row in forms.go. The interarrival times may follow a law of seconds, and the daily cycle may be
// a list of weights. Malleable jobs have laws of sequential time and parallelism instead of Sizes
// and RunTimes. The weekly cycle and the project's own extension Users are optional.
//
// Package model/population has the model of a site's users, with their sessions and the log's
// load, which the command fits and generates by default.
//
// The tags of a part's fields define their names in files, their ranges and which fields require
// or exclude each other. Its method Check checks the fields against each other.
//
// Design decisions:
//   - A law of ln of a time has a largest value, because a Gamma law of ln t has no mean in
//     seconds if its scale is 1 or more; a law of seconds needs one if it has no mean. Means and
//     loads are those of the truncated laws.
//   - No job is larger than the machine: a size that would be rounded up to a power of two above
//     the machine's size is rounded down instead. (The published procedure makes such jobs if the
//     fractional part of log2 of the machine's size is at least one half.)
//   - Decode is strict: an unknown field, or a value out of range, is an error that gives the
//     path of the field and the allowed values. Encode gives the same bytes for the same model.
//   - The published models are presets. They have the constants of their authors' program or
//     paper, and the machine size to which these constants apply.
//
// Package model reads no logs: package fit/site makes a Site from a log, and package generate
// draws whole jobs from it, with their arrivals. The laws are those of package dist.
package model
