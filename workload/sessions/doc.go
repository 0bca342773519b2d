// Package sessions finds the working sessions of the users in a log: their sessions,
// the batches within a session, and for each job the job that it waited for and the
// think time between the two.
//
// The pipeline is
//
//	jobs by submission --Tracker.Add--> Place: session, batch, preceding job, think time
//	                   --Dependencies--> the same jobs with Preceding and Think set
//	                   --Linked--> the same where the log has none of its own
//
// Terms, from the literature on user behaviour in logs:
//   - A session is a user's continuous work. It goes on while the next
//     submission comes within an hour of the last one (Zakay and Feitelson, On
//     identifying user session boundaries in parallel workload logs, JSSPP
//     2012), or within 20 minutes of the end of one of the user's jobs (Shmueli
//     and Feitelson, Uncovering the effect of system performance on user
//     behavior from traces of parallel systems, MASCOTS 2007).
//   - A batch is a run of jobs within a session that the user submitted without
//     waiting for the one before (Zakay and Feitelson, Preserving user behavior
//     characteristics in trace-based simulation, MASCOTS 2014).
//   - The preceding job is the one of the user's last 50 jobs that ended last
//     before the submission, by the waits of the log. The think time is the time
//     from its end to the submission, at most 20 minutes: what is longer is a
//     break, not a wait for the job.
//
// Opinions:
//   - A job whose end is unknown precedes no job. To take its wait as 0 would delay
//     jobs that did not wait for anything.
//   - Jobs stream. Memory is that of the users: 24 bytes for each of the last 50
//     jobs of each.
//   - Jobs without a user have no session.
//
// Related packages: workload has the jobs, workload/resample moves users' streams in
// time and keeps their dependencies.
package sessions
