package predict

import (
	"errors"
	"iter"
	"math"

	"github.com/loadstone-hpc/loadstone/workload"
)

// ErrNoWaits is the error of a replay of a log that has not one known wait.
var ErrNoWaits = errors.New("no job has a known wait")

// BoundWait is one job: the bounds that were predicted for its wait when it
// was submitted, and the wait.
type BoundWait struct {
	Request workload.Request
	// Bounds are those of the predictors, in their order, with Seconds NaN
	// where a predictor had none. They are valid until the next row.
	Bounds []Bound
	Actual float64 // s, the wait
	Scored bool    // false: the job trains
}

// Bounds replays a log and yields each job whose wait is known, when it
// starts. At its submission the predictors are asked for their bounds; at its
// start they learn its wait, so that a prediction rests on jobs that had
// started by then and on no other. The jobs come by submission (see
// workload.InOrder).
//
// The first training jobs by submission (with a known wait) train: they are
// predicted and learned as all others, but not Scored. Sonmez and others
// (2009) train on a tenth of the log; TrainingTenth counts it.
//
// An error of the input is passed on; ErrNoWaits if there was no job to
// replay. After an error nothing follows.
func Bounds(jobs iter.Seq2[workload.Job, error], training int64, predictors []BoundPredictor) iter.Seq2[BoundWait, error] {
	return func(yield func(BoundWait, error) bool) {
		var underWay []BoundWait // by slot
		seen := int64(0)
		for e, err := range workload.Timeline(untilStart(jobs)) {
			if err != nil {
				yield(BoundWait{}, err)
				return
			}
			for e.Slot >= len(underWay) {
				underWay = append(underWay, BoundWait{Bounds: make([]Bound, len(predictors))})
			}
			w := &underWay[e.Slot]
			switch e.Kind {
			case workload.Submit:
				w.Request, w.Actual, w.Scored = e.Job.Request, math.NaN(), seen >= training
				seen++
				for i, p := range predictors {
					bound, ok := p.Predict(e.Job.Request)
					if !ok {
						bound.Seconds = math.NaN() // also where a predictor from outside leaves 0
					}
					w.Bounds[i] = bound
				}
			case workload.Start:
				w.Actual = e.Job.Wait
				for i, p := range predictors {
					p.Observe(*e.Job, w.Bounds[i])
				}
				if !yield(*w, nil) {
					return
				}
			}
		}
		if seen == 0 {
			yield(BoundWait{}, ErrNoWaits)
		}
	}
}

// untilStart leaves out the jobs whose wait is unknown, and takes from the
// others what nobody knows when they start.
func untilStart(jobs iter.Seq2[workload.Job, error]) iter.Seq2[workload.Job, error] {
	return func(yield func(workload.Job, error) bool) {
		for j, err := range jobs {
			if err == nil {
				if !knownWait(&j) {
					continue
				}
				started := workload.UnknownJob()
				started.Request, started.Wait, started.Allocated = j.Request, j.Wait, j.Allocated
				j = started
			}
			if !yield(j, err) {
				return
			}
		}
	}
}

// TrainingTenth returns how many jobs train: a tenth of those whose
// submission time and wait are known.
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
