package slurm

import (
	"bufio"
	"cmp"
	"io"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// Listing holds jobs as listed by a command of Slurm. Times are in seconds since 1970-01-01 UTC.
type Listing struct {
	Jobs     []ListedJob
	Names    *workload.Names // names for the numbers of users, queues, ...
	Taken    float64         // time of a queue's listing, as far as the jobs show it; 0 if unknown
	Warnings []workload.Warning
}

// ListedJob is a job that waits, runs or has ended. Its Wait is unknown until it has started,
// and its Run until it has ended.
type ListedJob struct {
	workload.Job
	Label string // job number as Slurm prints it: 123, 123_4, 12+1
	// Tasks is true for a record of an accounting database that represents all tasks of an
	// array, Job.Array, that never started. Label is then "".
	Tasks bool

	// For a job that waits:
	Expected float64 // s, its start as Slurm expects it; NaN if it has no forecast
	Priority int64   // as last recorded, since Slurm raises it while the job waits; workload.Unknown if it is not listed
	// Held is true if the job waits for something other than processors: it is held, depends on
	// another job, has a later begin time, has reached a limit, ...
	Held   bool
	Reason string // Slurm's reason for the wait

	// Withdrawn is the end, in seconds, of a job that never started. It is NaN for other jobs,
	// and if the listing does not show it.
	Withdrawn float64
}

// Pending reports whether the job waits to start.
func (j *ListedJob) Pending() bool { return !(j.Wait >= 0) }

// IsQueue reports whether r begins with a listing that ReadQueue reads. It consumes part of
// r.
func IsQueue(r io.Reader) bool {
	f, want := formOf(bufio.NewReaderSize(r, parse.ChunkSize), workload.Options{})
	return f >= squeueLines && want == ""
}

// ReadQueue reads the output of squeue, squeue --json or scontrol show job: all that the
// formats Squeue, SqueueJSON and Scontrol read, with the same meaning, and also held jobs.
// name is for messages. Jobs that cannot be read are left out and counted in
// Listing.Warnings; text that is not a listing is a *workload.InputError. The listing is held
// in memory.
func ReadQueue(name string, r io.Reader, o workload.Options) (*Listing, error) {
	b := bufio.NewReaderSize(r, parse.ChunkSize)
	if f, want := formOf(b, workload.Options{}); f < squeueLines || want != "" {
		return nil, notJobs(name, b, "the jobs of squeue --json, squeue or scontrol show job")
	}
	q, err := readQueue(name, "squeue", b, o)
	if err != nil {
		return nil, err
	}
	l := &Listing{Names: &q.names.Names, Taken: q.moment}
	for _, j := range q.jobs {
		l.Jobs = append(l.Jobs, j.ListedJob)
	}
	q.warnOfReasons()
	l.Warnings = q.log.Warnings()
	return l, nil
}

// ReadEnded reads the output of sacct --json or sacct -P: all that the formats Sacct and
// SacctJSON read, with the same meaning. It returns the jobs that have ended; name is for
// messages. Text in another format, or a job that cannot be read, is a *workload.InputError.
func ReadEnded(name string, r io.Reader, o workload.Options) (*Listing, error) {
	b := bufio.NewReaderSize(r, parse.ChunkSize)
	if f, want := formOf(b, workload.Options{}); f != sacctLines && f != sacctJSON || want != "" {
		return nil, notJobs(name, b, cmp.Or(want, "the jobs of sacct --json or sacct -P"))
	}
	s, err := newAccounts(name, b, o, parse.ChunkSize)
	if err != nil {
		return nil, err
	}
	l := &Listing{Names: &s.names.Names}
	err = s.each(func(j *row) bool {
		if j.state.ended() {
			l.Jobs = append(l.Jobs, j.asListed(j.key))
		}
		return true
	})
	if err != nil {
		return nil, err
	}
	l.Warnings = s.log.Warnings()
	return l, nil
}
