// Package delimited reads and writes CSV tables with a header line (RFC 4180). For reading,
// the separator may also be a semicolon or a tab.
//
// The text is split between records and decoded on several cores. Package mapping reads
// such tables as job logs.
package delimited
