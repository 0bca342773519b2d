package reshape

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"io"
	"strconv"

	"github.com/loadstone-hpc/loadstone/workload"
)

// Filter takes jobs out of a log. It may be applied to several logs, one after
// another or at once: what it learns of one is kept in Apply.
type Filter interface {
	// String is the filter in the syntax of ParseFilter, as a header's Note
	// shows it.
	String() string
	// Apply yields the jobs that stay, in their order, and tells o of the
	// others. h is the log's header.
	Apply(h workload.Header, jobs workload.JobSeq, o *Outcome) workload.JobSeq
}

// Removal is a job that a filter removed.
type Removal struct {
	Job    int64 // the log's number of the job, or workload.Unknown
	Row    int64 // its record in the log, from 1
	Filter string
	Reason string
}

// Outcome counts what one filter did to a log.
type Outcome struct {
	Filter   string
	Removed  int64 // records removed
	Merged   int64 // records that came to stand for a job in parts
	Warnings workload.Warnings

	names *workload.Names // of a log that names things by text, as far as it is read
	whole bool            // parts of executions are gone: every job is one record
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

// count is what a header's Note says of the filter.
func (o *Outcome) count() string {
	switch {
	case o.Merged > 0:
		return fmt.Sprintf("%s removed, %s merged from parts", countJobs(o.Removed), countJobs(o.Merged))
	default:
		return countJobs(o.Removed) + " removed"
	}
}

func countJobs(n int64) string {
	if n == 1 {
		return "1 job"
	}
	return fmt.Sprintf("%d jobs", n)
}

// Cleaning is one pass of a log through a chain of filters, each of which sees
// what the ones before it left.
type Cleaning struct {
	Outcomes []*Outcome // in the order of the filters
	Records  int64      // read so far
	Kept     int64      // yielded so far

	// Names are those of a log whose header gets them only at its end (see
	// workload.Log.Names); else nil. Set it before Jobs.
	Names *workload.Names

	header        workload.Header
	filters       []Filter
	before, after workload.FactsCounter
}

// NewCleaning returns a pass of the log with that header. Each job that is
// taken out goes to removed, which may be nil, when that is decided. An error of
// removed ends the stream.
func NewCleaning(h workload.Header, filters []Filter, removed func(Removal) error) *Cleaning {
	c := &Cleaning{header: h, filters: filters}
	for _, f := range filters {
		c.Outcomes = append(c.Outcomes, &Outcome{Filter: f.String(), tell: removed})
	}
	return c
}

// Jobs yields the jobs that stay. It is called once.
func (c *Cleaning) Jobs(jobs workload.JobSeq) workload.JobSeq {
	jobs = counted(jobs, &c.Records, &c.before)
	for i, f := range c.filters {
		c.Outcomes[i].names = c.Names
		jobs = f.Apply(c.header, jobs, c.Outcomes[i])
	}
	jobs = counted(jobs, &c.Kept, &c.after)
	return func(yield func(workload.Job, error) bool) {
		for j, err := range jobs {
			if err == nil {
				err = c.fault()
			}
			if !yield(j, err) || err != nil {
				return
			}
		}
		if err := c.fault(); err != nil {
			yield(workload.Job{}, err)
		}
	}
}

// fault is the first error of telling of a removal.
func (c *Cleaning) fault() error {
	for _, o := range c.Outcomes {
		if o.err != nil {
			return o.err
		}
	}
	return nil
}

func counted(jobs workload.JobSeq, n *int64, facts *workload.FactsCounter) workload.JobSeq {
	return func(yield func(workload.Job, error) bool) {
		for j, err := range jobs {
			if err == nil {
				*n++
				facts.Add(&j)
			}
			if !yield(j, err) {
				return
			}
		}
	}
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
