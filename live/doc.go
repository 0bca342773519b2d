// Package live predicts how long jobs will wait on a running machine, and checks its
// predictions against what happens.
//
//	watch.Poll --> events --> engine --> bounds given, settled --> journal
//	                            |
//	                            +--> view: queue, capacity, scores, plan
//	Service: Wait, Job, Jobs, Scores, Status
//
// A Service polls a source (package watch), or replays a log. What happened since the
// last poll becomes events in the order of workload.Timeline. At each submission the
// predictors of bounds answer from what had happened by then; at the start of the job
// the answer is scored. Events and answers are kept in a journal (package
// live/journal), from which a restarted service continues. After each poll, simulated
// schedules (standing.Scheduler) give the expected starts of pending jobs.
//
// Design decisions:
//   - The predictors are those of package standing, as in evaluate and forecast: a
//     replayed log has the scores of 'loadstone predict'.
//   - An answer about a job is stored before it is shown, and scored once. A job that
//     leaves without a start is censored, unless it had waited longer than its bound.
//   - Questions change nothing: hypothetical requests are not counted as jobs.
//   - Every answer contains the age of its state, and how often such answers
//     have held on this machine.
//   - A poll never delays an answer: of two equal sets of predictors one answers
//     while the other learns.
//
// Related packages: predict has the predictors, and forecast answers once, from
// files. 'loadstone serve' offers a Service over HTTP.
package live
