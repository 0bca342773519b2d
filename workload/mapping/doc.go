// Package mapping reads tables written by other programs as job logs. A mapping is a JSON file
// that describes how each column of the job table is computed from the columns of the foreign
// table.
//
//	mapping (JSON) --Read, List-----> Mapping --+
//	table (CSV, JSON, lines, Parquet, Arrow) ---+--> workload.Log
//
// Mappings of published traces, of the Grid Workload Format and of the accounting files of other
// batch systems are built in, one file each in the folder sources; users can write their own.
// Options.As names a built-in mapping, Options.MapFile a file. Pairs in Options.Map, such as
// submit_time=Submitted, make a mapping in memory, as do the names of the job table's own columns
// in CSV, Parquet and Arrow.
//
// A mapping file states units, time zone and the values that mean "unknown"; none of them
// is guessed. Without Options.As, MapFile or Map, a built-in mapping applies only to a
// table that has the columns of the published one.
//
// In the source, mapping.go declares the keys of a mapping, names.go makes one from the names of
// a table's columns, and find.go finds the mapping of a file. lines.go, line_table.go and json.go
// read rows. plan.go matches a Mapping to the columns of a file, read.go computes the columns of
// the job table (numbers.go, statuses.go), and log.go makes the log (dates.go).
//
// Related packages: delimited and columnar read tables with arbitrary columns; logfile
// tries all formats.
package mapping
