package reshape

import (
	"cmp"
	"context"
	"encoding/csv"
	"fmt"
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

// Outcome is the number of records that a filter removed from a log.
type Outcome struct {
	Filter  string
	Removed int64 // records removed
}

// Cleaned is a log that is cleaned while it is read. The note in its header has the wording of the
// archive's cleaned logs, with each filter and the number of jobs that it removed.
type Cleaned struct {
	Stream
	Outcomes []Outcome // in the order of the filters
}

// Clean passes a log through filters, each of which sees the jobs that the previous ones left. Each
// removed job is passed to removed; if that returns an error, the jobs end with it. If a name or a
// date in a condition has no meaning in the log, the error is returned by Clean or at the end of
// the jobs.
func Clean(ctx context.Context, log *workload.Log, filters []Filter, removed func(Removal) error) (*Cleaned, error) {
	c := &Cleaned{Outcomes: make([]Outcome, len(filters))}
	applied := make([]applied, len(filters))
	for i, f := range filters {
		c.Outcomes[i].Filter = f.String()
		var err error
		if applied[i], err = f.apply(log); err != nil {
			return nil, fmt.Errorf("filter %q: %w", f, err)
		}
	}
	c.note = c.lines
	c.end = func() error {
		for i, f := range filters {
			if err := applied[i].end(); err != nil {
				return fmt.Errorf("filter %q: %w", f, err)
			}
		}
		return nil
	}
	c.alter(ctx, log, func(j *workload.Job) (bool, error) {
		for i := range applied {
			if reason := applied[i].reason(j); reason != "" {
				c.Outcomes[i].Removed++
				return false, removed(Removal{Job: j.ID, Row: j.Row + 1, Filter: c.Outcomes[i].Filter, Reason: reason})
			}
		}
		return true, nil
	})
	return c, nil
}

// lines returns the note on the jobs removed.
func (c *Cleaned) lines() []string {
	lead := "The filters used to produce it were"
	if len(c.Outcomes) == 1 {
		lead = "The filter used to produce it was"
	}
	all := []string{workload.CleanedNote + "!", "       " + lead}
	for _, o := range c.Outcomes {
		all = append(all, "         "+o.Filter+" ("+words.Counted(o.Removed, "job")+" removed)")
	}
	return all
}

// WriteRemovals writes removed jobs as CSV, one per row. It calls run with the function that writes
// a job.
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
