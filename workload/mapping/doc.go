// Package mapping reads tables of other programs as job logs: a mapping, a JSON file,
// assigns columns of the table to columns of the job table.
//
//	mapping (JSON) --Find--> Mapping --+
//	table (CSV, JSON lines, Parquet) --+--> workload.Log
//
// Published sources have a mapping that is built in, under sources/, one file a
// source; users write their own. tree.go reads JSON with the line of each value,
// decode.go makes a Mapping of it and checks it, plan.go joins it to the columns
// of a file, resolve.go looks at the first rows, eval.go computes the job table's columns, log.go makes the log.
//
// Pairs such as submit_time=Submitted become a mapping in memory (pairs.go), and so do
// the names of the job table's own columns in CSV (csv.go).
//
// A mapping in a file states everything: units, time zone, the values that mean
// "unknown". Nothing is guessed. A file without --as or --map is read by a built-in
// mapping only where its columns are exactly those of the published source.
//
// Related packages: delimited and columnar read tables of any columns.
package mapping
