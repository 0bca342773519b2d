package generate

import (
	"errors"
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"

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
	jobs    int64 // jobs are generated up to this number, and before the second until
	until   float64
	columns []int   // columns in which the jobs have values
	quotas  []int64 // numbers of jobs of the classes; nil for no limit
}

// mostExpected is the largest number of jobs to expect in a number of days, which is also the
// limit of Options.Jobs: more would take months to generate.
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
		if o.Load = o.Times * scaled.OfferedLoad(); math.IsNaN(o.Load) {
			return nil, workload.OptionFault("load", fmt.Sprintf("%g times the model's, which its method of arrivals leaves unknown", o.Times), "a load, or method %s", model.SlotWeights)
		}
	}
	stretch := 1.0
	if o.Load > 0 {
		var ok bool
		if stretch, ok = scaled.Stretch(o.Load); !ok {
			return nil, workload.OptionFault("load", fmt.Sprintf("%g, which the model cannot reach at any arrival rate", o.Load),
				"a model whose run times are above 0 and whose interarrival times have a mean")
		}
	}
	if sum := floats.Sum(o.expectedJobs(scaled, stretch)); o.Days > 0 && sum > mostExpected {
		return nil, workload.OptionFault("days", fmt.Sprintf("%g, in which the model makes about %.2g jobs", o.Days, sum), "fewer days, with at most %g jobs, or longer interarrival times", mostExpected)
	}
	w := &Workload{Site: scaled, options: o, jobs: o.Jobs, until: math.Inf(1)}
	if o.Days > 0 {
		w.jobs, w.until = math.MaxInt64, o.Days*secondsPerDay
	}
	users := newUsers(scaled.Users)
	for _, c := range scaled.Classes {
		k, err := newClass(c, scaled.Processors, users, o)
		if err != nil {
			return nil, err
		}
		w.classes = append(w.classes, k)
	}
	w.columns = w.findColumns()
	w.arrive(stretch)
	if o.Load > 0 && slices.Contains(w.columns, workload.ColRunTime) { // jobs without run times have no load to meet
		stretch = w.meet(stretch)
	}
	jobs := o.expectedJobs(scaled, stretch)
	for i := range w.classes {
		if err := w.classes[i].estimate(i, jobs[i], o); err != nil {
			return nil, err
		}
	}
	w.Header, err = header(site, scaled, o)
	return w, err
}

// estimate prepares the estimates of about the given number of jobs of the class, from the run
// times that these jobs will have. number is that of the class, for errors.
func (c *class) estimate(number int, jobs float64, o Options) (err error) {
	if c.model.Estimates == nil {
		return nil
	}
	var j workload.Job
	d, pcg := newDrawer(), newStream(o.Seed, partEstimateBins, c.model.Name).whole()
	c.estimates, err = c.model.Estimates.Law(jobs, func(i int64) float64 { c.draw(d, i, &j); return j.Run }, rand.New(&pcg))
	if fault := (*workload.OptionError)(nil); errors.As(err, &fault) {
		option := fmt.Sprintf("classes[%d].estimates.max_s", number) // path in the model
		if o.Estimates == EstimatesTsafrir {
			option = "max-estimate"
		}
		return workload.OptionFault(option, fault.Saw+" (class "+c.model.Name+")", "%s", fault.Want)
	}
	return err
}

// expectedJobs returns the expected number of jobs of each class: those of Days at its rate of
// arrivals, or Jobs divided among the classes in proportion to their rates.
func (o Options) expectedJobs(s model.Site, stretch float64) (jobs []float64) {
	sum := 0.0
	for _, c := range s.Classes {
		rate := 1 / (stretch * c.Arrivals.Gap())
		jobs, sum = append(jobs, rate), sum+rate
	}
	for i := range jobs {
		switch {
		case o.Jobs == 0:
			jobs[i] *= o.Days * secondsPerDay
		case len(jobs) == 1:
			jobs[i] = float64(o.Jobs)
		default:
			jobs[i] *= float64(o.Jobs) / sum
		}
	}
	return jobs
}

// arrive sets the arrivals of the classes for a stretch.
func (w *Workload) arrive(stretch float64) {
	for i, c := range w.Site.Classes {
		w.classes[i].arrivals = newArrivals(c, stretch, w.options)
	}
}

// Optional returns the optional columns in which the jobs have values, for
// workload.WriteOptions.Columns: the column by which the model divides its classes, if
// that is an optional one such as account_id; otherwise none.
func (w *Workload) Optional() workload.ColumnSet {
	return workload.ColumnSetOf(w.columns...) & workload.OptionalColumns
}

