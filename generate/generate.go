package generate

import (
	"errors"
	"fmt"
	"math"

	"github.com/loadstone-hpc/loadstone/internal/par"
	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Workload is a synthetic workload that is made as it is pulled. It can be
// pulled any number of times, and gives the same jobs each time.
type Workload struct {
	Header workload.Header // says how to make it again
	Site   model.Site      // the model, for the machine asked for

	options Options
	classes []class
}

// class is what is drawn from for one class of jobs.
type class struct {
	sizes    sizer
	runTimes runTimer
	arrivals arrivals
	value    int64
}

// New prepares the workload of a model. Errors are the model's
// *model.FieldError, a *model.ScaleError or *OptionError about
// Options.Processors, and *OptionError for other options.
func New(site model.Site, o Options) (*Workload, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	if err := site.Validate(); err != nil {
		return nil, err
	}
	scaled := site
	if o.Processors > 0 {
		var err error
		if scaled, err = site.ForProcessors(o.Processors); err != nil {
			return nil, processorsError(o.Processors, err)
		}
		if err := scaled.Validate(); err != nil {
			return nil, fmt.Errorf("generate: processors: %d: %w", o.Processors, err)
		}
	}
	stretch := 1.0
	if o.Load > 0 {
		stretch = scaled.OfferedLoad() / o.Load
	}
	w := &Workload{Site: scaled, options: o}
	for _, c := range scaled.Classes {
		if err := exactSizes(c, scaled.Processors, o.Exact); err != nil {
			return nil, err
		}
		// The weights exist: Validate has seen to it.
		weights, _ := c.Arrivals.Weights()
		w.classes = append(w.classes, class{
			sizes:    newSizer(c, scaled.Processors, o),
			runTimes: newRunTimer(c, o),
			arrivals: newArrivals(c, weights, stretch, o),
			value:    c.Value,
		})
	}
	var err error
	w.Header, err = header(site, scaled, o)
	return w, err
}

// processorsError says of the option what package model says of the machine.
func processorsError(processors int64, err error) error {
	var s *model.ScaleError
	if !errors.As(err, &s) {
		return err
	}
	if processors > model.MaxProcessors {
		return &OptionError{"processors", fmt.Sprint(processors), fmt.Sprintf("at most %d", model.MaxProcessors)}
	}
	return &OptionError{"processors",
		fmt.Sprintf("%d leaves no room for the smaller sizes of class %s of model %s", processors, s.Class, s.Site),
		fmt.Sprintf("at least %d", s.Least)}
}

// Batches yields the jobs, in order of submission, as batches of
// workload.DefaultBatchRows (the last may be shorter). A batch is released
// when the next is asked for; Retain one to keep it. No error is yielded.
func (w *Workload) Batches() workload.BatchSeq {
	workers := par.Workers(w.options.Workers)
	if workers > 1 {
		batches := par.Map(workers, w.blocks(), w.fill, workload.Batch.Release)
		return func(yield func(workload.Batch, error) bool) {
			for b, err := range batches {
				if err != nil {
					yield(nil, err)
					return
				}
				if !give(b, yield) {
					return
				}
			}
		}
	}
	return func(yield func(workload.Batch, error) bool) {
		for block := range w.blocks() {
			b, err := w.fill(block)
			if err != nil {
				yield(nil, err)
				return
			}
			if !give(b, yield) {
				return
			}
		}
	}
}

func give(b workload.Batch, yield func(workload.Batch, error) bool) bool {
	defer b.Release()
	return yield(b, nil)
}

// Jobs yields the jobs one by one, in order of submission.
func (w *Workload) Jobs() workload.JobSeq { return workload.Jobs(w.Batches()) }

// limits returns the number of jobs and the time, in seconds, before which
// they are submitted.
func (o Options) limits() (jobs int64, until float64) {
	if o.Jobs > 0 {
		return o.Jobs, math.Inf(1)
	}
	return math.MaxInt64, o.Days * secondsPerDay
}
