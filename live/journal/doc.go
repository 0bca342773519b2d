// Package journal stores what a live service has seen and answered, so that a service
// that is killed at any moment can continue after a restart.
//
//	events, answers --Append, Sync--> a file in a folder --Entries--> the same, in order
//
// A store is a folder with the file journal.log, which one process at a time may write: Open
// locks it, and the lock ends with the process. Lines are added to the file, and nothing in it
// is changed. A line is
//
//	checksum SPACE number SPACE JSON NEWLINE
//
// where the number is that of the line, from 1, and the checksum the CRC-32C of number SPACE
// JSON, in eight hexadecimal digits. The first line of a store is a Begin; the others are a
// Name, an Event or an Expect. What an event says of its job is by the short names of the
// columns of the job table (workload.Column.Words); what is unknown is left out.
//
// A process that is killed while it appends leaves the beginning of a batch: whole lines
// and a torn one, which the next Open cuts off. A reader without the lock (Read, and
// Format, by which a store is read as a job log) passes over a torn last line, because
// it may be read while it is written. All other damage is a *workload.InputError with file
// and line.
//
// Of a replayed log (KTH-SP2-1996) a job takes 670 bytes with six answers.
package journal
