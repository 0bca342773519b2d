package generate

import (
	"errors"
	"fmt"
	"math"

	"github.com/loadstone-hpc/loadstone/internal/par"
	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Workload is a synthetic workload that is generated as it is read. It can be
// read any number of times and gives the same jobs each time.
type Workload struct {
	Header workload.Header // names the model and the options
	Site   model.Site      // the model, scaled to the requested machine

	options Options
	classes []class
	users   *users // nil where there are none
	jobs    int64  // that are made, before the second until, whichever ends first
	until   float64
	quotas  []int64 // of the jobs by class; nil where they come as they come

	estimates bool // whether a class has some
}

// class is what is drawn from for one class of jobs.
type class struct {
	sizes    sizer
	runTimes runTimer
	arrivals arrivals
	value    int64

	malleables malleables
	habits     *habits
	estimator  Estimator // nil where there are no estimates
	longest    float64   // s, to which longer run times are cut; +Inf for none
}

// mostExpected is how many jobs a number of days may mean: what is more takes
// months to make.
const mostExpected = 1e12

// New returns the workload of a model. Errors are the model's
// *model.FieldError, a *model.ScaleError or *workload.OptionError about
// Options.Processors, and *workload.OptionError for other options.
func New(site model.Site, o Options) (*Workload, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	if err := site.Validate(); err != nil {
		return nil, err
	}
	scaled, err := o.apply(site)
	if err != nil {
		return nil, err
	}
	if err := scaled.Validate(); err != nil {
		return nil, fmt.Errorf("generate: the options make an invalid model: %w", err)
	}
	if o.Processors > 0 {
		if scaled, err = scaled.ForProcessors(o.Processors); err != nil {
			return nil, processorsError(o.Processors, err)
		}
		if err := scaled.Validate(); err != nil {
			return nil, fmt.Errorf("generate: processors: %d: %w", o.Processors, err)
		}
	}
	stretch := 1.0
	if o.Load > 0 {
		var ok bool
		if stretch, ok = scaled.Stretch(o.Load); !ok {
			return nil, optionError("load", fmt.Sprintf("%g, but the model's load is %g, and no rate of arrivals gives another", o.Load, scaled.OfferedLoad()),
				"a model whose run times are above 0 and whose interarrival times have a mean")
		}
	}
	w := &Workload{Site: scaled, options: o, users: newUsers(scaled.Users)}
	w.jobs, w.until = o.limits()
	jobs := o.expectedJobs(scaled, stretch)
	if n := sumOf(jobs); o.Days > 0 && n > mostExpected {
		return nil, optionError("days", fmt.Sprintf("%g, in which the model makes about %.2g jobs", o.Days, n), fmt.Sprintf("fewer days, with at most %.2g jobs, or longer interarrival times", float64(mostExpected)))
	}
	for _, c := range scaled.Classes {
		if err := exactSizes(c, scaled.Processors, o.Exact); err != nil {
			return nil, err
		}
		habits, err := newHabits(w.users, c, scaled.Processors, o)
		if err != nil {
			return nil, err
		}
		w.classes = append(w.classes, class{
			sizes:      newSizer(c, scaled.Processors, o),
			runTimes:   newRunTimer(c, o),
			value:      c.Value,
			malleables: newMalleables(c, scaled.Processors, o),
			habits:     habits,
			longest:    c.LongestRun(),
		})
	}
	if err := w.arrive(scaled, stretch); err != nil {
		return nil, err
	}
	if o.Load > 0 {
		if stretch, err = w.meet(scaled, stretch); err != nil {
			return nil, err
		}
		jobs = o.expectedJobs(scaled, stretch)
	}
	for i, c := range scaled.Classes {
		made := &w.classes[i]
		if made.estimator, err = newEstimator(c, made, jobs[i], o); err != nil {
			return nil, err
		}
		w.estimates = w.estimates || made.estimator != nil
	}
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
		return optionError("processors", fmt.Sprint(processors), fmt.Sprintf("at most %d", model.MaxProcessors))
	}
	if s.Why != "" {
		return optionError("processors", fmt.Sprintf("%d, but class %s of model %s %s", processors, s.Class, s.Site, s.Why), fmt.Sprintf("at least %d", s.Least))
	}
	return optionError("processors",
		fmt.Sprintf("%d, but class %s of model %s then has no smaller sizes", processors, s.Class, s.Site),
		fmt.Sprintf("at least %d", s.Least))
}

// Batches yields the jobs, in order of submission, as batches of
// workload.DefaultBatchRows (the last may be shorter). A batch is released
// when the next is asked for; Retain one to keep it. No error is yielded.
func (w *Workload) Batches() workload.BatchSeq { return w.Counted(new(Made)) }

// Optional returns the optional columns in which the jobs have values, for
// workload.WriteOptions.Columns: the column by which the model divides its classes, if
// that is an optional one such as account_id; otherwise none.
func (w *Workload) Optional() workload.ColumnSet {
	if name := w.Site.Classes[0].Column; name != "" {
		return workload.ColumnSetOf(workload.ColumnIndex(name)) & workload.OptionalColumns
	}
	return 0
}

// Made contains totals of the jobs yielded so far.
type Made struct {
	Jobs        int64
	Area        float64 // processor seconds; malleable jobs without an allocation have none
	First, Last float64 // s, submissions
	Cut         int64   // run times that were cut to the largest estimate
}

// Load returns the offered load of the jobs on a machine of that many
// processors: their processor seconds divided by the machine's capacity from the
// first submission to the last. It is NaN if either is 0.
func (m Made) Load(processors int64) float64 {
	if load := m.Area / (float64(processors) * (m.Last - m.First)); load > 0 && !math.IsInf(load, 1) {
		return load
	}
	return math.NaN()
}

// Counted is Batches that also adds the jobs to made.
func (w *Workload) Counted(made *Made) workload.BatchSeq {
	give := func(f filled, yield func(workload.Batch, error) bool) bool {
		defer f.batch.Release()
		if made.Jobs == 0 {
			made.First = f.first
		}
		made.Jobs += f.batch.NumRows()
		made.Area += f.area
		made.Last = f.last
		made.Cut += f.cut
		return yield(f.batch, nil)
	}
	workers := par.Workers(w.options.Workers)
	if workers > 1 {
		all := par.Map(workers, w.blocks(), w.fill, func(f filled) { f.batch.Release() })
		return func(yield func(workload.Batch, error) bool) {
			*made = Made{}
			for f, err := range all {
				if err != nil {
					yield(nil, err)
					return
				}
				if !give(f, yield) {
					return
				}
			}
		}
	}
	return func(yield func(workload.Batch, error) bool) {
		*made = Made{}
		for block := range w.blocks() {
			f, err := w.fill(block)
			if err != nil {
				yield(nil, err)
				return
			}
			if !give(f, yield) {
				return
			}
		}
	}
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

func sumOf(xs []float64) float64 {
	sum := 0.0
	for _, x := range xs {
		sum += x
	}
	return sum
}
