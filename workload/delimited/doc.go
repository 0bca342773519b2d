// Package delimited reads and writes tables of separated values whose first line
// names the columns: commas (RFC 4180), and for reading also semicolons and tabs.
//
// Columns of the job table are found by their names and by Options.Map
// (CheckMap checks it). The first chunk decides what kind of values the columns
// hold; the rest is cut at the ends of records and decoded on several cores.
package delimited
