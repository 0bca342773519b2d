package generate

import (
	"errors"
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/loadstone-hpc/loadstone/internal/extent"
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
	jobs    int64 // that are made, before the second until, whichever ends first
	until   float64
	quotas  []int64 // of the jobs by class; nil where they come as they come
}

// mostExpected is how many jobs a number of days may mean: what is more takes
// months to make.
const mostExpected = 1e12

// New returns the workload of a model. An error is a *workload.OptionError, about an option or,
// with a path such as "classes[0].sizes", about the model.
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
	if o.Times > 0 {
		for _, c := range scaled.Classes {
			if c.Arrivals.Method.ByShape() {
				return nil, workload.OptionFault("load", fmt.Sprintf("%g times the model's, which method %s (class %s) leaves unknown", o.Times, c.Arrivals.Method, c.Name), "a load, or method %s", model.SlotWeights)
			}
		}
		o.Load = o.Times * scaled.OfferedLoad()
	}
	stretch := 1.0
	if o.Load > 0 {
		var ok bool
		if stretch, ok = scaled.Stretch(o.Load); !ok {
			return nil, workload.OptionFault("load", fmt.Sprintf("%g, which no rate of the model's arrivals gives", o.Load),
				"a model whose run times are above 0 and whose interarrival times have a mean")
		}
	}
	w := &Workload{Site: scaled, options: o, jobs: o.Jobs, until: math.Inf(1)}
	if o.Days > 0 {
		w.jobs, w.until = math.MaxInt64, o.Days*secondsPerDay
	}
	jobs, sum := o.expectedJobs(scaled, stretch)
	if o.Days > 0 && sum > mostExpected {
		return nil, workload.OptionFault("days", fmt.Sprintf("%g, in which the model makes about %.2g jobs", o.Days, sum), "fewer days, with at most %.2g jobs, or longer interarrival times", float64(mostExpected))
	}
	users := newUsers(scaled.Users)
	for _, c := range scaled.Classes {
		k, err := newClass(c, scaled.Processors, users, o)
		if err != nil {
			return nil, err
		}
		w.classes = append(w.classes, k)
	}
	if err := w.arrive(stretch); err != nil {
		return nil, err
	}
	if o.Load > 0 {
		if stretch, err = w.meet(stretch); err != nil {
			return nil, err
		}
		jobs, _ = o.expectedJobs(scaled, stretch)
	}
	for i := range w.classes {
		if err := w.classes[i].estimate(i, jobs[i], o); err != nil {
			return nil, err
		}
	}
	w.Header, err = header(site, scaled, o)
	return w, err
}

// estimate prepares the estimates of about so many jobs of the class of this number, from their very
// run times.
func (c *class) estimate(number int, jobs float64, o Options) (err error) {
	if c.model.Estimates == nil {
		return nil
	}
	d, pcg := newDrawer(), newStream(o.Seed, partEstimateBins, c.model.Name).whole()
	c.estimates, err = c.model.Estimates.Law(jobs, func(i int64) float64 { return c.draw(d, i).run }, rand.New(&pcg))
	if fault := (*workload.OptionError)(nil); errors.As(err, &fault) {
		option := fmt.Sprintf("classes[%d].estimates.max_s", number) // of the model
		if o.Estimates == EstimatesTsafrir {
			option = "max-estimate"
		}
		return workload.OptionFault(option, fault.Saw+" (class "+c.model.Name+")", "%s", fault.Want)
	}
	return err
}

// expectedJobs is how many jobs each class will have, and all together: as many as are asked for,
// divided by the rates of arrivals.
func (o Options) expectedJobs(s model.Site, stretch float64) (jobs []float64, sum float64) {
	for _, c := range s.Classes {
		jobs = append(jobs, 1/(stretch*c.Arrivals.Gap()))
		sum += jobs[len(jobs)-1]
	}
	all := 0.0
	for i := range jobs {
		switch {
		case o.Jobs == 0:
			jobs[i] *= o.Days * secondsPerDay
		case len(jobs) == 1:
			jobs[i] = float64(o.Jobs)
		default:
			jobs[i] *= float64(o.Jobs) / sum
		}
		all += jobs[i]
	}
	return jobs, all
}

// arrive gives the classes their arrivals at a stretch.
func (w *Workload) arrive(stretch float64) (err error) {
	for i, c := range w.Site.Classes {
		if w.classes[i].arrivals, err = newArrivals(c, stretch, w.options); err != nil {
			return err
		}
	}
	return nil
}

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
type Made = extent.Made

// Jobs yields the jobs one by one, in order of submission.
func (w *Workload) Jobs() workload.JobSeq { return workload.Jobs(w.Batches()) }

// Batches yields the jobs, in order of submission, as batches of
// workload.DefaultBatchRows (the last may be shorter). No error is yielded.
func (w *Workload) Batches() workload.BatchSeq { return w.Counted(new(Made)) }

