package slurm

import (
	"bufio"
	"errors"
	"io"
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// Listing holds jobs as a command of Slurm lists them. Times are in seconds since 1970-01-01
// UTC.
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
	// Tasks reports that the record of an accounting database stands for all tasks of an
	// array, Asked.Array, that never started. Label is "" then.
	Tasks bool

	// Of a job that waits:
	Expected float64 // s, its start as Slurm expects it; NaN if it has no forecast
	Priority int64   // as last recorded, since Slurm raises it while the job waits; workload.Unknown if it is not listed
	// Held reports that the job waits for something other than processors: it is held,
	// depends on another job, has a later begin time, has reached a limit, ...
	Held   bool
	Reason string // why it waits, in Slurm's words

	// Withdrawn is the end, in seconds, of a job that never started; NaN for other jobs, and
	// if the listing does not say.
	Withdrawn float64
}

// Pending reports whether the job waits to start.
func (j *ListedJob) Pending() bool { return !(j.Wait >= 0) }

// IsQueue reports whether r begins with a listing that ReadQueue reads. It consumes part of
// r.
func IsQueue(r io.Reader) bool {
	b := bufio.NewReaderSize(r, parse.ChunkSize)
	return queueForm(b) != nil
}

// queueForm returns the function that reads what r begins with; nil of what is no listing.
func queueForm(r *bufio.Reader) func(*squeueReader, *bufio.Reader) error {
	head, _ := r.Peek(parse.Sniffed)
	switch shows := scontrolShows(head); {
	case isJSON(head):
		if peekJSON(r).kind == jsonSqueue {
			return (*squeueReader).readJSON
		}
	case shows == "JobId", shows == "No jobs":
		return (*squeueReader).readScontrol
	case isSqueue(head):
		return (*squeueReader).readText
	}
	return nil
}

// ReadQueue reads the output of squeue, squeue --json or scontrol show job: all that the
// formats Squeue, SqueueJSON and Scontrol read, with the same meaning, and also held jobs.
// name is for messages. Jobs that cannot be read are left out and counted in
// Queue.Warnings; text that is not a listing is a *workload.InputError. The listing is held
// in memory.
func ReadQueue(name string, r io.Reader, o workload.Options) (*Listing, error) {
	b := bufio.NewReaderSize(r, parse.ChunkSize)
	read := queueForm(b)
	if read == nil {
		head, err := b.Peek(parse.Sniffed)
		if err != nil && err != io.EOF {
			return nil, parse.InputFault(name, err)
		}
		return nil, &workload.InputError{File: name, Line: 1, Saw: parse.ShortenLine(head), Want: "the jobs of squeue --json, squeue or scontrol show job"}
	}
	s, err := newSqueueReader(name, "squeue", o)
	if err != nil {
		return nil, err
	}
	q := &Listing{}
	s.queue = q
	s.jobs.apart = true
	if err := read(s, b); err != nil {
		return nil, err
	}
	for i := range q.Jobs {
		s.jobs.finish(&q.Jobs[i].Job, i)
	}
	s.beyondLimits(func(at, _ int64) { q.Jobs[at].Held, q.Jobs[at].Reason = true, taskLimit })
	s.warnOfReasons()
	s.names.Warn(&s.from.Warnings)
	q.Names, q.Taken, q.Warnings = &s.names.Names, s.taken, s.log.Warnings()
	return q, nil
}

// enqueue adds a job to the queue.
func (s *squeueReader) enqueue(j *workload.Job, label string, state sacctJobState, v *squeueValues, tres squeueTRES, expected float64, held bool) {
	priority, _ := parseSacctCount(v[squeuePriority])
	q := ListedJob{Job: *j, Label: label, Priority: priority, Expected: math.NaN(), Withdrawn: math.NaN(), Held: held}
	switch {
	case state.waits() && math.IsNaN(j.Wait):
		q.Reason, q.Expected = string(v[squeueReason]), expected
	case state.ended() && math.IsNaN(j.Wait):
		if at, known, want := s.moment(v[squeueEnd]); known && want == "" {
			q.Withdrawn = at
		}
	}
	jobs := s.queue.Jobs
	if len(jobs) == cap(jobs) { // twice as much: append leaves five times as much behind
		jobs = slices.Grow(jobs, max(64, len(jobs)))
	}
	s.queue.Jobs = append(jobs, q)
	s.jobs.note(j, tres)
}

// passOver counts a job that cannot be read and returns nil; other errors stay.
func (s *squeueReader) passOver(err error) error {
	var fault *workload.InputError
	switch {
	case err == nil:
		s.readable++
		return nil
	case !errors.As(err, &fault), s.queue == nil && s.repeated:
		return err
	}
	if s.unreadable++; s.unreadable == 1 {
		s.firstFault = fault
	}
	s.from.Warnings.Add("unreadable-jobs", "jobs left out, because they cannot be read", fault.Line, fault.Error())
	return nil
}
