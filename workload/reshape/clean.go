package reshape

import (
	"cmp"
	"context"
	"encoding/csv"
	"io"
	"strconv"

	"github.com/loadstone-hpc/loadstone/internal/words"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Removal is a job that a filter removed.
type Removal struct {
	Job    int64 // the log's number of the job, or workload.Unknown
	Row    int64 // its record in the log, from 1
	Filter string
	Reason string
}

// Outcome counts what one filter did to a log.
type Outcome struct {
	Filter  string
	Removed int64 // records removed

	names *workload.Names // of a log that names things by text, as far as it is read
	tell  func(Removal) error
	err   error // of tell
}

// Remove records that a job is removed, for the reason given.
func (o *Outcome) Remove(j *workload.Job, reason string) {
	o.Removed++
	if o.tell != nil && o.err == nil {
		o.err = o.tell(Removal{Job: j.ID, Row: j.Row + 1, Filter: o.Filter, Reason: reason})
	}
}

// Cleaned is a log that is cleaned while it is read.
type Cleaned struct {
	*Stream
	Outcomes []*Outcome // in the order of the filters
}

// Clean passes a log through filters, each of which sees the jobs that the previous ones
// left. Each removed job is passed to removed, which may be nil; an error that it returns
// ends the jobs.
func Clean(ctx context.Context, log *workload.Log, filters []Filter, removed func(Removal) error) *Cleaned {
	c := &Cleaned{}
	c.Stream = streamOf(ctx, log, func(jobs workload.JobSeq) workload.JobSeq {
		for _, f := range filters {
			o := &Outcome{Filter: f.String(), tell: removed, names: log.Names()}
			jobs = f.Apply(log.Header.Clone(), jobs, o)
			c.Outcomes = append(c.Outcomes, o)
		}
		return func(yield func(workload.Job, error) bool) {
			for j, err := range jobs {
				if err = cmp.Or(err, c.fault()); !yield(j, err) || err != nil {
					return
				}
			}
			if err := c.fault(); err != nil {
				yield(workload.Job{}, err)
			}
		}
	})
	return c
}

// fault is the first error of telling of a removal.
func (c *Cleaned) fault() error {
	for _, o := range c.Outcomes {
		if o.err != nil {
			return o.err
		}
	}
	return nil
}

// Header returns the log's header with what was done, when all jobs have passed: a Note in
// the words of the archive's cleaned logs, with each filter and the number of jobs that it
// removed; and the counts and times that are not true any more (see workload.Header.Complete).
// by is who did it, such as "loadstone clean".
func (c *Cleaned) Header(by string) workload.Header {
	h := c.Log.Header.Clone() // the names of a text format are in it only at its end
	h.Add("Note", workload.CleanedNote+"!")
	lead := "The filters used to produce it were"
	if len(c.Outcomes) == 1 {
		lead = "The filter used to produce it was"
	}
	h.Lines = append(h.Lines, "       "+lead)
	for _, o := range c.Outcomes {
		h.Lines = append(h.Lines, "         "+o.Filter+" ("+words.Counted(o.Removed, "job")+" removed)")
	}
	c.change.complete(&h, by)
	return h
}

// WriteRemovals calls run with what writes a job that is removed, as they come, as a row of
// CSV for spreadsheets and scripts.
func WriteRemovals(w io.Writer, run func(removed func(Removal) error) error) error {
	table := csv.NewWriter(w)
	err := cmp.Or(table.Write([]string{"job_id", "row", "filter", "reason"}), run(func(r Removal) error {
		id := ""
		if r.Job != workload.Unknown {
			id = strconv.FormatInt(r.Job, 10)
		}
		return table.Write([]string{id, strconv.FormatInt(r.Row, 10), r.Filter, workload.SpreadsheetText(r.Reason)})
	}))
	table.Flush()
	return cmp.Or(err, table.Error())
}
