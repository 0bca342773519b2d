package lifetimes

import (
	"context"

	"github.com/loadstone-hpc/loadstone/workload"
)

// gathered is how many jobs of each class of a log have each run time.
type gathered struct {
	o       ComputeOptions
	over    *workload.Division
	watch   *workload.ClassWatch // of the classes
	all     *Collector
	periods *Collector // nil where time is not divided
}

func newGathered(log *workload.Log, o ComputeOptions, first, last float64) (g *gathered, err error) {
	g = &gathered{}
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

// read adds the jobs of a log.
func (g *gathered) read(ctx context.Context, log *workload.Log) error {
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

// result fits the gathered jobs.
func (g *gathered) result(log *workload.Log) (*Result, error) {
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
