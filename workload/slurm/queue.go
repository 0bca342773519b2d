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

// Queue is a listing of the jobs of one moment with what the job table has no place for.
// Its times are seconds since 1970.
type Queue struct {
	Jobs     []QueuedJob
	Names    *workload.Names // of the numbers of users, queues, ...
	Taken    float64         // the moment of the listing as far as the jobs show it; 0 is not known
	Warnings []workload.Warning
}

// QueuedJob is a job of a Queue: it waits, runs or has ended lately. Its times are
// seconds since 1970.
type QueuedJob struct {
	workload.Job
	Label    string  // as squeue prints its number: 123, 123_4, 123_[5-10], 12+1
	Reason   string  // why it waits, "" where it does not
	Expected float64 // when the scheduler expects a job that waits to start; NaN: no forecast
	// Held says that a job waits for something other than processors: it is held, depends
	// on another job, is to begin later, has reached a limit, ...
	Held bool
	// Withdrawn is when a job ended that never started; NaN for other jobs, and where the
	// listing does not say.
	Withdrawn float64
}

// IsQueue reports whether a text is what ReadQueue reads. It reads some of it.
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

// ReadQueue reads what squeue --json or squeue prints, or scontrol show job, and
// slurmrestd's list of jobs: all that the formats Squeue, SqueueJSON and Scontrol read,
// with the same meaning, and held jobs too. A job that cannot be read is left out and
// counted; what is no listing at all is an *workload.InputError. The listing is held in
// memory.
func ReadQueue(name string, r io.Reader, o workload.Options) (*Queue, error) {
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
	q := &Queue{}
	s.queue = q
	s.jobs.apart = true
	if err := read(s, b); err != nil {
		return nil, err
	}
	for i := range q.Jobs {
		s.jobs.finish(&q.Jobs[i].Job, i)
	}
	s.warnOfReasons()
	s.names.Warn(&s.from.Warnings)
	q.Names, q.Taken, q.Warnings = &s.names.Names, s.taken, s.log.Warnings()
	return q, nil
}

// enqueue adds a job to the queue.
func (s *squeueReader) enqueue(j *workload.Job, state sacctJobState, v *squeueValues, tres squeueTRES, expected float64, held bool) {
	q := QueuedJob{Job: *j, Label: string(v[squeueJobID]), Expected: math.NaN(), Withdrawn: math.NaN(), Held: held}
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

// passOver counts a job of a queue that cannot be read and returns nil; other errors stay.
func (s *squeueReader) passOver(err error) error {
	var fault *workload.InputError
	if s.queue == nil || err == nil || !errors.As(err, &fault) {
		return err
	}
	s.from.Warnings.Add("unreadable-jobs", "jobs left out, because they cannot be read", fault.Line, fault.Error())
	return nil
}
