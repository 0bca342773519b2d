// Package sessions finds the working sessions of users in a log, the batches within each
// session, and for each job the job that its user waited for and the think time between the
// two.
//
// The pipeline is
//
//	jobs by submission --Tracker.Add--> Place: session, batch, preceding job, think time
//	                   --Dependencies--> the same jobs with Preceding and Think set
//	                   --Linked--> the same, if the log has no dependencies of its own
//
// Terms, from the literature on user behaviour in logs:
//   - A session is a period of continuous work by a user. It continues while the next submission
//     comes within an hour of the previous one (Zakay and Feitelson, On identifying user
//     session boundaries in parallel workload logs, JSSPP 2012), or within 20 minutes of the
//     end of one of the user's jobs (Shmueli and Feitelson, Uncovering the effect of system
//     performance on user behavior from traces of parallel systems, MASCOTS 2007).
//   - A batch is a sequence of jobs within a session that the user submitted without waiting
//     for the previous one (Zakay and Feitelson, Preserving user behavior characteristics in
//     trace-based simulation, MASCOTS 2014).
//   - The preceding job is the one of the user's last 50 jobs that ended last before the
//     submission, according to the waits in the log. The think time is the time from its end to
//     the submission, at most 20 minutes: a longer time is a break, not a wait for the job.
//
// Design decisions:
//   - A job whose end is unknown precedes no job. Assuming a wait of 0 would delay jobs that
//     did not wait for anything.
//   - Jobs are streamed. Memory grows with the number of users: 24 bytes for each of the last
//     50 jobs of each user.
//   - Jobs without a user belong to no session.
//
// Related packages: workload/resample moves users in time and keeps their dependencies.
package sessions
