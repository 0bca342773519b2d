package cli

import (
	"context"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

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
