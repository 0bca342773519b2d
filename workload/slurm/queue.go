package slurm

import (
	"bufio"
	"io"
	"math"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// Squeue is the format of the output of squeue with a header line (man page squeue(1)): the
// jobs that run and wait at one moment. Columns are found by their names, in any order, as -o,
// -O and SQUEUE_FORMAT print them; between them are bars, or what else separates the names of
// the header line. Best is
//
//	squeue -a -r -o "%i|%u|%a|%P|%q|%j|%T|%V|%S|%M|%l|%C|%r|%Q"
//
// Wanted are JOBID, ST or STATE, SUBMIT_TIME, START_TIME and CPUS.
//
// What becomes a column of the job table:
//   - Names, numbers and second 0 are as of Sacct.
//   - A job that holds processors (RUNNING, COMPLETING, CONFIGURING, SUSPENDED
//     and the like) has a wait, from SUBMIT_TIME to START_TIME, and no run time.
//   - A job that waits has neither: its START_TIME is what the scheduler
//     expects. Jobs whose REASON or state is not that they lack processors (see
//     reasons) are left out and counted.
//   - A record of the waiting tasks of an array, 123_[0-9%2], is a job for each. Of those
//     that its limit allows no processors, because as many tasks run, it is as of
//     REASON JobArrayTaskLimit.
//   - A job that has ended has the run time TIME, where that is there.
//
// The listing is read at once and held in memory. If Options.Map names columns, it is read as
// any other table. The format is read-only.
var Squeue = workload.Format{
	Name: "squeue",
	Sniff: func(_ string, r *bufio.Reader, o workload.Options) bool {
		head, _ := r.Peek(parse.Sniffed)
		return len(o.Map) == 0 && isSqueue(head)
	},
	Open: func(name string, r *bufio.Reader, o workload.Options) (*workload.Log, error) {
		return openQueue(name, "squeue", r, o, (*queueReader).openText)
	},
}

// SqueueJSON is the format of the output of squeue --json and scontrol show job --json: the
// jobs that Squeue reads, with the same meaning. The moment of the listing is last_update, or,
// before data parser 0.0.40, the latest at which a job was submitted, started, ended or looked
// at by the scheduler. It is read-only.
var SqueueJSON = jsonFormat("squeue", jsonSqueue, func(name string, r *bufio.Reader, o workload.Options) (*workload.Log, error) {
	return openQueue(name, "squeue", r, o, (*queueReader).openJSON)
})

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
	// array, Job.Array, that never started. Label is "" then.
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
func IsQueue(r io.Reader) bool { return queueForm(bufio.NewReaderSize(r, parse.ChunkSize)) != nil }

// queueForm returns the function that opens what r begins with; nil of what is no listing.
func queueForm(r *bufio.Reader) func(*queueReader, *bufio.Reader) error {
	head, _ := r.Peek(parse.Sniffed)
	switch shows := scontrolShows(head); {
	case isJSON(head):
		if peekJSON(r).kind == jsonSqueue {
			return (*queueReader).openJSON
		}
	case shows == "JobId", shows == noJobs:
		return (*queueReader).openScontrol
	case isSqueue(head):
		return (*queueReader).openText
	}
	return nil
}

// ReadQueue reads the output of squeue, squeue --json or scontrol show job: all that the
// formats Squeue, SqueueJSON and Scontrol read, with the same meaning, and also held jobs.
// name is for messages. Jobs that cannot be read are left out and counted in
// Listing.Warnings; text that is not a listing is a *workload.InputError. The listing is held
// in memory.
func ReadQueue(name string, r io.Reader, o workload.Options) (*Listing, error) {
	b := bufio.NewReaderSize(r, parse.ChunkSize)
	open := queueForm(b)
	if open == nil {
		head, err := b.Peek(parse.Sniffed)
		if err != nil && err != io.EOF {
			return nil, parse.InputFault(name, err)
		}
		return nil, &workload.InputError{File: name, Line: 1, Saw: parse.ShortenLine(head), Want: "the jobs of squeue --json, squeue or scontrol show job"}
	}
	q, err := newQueueReader(name, "squeue", b, o, open)
	if err == nil {
		err = q.read()
	}
	if err != nil {
		return nil, err
	}
	l := &Listing{Names: &q.names.Names, Taken: q.moment}
	for i := range q.jobs {
		j := &q.jobs[i]
		j.Derive()
		l.Jobs = append(l.Jobs, ListedJob{Job: j.Job, Label: j.label, Expected: j.expected, Priority: j.priority,
			Held: j.held, Reason: j.reason, Withdrawn: j.withdrawn})
	}
	q.warnOfReasons()
	q.names.Warn(&q.from.Warnings)
	l.Warnings = q.log.Warnings()
	return l, nil
}

// ReadEnded reads the output of sacct --json or sacct -P: all that the formats Sacct and
// SacctJSON read, with the same meaning. It returns the jobs that have ended; name is for
// messages. Text in another format, or a job that cannot be read, is a *workload.InputError.
func ReadEnded(name string, r io.Reader, o workload.Options) (*Listing, error) {
	b := bufio.NewReaderSize(r, parse.ChunkSize)
	s, err := newAccounts(name, o)
	if err != nil {
		return nil, err
	}
	open := s.openText
	if head, _ := b.Peek(parse.Sniffed); isJSON(head) {
		if peekJSON(b).kind != jsonSacct {
			return nil, &workload.InputError{File: name, Line: 1, Saw: parse.ShortenLine(head), Want: "the jobs of sacct --json"}
		}
		open = func(io.Reader, int) (*workload.Log, error) { return s.openJSON(b, parse.ChunkSize) }
	}
	log, err := open(b, parse.ChunkSize)
	if err != nil {
		return nil, err
	}
	l := &Listing{}
	s.each = func(j *heldJob) {
		if j.state.ended() {
			j.Derive()
			l.Jobs = append(l.Jobs, ListedJob{Job: j.Job, Label: j.key.label(), Tasks: j.key.kind() == idTasks,
				Expected: math.NaN(), Priority: workload.Unknown, Withdrawn: j.withdrawn})
		}
	}
	for _, err := range log.Batches() {
		if err != nil {
			return nil, err
		}
	}
	l.Names, l.Warnings = log.Names(), log.Warnings()
	return l, nil
}

// openQueue reads a listing as a log: without held jobs.
func openQueue(name, format string, b *bufio.Reader, o workload.Options, open func(*queueReader, *bufio.Reader) error) (*workload.Log, error) {
	q, err := newQueueReader(name, format, b, o, open)
	if err == nil {
		err = q.read()
	}
	if err == nil && (q.repeated || q.unreadable > 0 && q.unreadable >= int64(len(q.jobs))) { // no exception
		err = q.first
	}
	if err != nil {
		return nil, err
	}
	q.held.warn(&q.from.Warnings, "held-jobs", "queued jobs left out: they wait for something other than processors")
	q.warnOfReasons()
	var rows []*row
	var columns workload.ColumnSet
	first := math.Inf(1)
	q.rank()
	for i := range q.jobs {
		j := &q.jobs[i]
		if j.held {
			continue
		}
		rows, first = append(rows, &j.row), min(first, j.Submit)
	}
	h := &q.log.Header
	if len(rows) == 0 { // nothing runs or waits, and no time is known
		h.Add("Note", "From Slurm's squeue: no job runs or waits for processors.")
		q.from.Batches = func(func(*workload.Batch, error) bool) {}
		return q.log, nil
	}
	start := q.midnight(first)
	q.taken(q.moment, start)
	h.Add("Version", "2.2")
	q.writeClock(h, start, q.local)
	h.Add("Note", "From Slurm's squeue: jobs that run and wait at one moment. Second 0 is midnight of the day on which the first of them was submitted.")
	q.names.Warn(&q.from.Warnings)
	q.names.AddTo(h)
	for _, r := range rows {
		for col := workload.FirstOptional; col < workload.NumColumns; col++ {
			if workload.ColumnAt(col).Known(&r.Job) {
				columns |= workload.ColumnSetOf(col)
			}
		}
	}
	q.from.Declare(columns)
	q.from.Batches = func(yield func(*workload.Batch, error) bool) {
		for at := 0; at < len(rows); at += workload.DefaultBatchRows {
			b, lines := batchOf(min(len(rows)-at, workload.DefaultBatchRows), func(i int) *row { return rows[at+i] }, start, sacctColumns|columns)
			lines.Row = int64(at)
			q.from.Lines = lines
			if !yield(b, nil) {
				return
			}
		}
	}
	return q.log, nil
}
