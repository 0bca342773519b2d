// Package watch follows the jobs of a running machine by polling its scheduler.
//
//	Source.Poll --> Poll --> Tracker.Events --> []Event, in the order of workload.Timeline
//
// A Source queries a machine for the jobs that wait, run and have ended recently, and for
// the number of available processors. The result, a Poll, describes one moment. A
// Tracker compares each poll with the previous ones and returns the events in
// between: submissions, starts and ends, each with the job's times as recorded by
// the machine.
//
// Times are in seconds from an origin that the caller chooses once and keeps. Users,
// queues and so on are numbers of a dictionary, Names, that the caller keeps too.
//
// Guesses are marked: if a job disappears without a record of its end, its last event
// has Guessed set, and a poll without the list of ended jobs has Partial set.
package watch
