// Package delimited reads and writes tables of separated values whose first line
// names the columns: commas (RFC 4180), and for reading also semicolons and tabs.
//
// The text is cut at the ends of records and decoded on several cores. Package
// mapping gives the columns their meaning and reads such tables as job logs.
package delimited
