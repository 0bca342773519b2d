// Package runtime predicts how long a job will run. (Package predict predicts how
// long a job will wait.) The package has the name of one of Go's standard packages;
// import one of the two under another name. Errors begin with "job runtime: ".
//
// The pipeline is
//
//	jobs in order --Replay--> rows of (job, predictions) --score--> accuracy
//
// A predictor of this package is a rule that is applied to each class of jobs
// separately. A rule (one file each; Rules lists them) says what it keeps of one
// class's history and how it predicts from it; a way of making classes (classes.go)
// gives the key of a request. New joins one rule with one way; Replay runs any number
// of them, chains that fall back on coarser classes, and predictors written
// elsewhere, in one pass over a log. To add a custom rule, implement Rule and append
// it to Rules in Entry.Rules; to add a predictor that makes its own classes or
// none, implement Predictor and give it in Entry.Own. Five rules and four ways of
// classing are those of Sonmez and others (2009), "Trace-based evaluation of job
// runtime and queue wait time predictions in grids"; the other rules are what these
// are compared with.
//
// Design decisions:
//   - A prediction is made when the job is submitted, from the jobs of its
//     class that had ended by then. "Last" is the last to end, not the last to
//     be submitted. The order of what happens at one instant is
//     workload.Timeline's.
//   - Without history there is no prediction: coverage is reported with accuracy, and
//     no guess fills the gap. For a prediction of every job, use an entry with a
//     fallback.
//   - Jobs count whatever their status, and a run time of zero counts too. To exclude
//     jobs, filter the log first.
//   - A field that the log does not give is one more value of the key, so that
//     a log without sites has one site.
//   - A Predictor gets a Request, so it cannot read the answer.
//
// Package score scores the predictions; sched and predict plan with the run times of
// a Predictor.
package runtime
