package live

import (
	"math"
	"slices"
	"sync"

	"github.com/loadstone-hpc/loadstone/live/watch"
	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/workload"
)

// openJob is a job that waits or runs. It is not altered once others see it: a change
// makes another.
type openJob struct {
	request *workload.Request
	label   string
	start   float64   // s; NaN while it waits
	givenAt float64   // s; when its bounds were given
	given   []float64 // s, by slot; NaN where there is none
	scored  bool      // its bounds count
	planned bool      // a poll has seen it pending
}

func (o *openJob) waits() bool { return math.IsNaN(o.start) }

// change is an event for the engine, and of a submission what the journal has of its
// answers.
type change struct {
	watch.Event
	scored  bool            // its answers count
	givenAt float64         // when the answers are given
	given   []predict.Bound // the answers by slot; nil are asked for
	job     *openJob        // set by engine.learn
}

// engine feeds what happens to the predictors, and scores what was answered. It is used
// by one goroutine; ask by any.
type engine struct {
	mu         sync.Mutex // of the predictors
	predictors []predict.Predictor

	slots []slot // of the predictors: the first ones of the tally, before those of the plan
	tally tally
	open  map[int64]*openJob // by Request.Row
	rows  int64              // the next job's
	since float64            // s, when the first answer that counts was given; NaN before
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

// ask returns the forecasts of all predictors for a request that is not counted as a job. It
// waits while one event is learned, which may take as long as a predictor needs to fit anew.
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

// learn takes a change, in the order of workload.Timeline, and fills in its job and the answers
// of a submission. It ignores a start or an end of a job that is not open, and a second
// submission: false.
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

// teach has the predictors answer a submission, all of them before one learns of it: some share
// what they learn.
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

// follow returns the job of a change as it is after it; nil if it has happened before.
func (e *engine) follow(c *change) *openJob {
	row := c.Job.Row
	o := e.open[row]
	switch c.Kind {
	case workload.Submit:
		if o != nil {
			return nil
		}
		request := c.Job.Request // not the whole job
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

// score counts an answer, or its outcome.
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

// plan gives a job the bounds that the plan has when a poll first sees it pending, s from its
// submission; none without a plan.
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

// none is bounds of which there is none.
func none(n int) []float64 { return slices.Repeat([]float64{math.NaN()}, n) }
