package predict

import (
	"fmt"
	"math"

	"github.com/loadstone-hpc/loadstone/workload"
)

// BoundReplay asks predictors of bounds about jobs as they are submitted, and
// tells the predictors when jobs start and end. Bounds feeds it a log; a live
// service feeds it the events of a machine. Calls must be in the order of
// workload.Timeline.
type BoundReplay struct {
	predictors []BoundPredictor
	watchers   []QueueWatcher // those of them that follow the queue
}

// NewBoundReplay returns a BoundReplay for predictors. It takes ownership of
// them.
func NewBoundReplay(predictors []BoundPredictor) *BoundReplay {
	return &BoundReplay{predictors, watchersOf(predictors)}
}

// Ask appends the bounds, by predictor, of a request that would be submitted
// now. Seconds is NaN for a predictor that has none. It is an error if a
// predictor returns NaN as a bound.
func (r *BoundReplay) Ask(request workload.Request, bounds []Bound) ([]Bound, error) {
	for _, p := range r.predictors {
		bound, ok := p.Predict(request)
		if ok && math.IsNaN(bound.Seconds) {
			return bounds, fmt.Errorf("%s predicts NaN s for %s, want a number, or no bound", p.Name(), request.Label())
		}
		if !ok {
			bound.Seconds = math.NaN() // also where a custom predictor leaves 0
		}
		bounds = append(bounds, bound)
	}
	return bounds, nil
}

// Submit records that a job is submitted now, and appends its bounds as Ask
// does.
func (r *BoundReplay) Submit(request workload.Request, bounds []Bound) ([]Bound, error) {
	bounds, err := r.Ask(request, bounds)
	if err == nil {
		r.Submitted(request)
	}
	return bounds, err
}

// Submitted records that a job is submitted now whose bounds Ask has given.
func (r *BoundReplay) Submitted(request workload.Request) {
	for _, p := range r.watchers {
		p.Submitted(request)
	}
}

// Start records that a job starts now. given are the bounds that Submit
// returned for it.
func (r *BoundReplay) Start(job *workload.Job, given []Bound) {
	started := *job
	started.Run = math.NaN() // nobody knows it yet
	for i, p := range r.predictors {
		p.Observe(started, given[i])
	}
}

// End records that a job ends at the time now, in seconds, or that a waiting
// one is withdrawn.
func (r *BoundReplay) End(request workload.Request, now float64) {
	for _, p := range r.watchers {
		p.Ended(request, now)
	}
}

// watchersOf are those of the predictors that follow the queue.
func watchersOf(predictors []BoundPredictor) (all []QueueWatcher) {
	for _, p := range predictors {
		if w, ok := p.(QueueWatcher); ok {
			all = append(all, w)
		}
	}
	return all
}
