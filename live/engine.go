package live

import (
	"math"

	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/workload"
)

// jobKey identifies a job: schedulers use numbers again.
type jobKey struct {
	id     int64
	submit float64
}

func keyOf(r *workload.Request) jobKey { return jobKey{r.ID, r.Submit} }

// openJob is a job that waits or runs.
type openJob struct {
	request  workload.Request
	start    float64   // s; NaN while it waits
	givenAt  float64   // s; when its bounds were given
	given    []float64 // s, by slot; NaN where there is none
	scored   bool
	forecast *forecasts // nil until a poll has seen it pending
}

// change is an event for the engine.
type change struct {
	kind workload.EventKind
	time float64
	job  workload.Job

	// Of a submission:
	scored  bool            // its answers count
	givenAt float64         // when the answers are given
	late    bool            // the job has started by then
	given   []predict.Bound // the answers by slot; nil are asked for
}

// engine feeds what happens to the predictors, and settles what was answered. It is used
// by one goroutine; predictors.ask by any.
type engine struct {
	predictors *predictors
	audit      *audit
	forecasts  forecastAudit
	open       map[jobKey]*openJob
	now        float64 // s
	rows       int64   // jobs, ever
	since      float64 // s, when the first answer that counts was given; NaN before
}

func newEngine(o *Options) (*engine, error) {
	e := &engine{open: map[jobKey]*openJob{}, now: math.Inf(-1), since: math.NaN()}
	slots := o.slots()
	var err error
	e.predictors, err = newPredictors(slots, func() ([]predict.BoundPredictor, error) {
		return predict.NewBounds(o.Predictors, o.Quantiles, o.Confidence, predict.BoundOptions{Methods: o.Bounds})
	})
	e.audit = newAudit(slots)
	return e, err
}

// learn takes changes in the order of workload.Timeline, and fills in the answers of
// submissions. It returns those that it took: a source may tell twice of a submission, a
// start or an end.
func (e *engine) learn(changes []change) ([]change, error) {
	taken := changes[:0]
	var events []event
	for i := range changes {
		c := &changes[i]
		o, ok := e.opened(c)
		if !ok {
			continue
		}
		e.now = max(e.now, c.time)
		taken = append(taken, *c)
		events = append(events, event{c.kind, c.time, o, c.job.Wait})
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
		e.settle(&events[i], &taken[i])
	}
	return taken, nil
}

// opened returns the job of a change, which it follows; false if it has happened before.
func (e *engine) opened(c *change) (*openJob, bool) {
	key := keyOf(&c.job.Request)
	o, known := e.open[key]
	switch c.kind {
	case workload.Submit:
		if known {
			return nil, false
		}
		o = &openJob{request: c.job.Request, start: math.NaN(), givenAt: c.givenAt, given: make([]float64, len(e.audit.slots)), scored: c.scored}
		o.request.Row = e.rows
		e.rows++
		e.open[key] = o
	case workload.Start:
		if !known || !math.IsNaN(o.start) {
			return nil, false
		}
		o.start = c.time
	case workload.Finish:
		delete(e.open, key)
	}
	return o, o != nil
}

// settle counts an answer, or its outcome.
func (e *engine) settle(ev *event, c *change) {
	o := ev.of
	if !o.scored {
		return
	}
	switch ev.kind {
	case workload.Submit:
		if math.IsNaN(e.since) {
			e.since = o.givenAt
		}
		e.audit.gave(o.given, c.late)
	case workload.Start:
		e.audit.started(ev.time, o.given, ev.wait)
		e.forecasts.started(ev.time, o.forecast)
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
