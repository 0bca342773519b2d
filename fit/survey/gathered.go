package survey

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/workload"
)

// gathered is how many jobs of each class of a log have each size, run time,
// interarrival time and so on.
type gathered struct {
	o       Options
	clock   workload.Clock
	watch   *workload.ClassWatch // of the classes
	classes *fit.Collection
	starts  *workload.StartsWatch
	one     bool // classes are values of one identifier
	odd     workload.Warnings
	jobs    int
	first   float64 // submission, s; infinite where there is none
	last    float64

	byKinds bool // interactive and batch jobs are fitted beside all jobs, in place of classes
	kinds   workload.Kinds
}

// newGathered returns an empty gathered for a log, of which it reads the
// header.
func newGathered(log *workload.Log, o Options) (*gathered, error) {
	g := &gathered{o: o.filled(), first: math.Inf(1), last: math.Inf(-1)}
	g.clock, _ = log.Header.Clock()
	processors, _ := log.Header.Processors()
	g.starts = workload.NewStartsWatch(cmp.Or(g.o.Site.Processors, processors))
	var err error
	if g.kinds, g.byKinds, err = g.findKinds(log); err != nil {
		return nil, fmt.Errorf("%s: %w", log.Name, err)
	}
	collect := fit.CollectOptions{Status: g.o.Status, Weeks: g.o.SiteReplicates > 0}
	if g.byKinds {
		collect.Kinds = &g.kinds
		g.classes, err = fit.NewCollection(g.clock, collect)
		return g, err
	}
	by, err := g.o.classes(&log.Header)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", log.Name, err)
	}
	if by == nil {
		by, _ = workload.NewClassifier(nil)
	}
	g.watch, g.one = workload.NewClassWatch(by, false), fit.OneIdentifier(by)
	collect.Classes = by
	g.classes, err = fit.NewCollection(g.clock, collect)
	return g, err
}

// read adds the jobs of a log.
func (g *gathered) read(ctx context.Context, log *workload.Log) error {
	return g.classes.Read(g.seen(workload.Until(ctx, log.Batches())), &g.odd)
}

// seen passes the jobs of batches on and counts them and their submissions.
func (g *gathered) seen(in workload.BatchSeq) workload.JobSeq {
	return func(yield func(workload.Job, error) bool) {
		row := int64(0)
		for rec, err := range in {
			if err != nil {
				yield(workload.Job{}, err)
				return
			}
			v := workload.NewView(rec)
			if g.watch != nil {
				g.watch.See(v)
			}
			for i := range v.Len() {
				j := v.Job(i, row)
				row++
				g.jobs++
				counts := len(g.o.Status) == 0 || slices.Contains(g.o.Status, j.Status)
				if !math.IsNaN(j.Submit) {
					g.first, g.last = min(g.first, j.Submit), max(g.last, j.Submit)
				}
				g.starts.Add(j.Submit, j.Wait, j.Run, j.Size)
				if counts && g.o.Seen != nil {
					g.o.Seen(&j)
				}
				if !yield(j, nil) {
					return
				}
			}
		}
	}
}
