// Package live predicts the waits of requests from the present state of a machine: once, from
// files, or as a service that compares its predictions with the actual waits.
//
//	logfile.Open --> Logs.Add --> Query --> Ask --> Answers
//
//	watch.Poll --> events --> engine --> bounds given, scored --> journal
//	                            |
//	                            +--> view: queue, capacity, scores, plan
//	Service: Wait, Job, Jobs, Scores, Status
//
// Ask cuts logs at a moment, finds the running and waiting jobs, replays all earlier events
// to every predictor, and asks it for each size of a request. The same replay evaluates the
// predictors on past jobs, so that a bound and its coverage come from the same predictor.
//
// A Service polls a source (package watch), or replays a log. The changes since the last
// poll become events in the order of workload.Timeline. At each submission the
// predictors of bounds answer from the events so far; at the start of the job
// the answer is scored. Events and answers are stored in a journal (package
// live/journal), from which a restarted service continues. After each poll, simulated
// schedules give the expected starts of pending jobs.
//
// Design decisions:
//   - The predictors are those of packages predict and standing, as in evaluate: a replayed
//     log has the same scores as in 'loadstone predict'.
//   - Ask and Service share Request, Answer and the rule for recommending a predictor. A
//     confidence is given only for bounds from past waits, because only there it
//     holds for the waits themselves.
//   - An answer about a job is stored before it is shown, and scored once. A job that
//     leaves without a start is censored, unless it had waited longer than its bound.
//   - Questions change nothing: hypothetical requests are not counted as jobs.
//   - Every answer contains the age of its state, and the share of such answers
//     that have held on this machine.
//   - An answer is delayed by the learning of at most one event.
//
// Related packages: predict and predict/standing contain the predictors, and evaluate scores
// them over a log. 'loadstone wait' prints the Answers to a Query, and 'loadstone serve' offers
// a Service over HTTP.
package live
