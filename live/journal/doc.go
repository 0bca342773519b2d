// Package journal stores the events and answers of a live service, so that a service
// that is killed at any moment can continue after a restart.
//
//	events, answers --Append, Sync--> a file in a folder --Entries--> the same, in order
//
// A store is a folder with the file journal.log. Only one process at a time may write it: Open
// locks it, and the lock ends with the process. Lines are only appended to the file, never
// changed. A line is
//
//	checksum SPACE number SPACE JSON NEWLINE
//
// where the number is the line's number, from 1, and the checksum is the CRC-32C of number SPACE
// JSON, in eight hexadecimal digits. The first line of a store is a Begin; every other line is a
// Name, an Event or an Expect. The fields of an event's job have the short names of the
// columns of the job table (workload.Column.Words); unknown fields are omitted.
//
// A process that is killed while it appends leaves the beginning of a batch: complete lines
// and possibly an incomplete one, which the next Open removes. Readers without the lock (Read,
// and Format, which reads a store as a job log) ignore an incomplete last line, because the
// store may be written at the same time. Any other damage is reported as a *workload.InputError
// with file and line.
//
// In a replay of the log KTH-SP2-1996, a job takes 670 bytes with six answers.
package journal
