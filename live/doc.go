// Package live predicts how long requests will wait on a machine as it stands: once, from
// files, or as a service that checks its predictions against what happens.
//
//	logfile.Open --> Logs.Add --> Query --> Ask --> Answers
//
//	watch.Poll --> events --> engine --> bounds given, scored --> journal
//	                            |
//	                            +--> view: queue, capacity, scores, plan
//	Service: Wait, Job, Jobs, Scores, Status
//
// Ask cuts logs at a moment, finds which jobs run and wait, replays what happened before to
// every predictor, and asks it for each size of a request. In the same replay predictors are
// judged on past jobs: what a bound has covered was covered by the predictor that gives it.
//
// A Service polls a source (package watch), or replays a log. What happened since the
// last poll becomes events in the order of workload.Timeline. At each submission the
// predictors of bounds answer from what had happened by then; at the start of the job
// the answer is scored. Events and answers are kept in a journal (package
// live/journal), from which a restarted service continues. After each poll, simulated
// schedules give the expected starts of pending jobs.
//
// Design decisions:
//   - The predictors are those of packages predict and standing, as in evaluate: a replayed
//     log has the scores of 'loadstone predict'.
//   - A Request, an Answer and the rule by which a predictor is recommended are the same in
//     both. A confidence is given only for bounds from past waits, because only there it
//     holds for the waits themselves.
//   - An answer about a job is stored before it is shown, and scored once. A job that
//     leaves without a start is censored, unless it had waited longer than its bound.
//   - Questions change nothing: hypothetical requests are not counted as jobs.
//   - Every answer contains the age of its state, and how often such answers
//     have held on this machine.
//   - An answer waits for one event to be learned at the most.
//
// Related packages: predict and predict/standing have the predictors, evaluate scores them
// over a log. 'loadstone wait' prints the Answers to a Query, and 'loadstone serve' offers a
// Service over HTTP.
package live
