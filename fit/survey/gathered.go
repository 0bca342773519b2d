package survey

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Gathered contains what Compute needs of a log: how many jobs of each class
// have each size, run time, interarrival time and so on. A log can be read in
// parts, in order of submission, whose Gathered are merged in that order.
type Gathered struct {
	o       Options              `state:"-"`
	clock   workload.Clock       `state:"-"`
	watch   *workload.ClassWatch // of the classes
	classes *fit.Collection
	starts  *workload.StartsWatch `state:"-"` // nil of merged parts
	one     bool                  `state:"-"` // classes are values of one identifier
	odd     workload.Warnings
	jobs    int
	first   float64 // submission, s; infinite where there is none
	last    float64
	from    float64 // the first and the last submission of the jobs that count
	to      float64

	// Where interactive and batch jobs are fitted beside all jobs, in place of classes:
	byKinds bool           `state:"-"`
	kinds   workload.Kinds `state:"-"`
	ofKinds *fit.KindCollection
}

// NewGathered returns an empty Gathered for a log, of which it reads the
// header.
func NewGathered(log *workload.Log, o Options) (*Gathered, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	g := &Gathered{o: o.filled(), first: math.Inf(1), last: math.Inf(-1), from: math.Inf(1), to: math.Inf(-1)}
	g.clock, _ = log.Header.Clock()
	processors, _ := log.Header.Processors()
	g.starts = workload.NewStartsWatch(cmp.Or(g.o.Site.Processors, processors))
	var err error
	if g.kinds, g.byKinds, err = g.findKinds(log); err != nil {
		return nil, fmt.Errorf("%s: %w", log.Name, err)
	}
	collect := fit.CollectOptions{Status: g.o.Status, Weeks: g.o.SiteReplicates > 0}
	if g.byKinds {
		g.ofKinds, err = fit.NewKindCollection(g.clock, g.kinds, collect)
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

// Read adds the jobs of a log, or of the share of it that log was opened for.
func (g *Gathered) Read(ctx context.Context, log *workload.Log) error {
	jobs := g.seen(workload.Until(ctx, log.Batches()))
	if g.byKinds {
		return g.ofKinds.Read(jobs, &g.odd)
	}
	return g.classes.Read(jobs, &g.odd)
}

// seen passes the jobs of batches on and counts them and their submissions.
func (g *Gathered) seen(in workload.BatchSeq) workload.JobSeq {
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
					if counts {
						g.from, g.to = min(g.from, j.Submit), max(g.to, j.Submit)
					}
				}
				if g.starts != nil {
					g.starts.Add(j.Submit, j.Wait, j.Run, j.Size)
				}
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

var errUnordered = errors.New("the jobs are not in order of submission: fit the log in one run, or sort it first")

// Merge adds what was gathered, with the same options, from the following part
// of the log. The error is the reason why the log cannot be fitted in parts.
func (g *Gathered) Merge(later *Gathered) error {
	g.starts = nil // which has seen a part
	if later.from < g.to || len(g.odd.List())+len(later.odd.List()) > 0 {
		return errUnordered
	}
	g.from, g.to = min(g.from, later.from), max(g.to, later.to)
	g.first, g.last = min(g.first, later.first), max(g.last, later.last)
	g.jobs += later.jobs
	if g.byKinds {
		g.ofKinds.Merge(later.ofKinds)
		return nil
	}
	g.watch.Merge(later.watch)
	g.classes.Merge(later.classes)
	return nil
}
