package lifetimes

import (
	"context"
	"errors"

	"github.com/loadstone-hpc/loadstone/workload"
)

// Gathered contains what Compute needs of a log: how many jobs of each class
// have each run time. A log can be read in parts, whose Gathered are merged in
// order.
type Gathered struct {
	o       ComputeOptions       `state:"-"`
	over    *workload.Division   `state:"-"`
	watch   *workload.ClassWatch // of the classes
	all     *Collector
	periods *Collector // nil where time is not divided
}

// NewGathered returns an empty Gathered for a log, of which it reads the
// header. It does not support equal periods, which need the first and the last
// submission of the whole log.
func NewGathered(log *workload.Log, o ComputeOptions) (*Gathered, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	if o.Periods > 0 {
		return nil, workload.OptionFault("periods", o.Periods, "`months` with `part`: equal periods depend on the first and the last submission of the whole log")
	}
	return newGathered(log, o, 0, 0)
}

func newGathered(log *workload.Log, o ComputeOptions, first, last float64) (g *Gathered, err error) {
	g = &Gathered{}
	if g.over, err = o.division(&log.Header, first, last); err != nil {
		return nil, err
	}
	if o.By, err = o.by(&log.Header); err != nil {
		return nil, err
	}
	by, err := workload.NewClassifier(o.By)
	if err != nil {
		return nil, err
	}
	g.o, g.watch = o, workload.NewClassWatch(by, false)
	collect := o.Options
	collect.Over = nil
	if g.all, err = NewCollector(collect); err != nil || g.over == nil {
		return g, err
	}
	collect.Over = g.over
	g.periods, err = NewCollector(collect)
	return g, err
}

// Read adds the jobs of a log, or of the share of it that log was opened for.
func (g *Gathered) Read(ctx context.Context, log *workload.Log) error {
	row := int64(0)
	for rec, err := range workload.Until(ctx, log.Batches()) {
		if err != nil {
			return err
		}
		v := workload.NewView(rec)
		g.watch.See(v)
		for i := range v.Len() {
			j := v.Job(i, row)
			row++
			g.all.Add(&j)
			if g.periods != nil {
				g.periods.Add(&j)
			}
		}
	}
	return nil
}

// errBounds is why some logs are not divided: what is left out or rounded depends on
// the order in which jobs come.
var errBounds = errors.New("more classes or distinct run times than are kept: fit the log in one run, by fewer columns")

// Merge adds what was gathered, with the same options, from the following part
// of the log. The error is the reason why the log cannot be fitted in parts.
func (g *Gathered) Merge(later *Gathered) error {
	g.watch.Merge(later.watch)
	g.all.Merge(later.all)
	if g.periods != nil {
		g.periods.Merge(later.periods)
	}
	if g.bounded() {
		return errBounds
	}
	return nil
}

// CheckPart returns the error that Merge would return for g as what was gathered of this
// share of a log, whatever the others are.
func (g *Gathered) CheckPart(share workload.Share) error {
	if share.Parts > 1 && g.bounded() {
		return errBounds
	}
	return nil
}

func (g *Gathered) bounded() bool {
	return g.all.bounded() || g.periods != nil && g.periods.bounded()
}

// Result fits the gathered jobs, as Compute does. log provides the name and the
// header.
func (g *Gathered) Result(log *workload.Log) (*Result, error) {
	o := g.o
	out := &Result{Schema: Schema, Family: o.family(), Log: log.Name}
	odd, err := g.watch.End(log.Name)
	if err != nil {
		return nil, err
	}
	out.Warnings = append(append(out.Warnings, log.Warnings()...), odd...)
	classes, left := g.all.Classes()
	var parts []Class
	if g.periods != nil {
		var more []string
		parts, more = g.periods.Classes()
		left = append(left, more...)
	}
	for _, text := range left {
		out.warn("left-out", text)
	}
	if o.Months > 0 {
		out.Warnings = append(out.Warnings, log.Header.ClockWarnings()...)
	}
	if o.Fit.Replicates > 0 && o.Work != nil {
		var end func()
		o.Fit.Replicated, end = o.Work(out.Family+" of each class", "replicates", len(classes)*o.Fit.Replicates)
		defer end()
	}
	return out, out.fill(classes, parts, o)
}
