package live

import (
	"math"
	"slices"

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
	of      *openJob        // set by engine.learn
}

// engine feeds what happens to the predictors, and settles what was answered. It is used
// by one goroutine; predictors.ask by any.
type engine struct {
	predictors *predictors
	slots      []slot // of the predictors: the first ones of the audit, before those of the plan
	audit      *audit
	forecasts  forecastAudit
	waits      waitTally
	starts     startTally
	open       map[int64]*openJob // by Request.Row
	now        float64            // s
	rows       int64              // the next job's
	since      float64            // s, when the first answer that counts was given; NaN before
}

func newEngine(o *Options) (*engine, error) {
	e := &engine{open: map[int64]*openJob{}, now: math.Inf(-1), since: math.NaN()}
	e.slots = o.slots()
	var err error
	e.predictors, err = newPredictors(func() (all []predict.Predictor, err error) {
		for _, name := range o.Predictors {
			bounds, err := predict.NewBounds([]string{name}, o.Quantiles, o.Confidence, predict.BoundOptions{Methods: o.Bounds})
			if err != nil {
				return nil, err
			}
			all = append(all, predict.NewPastWaits(name, bounds))
		}
		return all, nil
	})
	e.audit = newAudit(slices.Concat(e.slots, o.planSlots()))
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
		c.of = o
		taken = append(taken, *c)
		j := workload.UnknownJob()
		j.Request, j.Wait, j.Allocated = *o.request, c.Job.Wait, c.Job.Allocated
		events = append(events, event{workload.Event{Kind: c.Kind, Time: c.Time, Job: &j}, o})
	}
	err := e.predictors.learn(events, func(i int, bounds []predict.Bound) {
		if taken[i].given == nil {
			taken[i].given = bounds
		}
		for k, b := range taken[i].given {
			events[i].of.given[k] = b.Seconds
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
		request := c.Job.Request // not the whole job
		o = &openJob{request: &request, label: c.Label, start: math.NaN(), givenAt: c.givenAt, given: none(len(e.audit.slots)), scored: c.scored}
		e.rows = max(e.rows, row+1)
		e.open[row] = o
	case workload.Start:
		if o == nil || !math.IsNaN(o.start) {
			return nil
		}
		o = o.changed()
		o.start = c.Time
		if o.request.ID != c.Job.ID { // a task of an array has its own number now
			request := *o.request
			request.ID = c.Job.ID
			o.request = &request
		}
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
	if ev.Kind == workload.Start {
		e.starts.add(o.request, ev.Time, ev.Job.Wait)
	}
	if !o.scored {
		return
	}
	switch ev.Kind {
	case workload.Submit:
		if math.IsNaN(e.since) {
			e.since = o.givenAt
		}
		e.audit.gave(o.given)
	case workload.Start:
		late := o.givenAt > o.request.Submit && o.givenAt >= o.request.Submit+ev.Job.Wait
		e.audit.started(ev.Time, o.given, ev.Job.Wait, late)
		e.waits.add(ev.Job.Wait)
		e.forecasts.started(ev.Time, o.forecast, ev.Job.Wait)
	case workload.Finish:
		if math.IsNaN(o.start) {
			e.audit.withdrawn(ev.Time, o.given, ev.Time-o.request.Submit)
		}
	}
}

// boundsOf returns what a job was given, as the predictors gave it.
func boundsOf(slots []slot, given []float64) []predict.Bound {
	var all []predict.Bound
	for i, s := range slots {
		b := predict.NoBound()
		b.Quantile, b.Seconds = s.quantile, given[i]
		all = append(all, b)
	}
	return all
}

// waiting counts, by slot, the scored jobs that at a moment wait beyond their bounds and
// within them.
func (e *engine) waiting(now float64) (missing, open []int) {
	missing, open = make([]int, len(e.audit.slots)), make([]int, len(e.audit.slots))
	for _, o := range e.open {
		if !math.IsNaN(o.start) || !o.scored {
			continue
		}
		for i, bound := range o.given {
			switch {
			case math.IsNaN(bound):
			case now-o.request.Submit > bound:
				missing[i]++
			default:
				open[i]++
			}
		}
	}
	return missing, open
}

// none is bounds of which there is none.
func none(n int) []float64 { return slices.Repeat([]float64{math.NaN()}, n) }

// expect gives a job its forecasts, and returns the job as it is now; nil if it has ended.
func (e *engine) expect(row int64, f *forecasts) *openJob {
	o := e.open[row]
	if o == nil || o.forecast != nil {
		return o
	}
	o = o.changed()
	o.forecast = f
	if len(f.bounds) == len(o.given)-len(e.slots) && len(f.bounds) > 0 {
		o.given = append(o.given[:len(e.slots):len(e.slots)], f.bounds...)
		if o.scored {
			e.audit.gave(slices.Concat(none(len(e.slots)), f.bounds))
		}
	}
	e.open[row] = o
	return o
}
