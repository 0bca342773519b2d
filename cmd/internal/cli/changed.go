package cli

import (
	"context"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

// changed counts the jobs of a log before and after a change, for the header.
type changed struct {
	before, after workload.FactsCounter
}

// counting passes jobs on and counts them.
func counting(jobs workload.JobSeq, c *workload.FactsCounter) workload.JobSeq {
	return func(yield func(workload.Job, error) bool) {
		for j, err := range jobs {
			if err == nil {
				c.Add(&j)
			}
			if !yield(j, err) || err != nil {
				return
			}
		}
	}
}

// header is a log's header with the counts and times that the change made
// wrong put right, and a note on the change. EndTime is by the site's own
// definition, so it stays where the last end did.
func (c *changed) header(h workload.Header, by, note string) workload.Header {
	h = h.Clone()
	h.Add("Note", note)
	before, after := c.before.Facts(), c.after.Facts()
	if after.End == before.End {
		after.End = workload.NoFacts().End
	}
	if after.Jobs == before.Jobs && after.Records == before.Records {
		after.Jobs, after.Records = workload.Unknown, workload.Unknown
	}
	h.Complete(after, "loadstone "+by)
	return h
}

// putChanged is putJobs with a header that is known only when all jobs have
// been written.
func (a *app) putChanged(ctx context.Context, o jobsOptions, jobs workload.JobSeq, header func() workload.Header) error {
	return a.putTable(ctx, o, workload.Batches(jobs, nil), workload.Header{}, header)
}

// output is a file of jobs that is being written.
type output struct {
	*logfile.Output
	path string
	stop func() // removes it unless it is whole
}

// create opens such a file.
func (a *app) create(path string, h workload.Header, o workload.WriteOptions) (*output, error) {
	out, err := logfile.Create(path, h, o)
	if err != nil {
		return nil, err
	}
	return &output{out, path, a.outputs.keep(out)}, nil
}

// wrote tells of a file that is whole.
func (a *app) wrote(o *output, jobs int64) {
	a.note("%s: %d jobs", o.path, jobs)
	a.tellLosses(o.path, o.Output)
}

// tellLosses says what the format of an output could not hold.
func (a *app) tellLosses(path string, o *logfile.Output) {
	for _, l := range o.Losses() {
		a.warn("%s: lost: %s", path, lossText(l))
	}
}
