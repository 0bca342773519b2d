// Package live answers how long a job will wait on a machine that changes as one
// watches, and audits its own answers.
//
//	watch.Poll --> events --> engine --> bounds given, settled --> journal
//	                            |
//	                            +--> View: queue, capacity, scores, plan
//	Service: Wait, Job, Jobs, Scores, Advice, Status
//
// A Service polls a source (package watch), or replays a log. What happened since the
// last poll becomes events in the order of workload.Timeline. At each submission the
// predictors of bounds are asked with what had happened by then; at the start of the job
// the answer is settled. Events and answers are kept in a journal (package
// live/journal), from which a restart goes on. After each poll, simulated schedules
// (package live/plan) give the expected starts of pending jobs.
//
// Opinions:
//   - The predictors see what predict.Bounds shows them, by the same code: the scores of
//     a replayed log are those of the command predict.
//   - An answer about a job is written before it is shown, and settled once. A job that
//     leaves without a start is censored, unless it had outwaited its bound by then.
//   - Asking changes nothing: hypothetical requests are not counted as jobs.
//   - Every answer says how old its state is, and how often such answers have held here.
//   - A poll never delays an answer: there are two equal sets of predictors, of which one
//     answers while the other one learns.
//
// Its neighbours: predict has the predictors, forecast answers once, from files, and
// cmd/internal/serve puts a Service on HTTP.
package live
