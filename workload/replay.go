package workload

import "iter"

// Learner is predictors and what they are asked: Replay tells it what happens. Row is what it
// has to say of a job.
type Learner[Row any] interface {
	// Keeps reports whether a job is replayed.
	Keeps(*Job) bool
	// Learn takes the next event. It returns a row for the caller of the replay, which is
	// valid until the next event, or nil.
	Learn(Event) (*Row, error)
}

// Replay replays jobs, which come in order of submission, for a Learner, and yields its rows.
// It is the one loop in which predictors of run time and of wait follow a log. Events come in
// the order of Timeline, so that nothing is learned before it has happened. An error of the
// input or of the Learner is yielded, and nothing after it.
func Replay[Row any](jobs iter.Seq2[Job, error], l Learner[Row]) iter.Seq2[*Row, error] {
	return func(yield func(*Row, error) bool) {
		for e, err := range Timeline(kept(jobs, l.Keeps)) {
			var row *Row
			if err == nil {
				row, err = l.Learn(e)
			}
			if err != nil {
				yield(nil, err)
				return
			}
			if row != nil && !yield(row, nil) {
				return
			}
		}
	}
}

// kept yields the jobs that keeps selects.
func kept(jobs iter.Seq2[Job, error], keeps func(*Job) bool) iter.Seq2[Job, error] {
	return func(yield func(Job, error) bool) {
		for j, err := range jobs {
			if (err != nil || keeps(&j)) && !yield(j, err) {
				return
			}
		}
	}
}
