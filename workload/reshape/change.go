package reshape

import (
	"context"
	"slices"

	"github.com/loadstone-hpc/loadstone/workload"
)

// Change counts the jobs of a log before and after a change, for its header. The
// zero value is ready for use: let the jobs pass through Before.Counting and then,
// changed, through After.Counting.
//
//	var change reshape.Change
//	jobs := change.After.Counting(alter(change.Before.Counting(log.Jobs())))
//	... // write the jobs
//	header := change.Header(log.Header, "myprogram", "run times doubled")
type Change struct {
	Before, After workload.FactsCounter
}

// Header returns a copy of the log's header h with note as a Note, and with MaxJobs,
// MaxRecords and EndTime recomputed where the change made them wrong; by is what made
// the change, such as "loadstone sample". Call it when all jobs have passed through
// both counters. EndTime stays where the last end did, since sites define it in
// different ways.
//
// Header knows only what the counters saw. A caller who simulates waits gives the jobs
// their simulated Wait before they pass After, because EndTime follows from it; names
// the policy in note; and sets MaxProcs (and MaxNodes) in h first if the simulated
// machine is of another size.
func (c *Change) Header(h workload.Header, by, note string) workload.Header {
	h = h.Clone()
	h.Add("Note", note)
	before, after := c.Before.Facts(), c.After.Facts()
	if after.End == before.End {
		after.End = workload.NoFacts().End
	}
	if after.Jobs == before.Jobs && after.Records == before.Records {
		after.Jobs, after.Records = workload.Unknown, workload.Unknown
	}
	h.Complete(after, by)
	return h
}

// Altered is a log that is changed while it is read. Close closes the log.
type Altered struct {
	// Jobs are those of the altered log. They are read once: Header and
	// Warnings tell all when they have been.
	Jobs workload.JobSeq

	log    *workload.Log
	change Change
	odd    workload.Warnings
}

// alter opens a log and has its jobs altered.
func alter(ctx context.Context, open func() (*workload.Log, error), by func(workload.JobSeq) (workload.JobSeq, error)) (*Altered, error) {
	log, err := open()
	if err != nil {
		return nil, err
	}
	a := &Altered{log: log}
	jobs, err := by(a.change.Before.Counting(workload.Until(ctx, log.Jobs())))
	if err != nil {
		log.Close()
		return nil, err
	}
	a.Jobs = a.change.After.Counting(jobs)
	return a, nil
}

// Begun returns the header of the original log, as far as it is known before the log is
// read.
func (a *Altered) Begun() workload.Header { return a.log.Header }

// Header returns the changed log's header with a note on the change; by is what made the
// change, such as "loadstone sample". Call it after the jobs have been read.
func (a *Altered) Header(by, note string) workload.Header {
	return a.change.Header(a.log.Header, by, note)
}

// Optional returns the optional columns that the log has, for WriteOptions.Columns.
func (a *Altered) Optional() workload.ColumnSet { return a.log.Optional() }

// Warnings returns the warnings of the log and of the change. Call it after the jobs have
// been read.
func (a *Altered) Warnings() []workload.Warning {
	return slices.Concat(a.log.Warnings(), a.odd.List())
}

// Close closes the log.
func (a *Altered) Close() error { return a.log.Close() }

// rows reads a log to its end and returns how many jobs it has.
func rows(ctx context.Context, log *workload.Log) (n int64, err error) {
	for rec, err := range workload.Until(ctx, log.Batches()) {
		if err != nil {
			return 0, err
		}
		n += rec.NumRows()
	}
	return n, nil
}
