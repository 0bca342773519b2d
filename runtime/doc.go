// Package runtime predicts how long a job will run. (Package predict predicts how
// long a job will wait.) A package of Go's standard library has the same name; import one
// of the two under another name. Errors begin with "job runtime: ".
//
// The pipeline is
//
//	jobs in order --Replay--> rows of (job, predictions) --score--> accuracy
//
// A predictor of this package is a rule that is applied to each class of jobs
// separately. A rule (one file each; Rules lists them) defines what is kept of one
// class's history and how to predict from it; a classification (classes.go)
// maps a request to its class. New combines a rule with a classification; Replay runs any
// number of them, chains that fall back on coarser classes, and custom predictors,
// in one pass over a log. To add a custom rule, implement Rule and append
// it to Rules in Entry.Rules; to add a predictor that makes its own classes or
// none, implement Predictor and set Entry.Own. Five rules and four
// classifications are those of Sonmez and others (2009), "Trace-based evaluation of job
// runtime and queue wait time predictions in grids"; the other rules are for comparison
// with them.
//
// Design decisions:
//   - A prediction is made when the job is submitted, from the jobs of its
//     class that have ended by then. "Last" means the last to end, not the last to
//     be submitted. Events at one instant are ordered by workload.Timeline.
//   - Without history there is no prediction: coverage is reported with accuracy, and
//     no guess fills the gap. For a prediction of every job, use an entry with a
//     fallback.
//   - Jobs count whatever their status, and a run time of zero counts too. To exclude
//     jobs, filter the log first.
//   - An unknown value of a column is one more value of the key, so that
//     a log without sites has one site.
//   - A Predictor is given a Request, not a Job, so it cannot read the answer.
//
// Package score scores the predictions; sched and predict plan with the run times of
// a Predictor.
package runtime
