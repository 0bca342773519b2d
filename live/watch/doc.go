// Package watch follows the jobs of a running machine by polling its scheduler.
//
//	Source.Poll --> Poll --> Tracker.Events --> []Event, in the order of workload.Timeline
//
// A Source asks a machine which jobs wait, run and have ended recently, and how
// many processors are available. Its answer, a Poll, is of one moment. A
// Tracker compares each poll with what the polls before it showed and returns
// what happened in between: submissions, starts and ends, each with the job's
// own times as the machine recorded them.
//
// Times are seconds from an origin that the caller chooses once and keeps. Users,
// queues and the like are numbers by one dictionary, Names, that the caller keeps too.
//
// Guesses are marked: a job that disappears without a record of its end has an event
// with Guessed set, and a poll without the list of ended jobs has Partial set.
package watch
