package reshape

import (
	"context"
	"fmt"
	"slices"

	"github.com/loadstone-hpc/loadstone/workload"
)

// Cleaned is a log that is cleaned while it is read.
type Cleaned struct {
	// Jobs are those that stay. They are read once: the counts, Header and
	// Warnings tell all when they have been.
	Jobs workload.JobSeq
	*Cleaning

	log *workload.Log
}

// Clean passes a log through filters, each of which sees the jobs that the previous ones
// left. Each removed job is passed to removed, which may be nil; an error that it returns
// ends the jobs. If no job is left, the last thing that the jobs yield is an error. The log
// is not closed.
func Clean(ctx context.Context, log *workload.Log, filters []Filter, removed func(Removal) error) *Cleaned {
	c := &Cleaned{Cleaning: NewCleaning(log.Header.Clone(), filters, removed), log: log}
	c.Names = log.Names()
	c.Jobs = c.some(c.Cleaning.Jobs(workload.Until(ctx, log.Jobs())))
	return c
}

// some is the cleaned jobs, with an error where nothing is left: a log without
// jobs could not be read again.
func (c *Cleaned) some(jobs workload.JobSeq) workload.JobSeq {
	return func(yield func(workload.Job, error) bool) {
		for j, err := range jobs {
			if !yield(j, err) || err != nil {
				return
			}
		}
		if c.Kept == 0 {
			yield(workload.Job{}, fmt.Errorf("%s: the filters remove all %d jobs: no output is written", c.log.Name, c.Records))
		}
	}
}

// Header returns the cleaned log's header with what was done (Cleaning.Record).
// The names of a text format are in the log's header only at its end.
func (c *Cleaned) Header(by string) workload.Header {
	h := c.log.Header.Clone()
	c.Record(&h, by)
	return h
}

// Warnings returns those of the log and of the filters.
func (c *Cleaned) Warnings() []workload.Warning {
	all := slices.Clone(c.log.Warnings())
	for _, o := range c.Outcomes {
		all = append(all, o.Warnings.List()...)
	}
	return all
}
