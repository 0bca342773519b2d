package live

import (
	"math"
	"slices"
	"sync"

	"github.com/loadstone-hpc/loadstone/live/watch"
	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/workload"
)

// openJob is a waiting or running job. It is immutable once it is in a view: a change
// makes a copy.
type openJob struct {
	request *workload.Request
	label   string
	start   float64   // s; NaN while it waits
	givenAt float64   // s; when its bounds were given
	given   []float64 // bounds in s, by slot; NaN if there is none
	scored  bool      // its bounds are scored
	planned bool      // it has been given the bounds of the plan, if any
}

func (o *openJob) waits() bool { return math.IsNaN(o.start) }

// change is an event for the engine. For a submission it also holds the answers.
type change struct {
	watch.Event
	scored  bool            // its answers are scored
	givenAt float64         // when the answers are given
	given   []predict.Bound // the answers by slot; if nil, engine.learn asks for them
	job     *openJob        // set by engine.learn
}

// engine passes events to the predictors, and scores their answers. It is used by one
// goroutine, but ask may be called by any.
type engine struct {
	mu         sync.Mutex // guards the predictors
	predictors []predict.Predictor

	slots []slot // of the predictors; the tally continues with those of the plan
	tally tally
	open  map[int64]*openJob // by Request.Row
	rows  int64              // row of the next job
	since float64            // s, when the first scored answer was given; NaN before
}

func newEngine(o *Options) (*engine, error) {
	e := &engine{open: map[int64]*openJob{}, since: math.NaN(), slots: o.slots(o.Predictors...)}
	bounds, err := predict.NewBounds(o.Predictors, o.Quantiles, o.Confidence, predict.BoundOptions{Methods: o.Bounds})
	if err != nil {
		return nil, err
	}
	for _, name := range o.Predictors {
		n := len(o.Quantiles)
		e.predictors = append(e.predictors, predict.NewPastWaits(name, bounds[:n:n]))
		bounds = bounds[n:]
	}
	e.tally = newTally(o.slots(o.names()...))
	return e, nil
}

// ask returns the forecasts of all predictors for a request, which is not counted as a job. It
// may have to wait until one event has been learned, which can include a predictor's training.
func (e *engine) ask(r *workload.Request) (all []predict.Forecast, err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.askLocked(r)
}

func (e *engine) askLocked(r *workload.Request) (all []predict.Forecast, err error) {
	for _, p := range e.predictors {
		f, err := p.Ask(nil, r)
		if err != nil {
			return nil, err
		}
		all = append(all, f)
	}
	return all, nil
}

// learn processes a change, in the order of workload.Timeline, and sets its job and, for a
// submission, its answers. It returns false, and does nothing, for the start or end of a job
// that is not open and for a repeated submission or start.
func (e *engine) learn(c *change) (bool, error) {
	o := e.follow(c)
	if o == nil {
		return false, nil
	}
	c.job = o
	j := *c.Job
	j.Request = *o.request
	if err := e.teach(c, &j); err != nil {
		return false, err
	}
	for k, b := range c.given {
		o.given[k] = b.Seconds
	}
	e.score(c)
	return true, nil
}

// teach passes a change to the predictors. If it is a submission, all predictors are asked
// before any learns of it, because some share their state.
func (e *engine) teach(c *change, j *workload.Job) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if c.Kind == workload.Submit {
		forecasts, err := e.askLocked(c.job.request)
		if err != nil {
			return err
		}
		if c.given == nil {
			for _, f := range forecasts {
				c.given = append(c.given, f.Bounds...)
			}
		}
	}
	for _, p := range e.predictors {
		if err := p.Learn(workload.Event{Kind: c.Kind, Time: c.Time, Job: j}); err != nil {
			return err
		}
	}
	return nil
}

// follow updates the open jobs with a change and returns its job, or nil if learn must ignore
// the change.
func (e *engine) follow(c *change) *openJob {
	row := c.Job.Row
	o := e.open[row]
	switch c.Kind {
	case workload.Submit:
		if o != nil {
			return nil
		}
		request := c.Job.Request // a copy, which does not retain the whole job
		o = &openJob{request: &request, label: c.Label, start: math.NaN(), givenAt: c.givenAt, given: none(len(e.tally)), scored: c.scored}
		e.rows = max(e.rows, row+1)
		e.open[row] = o
	case workload.Start:
		if o == nil || !o.waits() {
			return nil
		}
		started := *o
		started.start = c.Time
		if o.request.ID != c.Job.ID { // a task of an array has its own number now
			request := *o.request
			request.ID = c.Job.ID
			started.request = &request
		}
		o = &started
		e.open[row] = o
	case workload.Finish:
		delete(e.open, row)
	}
	return o
}

// score counts the answers about a job at its submission, and their outcome later.
func (e *engine) score(c *change) {
	o := c.job
	if !o.scored {
		return
	}
	switch c.Kind {
	case workload.Submit:
		if math.IsNaN(e.since) {
			e.since = o.givenAt
		}
		e.tally.gave(o.given)
	case workload.Start:
		e.tally.started(o.given, c.Job.Wait)
	case workload.Finish:
		if o.waits() {
			e.tally.withdrawn(o.given, c.Time-o.request.Submit)
		}
	}
}

// plan gives a job the bounds from the plan, in seconds from its submission, when a poll first
// shows it pending. bounds is empty if there is no plan.
func (e *engine) plan(row int64, bounds []float64) {
	o := e.open[row]
	if o == nil || o.planned {
		return
	}
	planned := *o
	planned.planned = true
	if n := len(e.slots); len(bounds) > 0 && len(bounds) == len(o.given)-n {
		planned.given = append(o.given[:n:n], bounds...)
		if o.scored {
			e.tally.gave(slices.Concat(none(n), bounds))
		}
	}
	e.open[row] = &planned
}

// none returns n missing bounds.
func none(n int) []float64 { return slices.Repeat([]float64{math.NaN()}, n) }