// Counted is Batches that also adds the jobs to made.
func (w *Workload) Counted(made *Made) workload.BatchSeq {
	drawn := par.Map(w.options.Workers, w.blocks(), w.fill, nil)
	return func(yield func(*workload.Batch, error) bool) {
		*made = Made{}
		give := func(f filled) bool {
			if made.Jobs == 0 {
				made.First = f.First
			}
			made.Jobs += f.Jobs
			made.Area += f.Area
			made.Last = f.Last
			made.Cut += f.Cut
			return yield(f.batch, nil)
		}
		for f := range drawn {
			if !give(f) {
				return
			}
		}
	}
}

// block is a run of jobs, one batch's worth, of which the submissions and the
// classes are known. Sizes and run times are filled in by any goroutine.
type block struct {
	first   int64     // number of the first job in the log, from 1
	submits []float64 // s
	classes []int32   // class of each job; nil where there is only one class
	counts  []int64   // jobs of each class before this block
}

// class is the class of row i.
func (b *block) class(i int) int {
	if b.classes == nil {
		return 0
	}
	return int(b.classes[i])
}

// blocks yields the jobs' submissions, in order.
func (w *Workload) blocks() iter.Seq2[block, error] {
	return func(yield func(block, error) bool) {
		m := newMerger(w.classes, w.quotas)
		counts := make([]int64, len(w.classes))
		for done := int64(0); done < w.jobs; {
			b := block{first: done + 1, counts: slices.Clone(counts)}
			rows := int(min(workload.DefaultBatchRows, w.jobs-done))
			if w.options.Days == 0 { // else there may be few
				b.submits = make([]float64, 0, rows)
			}
			for range rows {
				x := m.heap[0]
				if !(x.At < w.until) {
					break
				}
				b.submits = append(b.submits, x.At)
				if len(counts) > 1 {
					b.classes = append(b.classes, int32(x.Seq))
				}
				counts[x.Seq]++
				m.advance()
			}
			done += int64(len(b.submits))
			if len(b.submits) == 0 || !yield(b, nil) || len(b.submits) < rows {
				return
			}
		}
	}
}

// filled is a block with all that is drawn.
type filled struct {
	batch *workload.Batch
	Made
}

// fill draws the sizes, run times and estimates of a block's jobs, and uses the
// block up. It never fails.
func (w *Workload) fill(b block) (filled, error) {
	rows := len(b.submits)
	batch := &workload.Batch{Rows: rows}
	out := filled{batch: batch, Made: Made{Jobs: int64(rows), First: b.submits[0], Last: b.submits[rows-1]}}
	ints := func(column int, has bool) []int64 {
		if has {
			batch.Ints[column] = make([]int64, rows)
			return batch.Ints[column]
		}
		return nil
	}
	floats := func(column int, has bool) []float64 {
		if has {
			batch.Floats[column] = make([]float64, rows)
			return batch.Floats[column]
		}
		return nil
	}
	isMalleable, isRigid, hasEstimates := false, false, false
	for _, c := range w.Site.Classes {
		isMalleable = isMalleable || c.Malleable != nil
		isRigid = isRigid || c.Malleable == nil || c.Malleable.Allocation != model.NoAllocation
		hasEstimates = hasEstimates || c.Estimates != nil
	}
	byClass := w.Site.Classes[0].Column
	ids, status := ints(workload.ColJobID, true), ints(workload.ColStatus, true)
	batch.Floats[workload.ColSubmitTime] = b.submits
	sizes, runs := ints(workload.ColAllocatedProcessors, isRigid), floats(workload.ColRunTime, isRigid)
	sequential, parallelism, sigma := floats(workload.ColSequentialTime, isMalleable), floats(workload.ColAverageParallelism, isMalleable), floats(workload.ColSigma, isMalleable)
	users, applications := ints(workload.ColUser, w.Site.Users != nil), ints(workload.ColApplication, w.Site.Users != nil)
	requested := floats(workload.ColRequestedTime, hasEstimates)
	values := ints(workload.ColumnIndex(byClass), byClass != "")

	d := newDrawer()
	for i := range rows {
		k := b.class(i)
		c, number := &w.classes[k], b.counts[k]
		b.counts[k]++
		j := c.draw(d, number)
		ids[i], status[i] = b.first+int64(i), workload.StatusCompleted
		if j.run > c.longest {
			j.run = c.longest
			out.Cut++
		}
		if j.size > 0 {
			out.Area += float64(j.size) * j.run
		}
		put(sizes, i, j.size)
		put(runs, i, j.run)
		put(users, i, j.user)
		put(applications, i, j.application)
		put(sequential, i, j.sequential)
		put(parallelism, i, j.parallelism)
		put(sigma, i, j.sigma)
		put(values, i, c.model.Value)
		put(requested, i, math.NaN())
		if c.estimates != nil {
			c.estimating.seed(&d.pcg, number)
			requested[i] = c.estimates.Draw(d.rng, j.run)
		}
	}
	return out, nil
}

// put sets row i of a column, if there is one.
func put[T int64 | float64](column []T, i int, x T) {
	if column != nil {
		column[i] = x
	}
}
