package live

import (
	"math"

	"github.com/loadstone-hpc/loadstone/live/watch"
	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/workload"
)

// openJob is a job that waits or runs. It is not altered once others see it: a change
// makes another.
type openJob struct {
	request  *workload.Request
	label    string
	start    float64   // s; NaN while it waits
	givenAt  float64   // s; when its bounds were given
	given    []float64 // s, by slot; NaN where there is none
	scored   bool
	forecast *forecasts // nil until a poll has seen it pending
}

// change is an event for the engine, and of a submission what the journal has of its
// answers.
type change struct {
	watch.Event
	scored  bool            // its answers count
	givenAt float64         // when the answers are given
	given   []predict.Bound // the answers by slot; nil are asked for
}

// engine feeds what happens to the predictors, and settles what was answered. It is used
// by one goroutine; predictors.ask by any.
type engine struct {
	predictors *predictors
	audit      *audit
	forecasts  forecastAudit
	open       map[int64]*openJob // by Request.Row
	now        float64            // s
	rows       int64              // the next job's
	since      float64            // s, when the first answer that counts was given; NaN before
}

func newEngine(o *Options) (*engine, error) {
	e := &engine{open: map[int64]*openJob{}, now: math.Inf(-1), since: math.NaN()}
	slots := o.slots()
	var err error
	e.predictors, err = newPredictors(slots, func() ([]predict.BoundPredictor, error) {
		return predict.NewBounds(o.Predictors, o.Quantiles, o.Confidence, predict.BoundOptions{Methods: o.Bounds})
	})
	e.audit = newAudit(slots)
	return e, err
}

// learn takes changes in the order of workload.Timeline, and fills in the answers of
// submissions. It returns those that it took: it ignores a start or an end of a job that
// is not open, and a second submission.
func (e *engine) learn(changes []change) ([]change, error) {
	taken := make([]change, 0, len(changes))
	var events []event
	for i := range changes {
		c := &changes[i]
		o := e.opened(c)
		if o == nil {
			continue
		}
		e.now = max(e.now, c.Time)
		taken = append(taken, *c)
		events = append(events, event{c.Kind, c.Time, o, c.Job.Wait})
	}
	err := e.predictors.learn(events, func(i int, bounds []predict.Bound) {
		if taken[i].given == nil {
			taken[i].given = bounds
		}
		o := events[i].of
		for k := range o.given {
			o.given[k] = taken[i].given[k].Seconds
		}
	})
	if err != nil {
		return nil, err
	}
	for i := range events {
		e.settle(&events[i])
	}
	return taken, nil
}

// opened returns the job of a change, which it follows; nil if it has happened before.
func (e *engine) opened(c *change) *openJob {
	row := c.Job.Row
	o := e.open[row]
	switch c.Kind {
	case workload.Submit:
		if o != nil {
			return nil
		}
		o = &openJob{request: &c.Job.Request, label: c.Label, start: math.NaN(), givenAt: c.givenAt, given: make([]float64, len(e.audit.slots)), scored: c.scored}
		e.rows = max(e.rows, row+1)
		e.open[row] = o
	case workload.Start:
		if o == nil || !math.IsNaN(o.start) {
			return nil
		}
		o = o.changed()
		o.start = c.Time
		e.open[row] = o
	case workload.Finish:
		delete(e.open, row)
	}
	return o
}

// changed returns a copy that may be altered. Both share the bounds.
func (o *openJob) changed() *openJob {
	c := *o
	return &c
}

// settle counts an answer, or its outcome.
func (e *engine) settle(ev *event) {
	o := ev.of
	if !o.scored {
		return
	}
	switch ev.kind {
	case workload.Submit:
		if math.IsNaN(e.since) {
			e.since = o.givenAt
		}
		e.audit.gave(o.given)
	case workload.Start:
		late := o.givenAt > o.request.Submit && o.givenAt >= o.request.Submit+ev.wait
		e.audit.started(ev.time, o.given, ev.wait, late)
		e.forecasts.started(o.request.Submit+ev.wait, o.forecast)
	case workload.Finish:
		if math.IsNaN(o.start) {
			e.audit.withdrawn(ev.time, o.given, ev.time-o.request.Submit)
		}
	}
}

// waiting counts, by slot, the scored jobs that wait beyond their bounds and within them.
func (e *engine) waiting() (missing, open []int) {
	missing, open = make([]int, len(e.audit.slots)), make([]int, len(e.audit.slots))
	for _, o := range e.open {
		if !math.IsNaN(o.start) || !o.scored {
			continue
		}
		for i, bound := range o.given {
			switch {
			case math.IsNaN(bound):
			case e.now-o.request.Submit > bound:
				missing[i]++
			default:
				open[i]++
			}
		}
	}
	return missing, open
}
