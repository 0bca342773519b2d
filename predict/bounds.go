package predict

import (
	"errors"
	"iter"
	"math"

	"github.com/loadstone-hpc/loadstone/workload"
)

// ErrNoWaits is the error of a replay of a log without any known wait.
var ErrNoWaits = errors.New("no job has a known wait")

// BoundWait is one job with the bounds predicted at its submission and its
// actual wait.
type BoundWait struct {
	Request workload.Request
	// Bounds are those of the predictors, in their order, with Seconds NaN if
	// a predictor had none. They are valid until the next row.
	Bounds []Bound
	Actual float64 // s, the wait
	Scored bool    // false for a training job
}

// Bounds replays a log and yields each job whose wait is known, when it starts.
// At its submission the predictors are asked for their bounds; at its start
// they learn its wait, so that a prediction rests on jobs that had started by
// then and on no other. A QueueWatcher is also notified of submissions and
// ends. A job whose end is unknown ends as it starts. The jobs must come in order
// of submission (workload.InOrder sorts them), else the error is workload.ErrOrder;
// those whose submission time is unknown are left out.
//
// The first jobs by submission with a known wait, training of them, are
// training jobs: they are predicted and learned like all others, but
// BoundWait.Scored is false. Sonmez and others (2009) train on a tenth of the
// log; TrainingTenth counts it.
//
// An error of the input is passed on; ErrNoWaits if there was no job to
// replay. After an error nothing follows.
func Bounds(jobs iter.Seq2[workload.Job, error], training int64, predictors []BoundPredictor) iter.Seq2[BoundWait, error] {
	return func(yield func(BoundWait, error) bool) {
		var underWay []BoundWait // by slot
		seen := int64(0)
		r := NewBoundReplay(predictors)
		for e, err := range workload.Timeline(withWaits(jobs, len(r.watchers) > 0)) {
			if err != nil {
				yield(BoundWait{}, err)
				return
			}
			for e.Slot >= len(underWay) {
				underWay = append(underWay, BoundWait{})
			}
			w := &underWay[e.Slot]
			switch e.Kind {
			case workload.Submit:
				w.Request, w.Actual, w.Scored = e.Job.Request, math.NaN(), seen >= training
				seen++
				if w.Bounds, err = r.Submit(e.Job.Request, w.Bounds[:0]); err != nil {
					yield(BoundWait{}, err)
					return
				}
			case workload.Start:
				w.Actual = e.Job.Wait
				r.Start(e.Job, w.Bounds)
				if math.IsNaN(e.Job.Run) { // nobody will know when it ends
					r.End(e.Job.Request, e.Time)
				}
				if !yield(*w, nil) {
					return
				}
			case workload.Finish:
				r.End(e.Job.Request, e.Time)
			}
		}
		if seen == 0 {
			yield(BoundWait{}, ErrNoWaits)
		}
	}
}

// withWaits leaves out the jobs whose wait is unknown, and takes from the others what is
// not needed: their ends too, unless somebody watches them.
func withWaits(jobs iter.Seq2[workload.Job, error], ends bool) iter.Seq2[workload.Job, error] {
	return func(yield func(workload.Job, error) bool) {
		for j, err := range jobs {
			if err == nil {
				if !knownWait(&j) {
					continue
				}
				started := workload.UnknownJob()
				started.Request, started.Wait, started.Allocated = j.Request, j.Wait, j.Allocated
				if ends && j.Run >= 0 {
					started.Run = j.Run
				}
				j = started
			}
			if !yield(j, err) {
				return
			}
		}
	}
}

// TrainingTenth returns the number of training jobs for Bounds: a tenth of the
// jobs whose submission time and wait are known.
func TrainingTenth(jobs iter.Seq2[workload.Job, error]) (int64, error) {
	n := int64(0)
	for j, err := range jobs {
		if err != nil {
			return 0, err
		}
		if knownWait(&j) && !math.IsNaN(j.Submit) {
			n++
		}
	}
	return n / 10, nil
}