// Made contains totals of the jobs yielded so far.
type Made = extent.Made

// Jobs yields the jobs one by one, in order of submission.
func (w *Workload) Jobs() workload.JobSeq { return workload.Jobs(w.Batches()) }

// Batches yields the jobs, in order of submission, as batches of
// workload.DefaultBatchRows (the last may be shorter). No error is yielded.
func (w *Workload) Batches() workload.BatchSeq { return w.Counted(new(Made)) }

// Counted is like Batches, but also keeps made up to date with the jobs yielded so far.
func (w *Workload) Counted(made *Made) workload.BatchSeq {
	drawn := par.Map(w.options.Workers, w.blocks(), w.fill, nil)
	return func(yield func(*workload.Batch, error) bool) {
		*made = Made{}
		for f := range drawn {
			if made.Jobs == 0 {
				made.First = f.First
			}
			made.Jobs += f.Jobs
			made.Area += f.Area
			made.Last = f.Last
			made.Cut += f.Cut
			if !yield(f.batch, nil) {
				return
			}
		}
	}
}

// block is a batch of consecutive jobs with known submissions and classes. Any goroutine can draw
// their sizes and run times.
type block struct {
	first   int64     // number of the first job in the log, from 1
	submits []float64 // s
	classes []int32   // class of each job; nil if there is only one class
	counts  []int64   // number of jobs of each class before this block
}

// class returns the class of row i.
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
			if w.options.Days == 0 { // with Days there may be few
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

// filled is a block of which everything has been drawn.
type filled struct {
	batch *workload.Batch
	Made
}

// job draws the job with the given number in class k. It sets all fields of j that jobs of a
// model can have, except ID, submission and status. cut reports whether the run time was cut to
// the longest estimate.
func (w *Workload) job(d *drawer, k int, number int64, j *workload.Job) (cut bool) {
	c := &w.classes[k]
	c.draw(d, number, j)
	if cut = j.Run > c.longest; cut {
		j.Run = c.longest
	}
	if j.Time = math.NaN(); c.estimates != nil {
		c.estimating.seed(&d.pcg, number)
		j.Time = c.estimates.Draw(d.rng, j.Run)
	}
	if c.column != nil {
		c.column.SetInt(j, c.model.Value)
	}
	return cut
}

// findColumns returns the columns in which the jobs of any class have values. One job of each
// class is enough to find them, because all jobs of a class have values in the same columns.
func (w *Workload) findColumns() (has []int) {
	d := newDrawer()
	for k := range w.classes {
		j := workload.UnknownJob()
		w.job(d, k, 0, &j)
		j.ID, j.Submit, j.Status = 1, 0, workload.StatusCompleted
		if w.classes[k].model.Estimates != nil { // the law of the estimates is not ready yet
			j.Time = 0
		}
		for at := range workload.NumColumns {
			if workload.ColumnAt(at).Known(&j) && !slices.Contains(has, at) {
				has = append(has, at)
			}
		}
	}
	return has
}

// fill draws the sizes, run times and estimates of a block's jobs. The block must not be used
// afterwards. It never fails.
func (w *Workload) fill(b block) (filled, error) {
	rows := len(b.submits)
	batch := &workload.Batch{Rows: rows}
	out := filled{batch: batch, Made: Made{Jobs: int64(rows), First: b.submits[0], Last: b.submits[rows-1]}}
	for _, at := range w.columns {
		batch.SetBits(at, make([]uint64, rows))
	}
	d, j := newDrawer(), workload.UnknownJob()
	for i, submit := range b.submits {
		k := b.class(i)
		if w.job(d, k, b.counts[k], &j) {
			out.Cut++
		}
		b.counts[k]++
		j.ID, j.Submit, j.Status = b.first+int64(i), submit, workload.StatusCompleted
		out.Area += area(&j)
		for _, at := range w.columns {
			if c := workload.ColumnAt(at); c.Float() {
				batch.Floats[at][i] = c.Number(&j)
			} else {
				batch.Ints[at][i] = c.Int(&j)
			}
		}
	}
	return out, nil
}

// area returns the processor seconds of a job, 0 if it has no size or run time.
func area(j *workload.Job) float64 {
	if j.Allocated > 0 && j.Run > 0 {
		return float64(j.Allocated) * j.Run
	}
	return 0
}
