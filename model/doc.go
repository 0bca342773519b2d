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
// queue_id). A class has three parts, which are independent but for the run time's
// dependence on the size: Sizes, RunTimes and Arrivals, the model of Lublin and
// Feitelson (2003) for rigid jobs. The package also has the arithmetic that needs
// only the model: the weights of the daily cycle, the share of short jobs at a size,
// the probability of every size, means and offered load of the truncated laws, the
// parameters of the paper's three ways to bring the cycle into the arrivals,
// speedups, and the re-scaling to another machine.
//
// Each part has other forms, of which a file holds one: sizes as a table or by
// a Gamma; run times by laws of seconds, or by a law of the total work with a
// speedup; interarrival times by a law of seconds; the daily cycle weight by
// weight; Malleable jobs, which have neither sizes nor run times but a law of
// both. Every form is a small type with its fields, ranges, JSON and means in
// one file; Class.Lublin takes a class in the paper's forms. Other parts may be
// left out, and are nil then: the weekly cycle, the run times that users ask
// for (Estimates), and the project's own extensions Bursts, Bags and Users.
//
// A part names its fields once, in a method visit: a form goes over them to
// read a file, to write it, or to check the ranges.
//
// Opinions:
//   - A law of ln of a time carries a largest value, because a Gamma law of
//     ln t has no mean in seconds when its scale is 1 or more; a law of seconds
//     needs one where it has no mean. Means and loads are of the truncated laws.
//   - No job is larger than the machine: a power of two that rounding would
//     lift above it is rounded down instead. (With log2 of the machine's size
//     at least half above a whole number, the published procedure makes such
//     jobs.)
//   - Decode is strict: what it does not know, or what is out of range, is an
//     error that names the field by its path and says what is allowed. Encode
//     gives the same bytes for the same model.
//   - The published models are presets, with the constants of their authors' program
//     or paper, at the size of machine that these constants mean. A model whose
//     parameters were not all published is a template: the user supplies the missing
//     ones, and Decode rejects it until then.
//
// Package model reads no logs and draws no random numbers: package fit/site makes a
// Site from a log, and package generate draws jobs from it. The laws are those of
// package dist.
package model
