package slurm

import (
	"bufio"
	"cmp"
	"io"
	"math"
	"slices"

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

// queueReader is a listing of the queue that is being read. Times of its jobs are seconds
// since 1970.
type queueReader struct {
	*reader
	jobs    []waitingRow
	lines   map[jobKey]int64 // of the jobs that were met
	counted resourceLists    // in which some job has GPUs, so that Slurm counts them there
	moment  float64          // the latest moment that the listing shows; 0 is none

	unreadable int64 // jobs
	first      *workload.InputError
	repeated   bool // a job is there twice

	held, unknown, reasonless reasonCounts // of waiting jobs

	waitingTasks int             // of arrays, so far
	throttled    []throttled     // arrays that wait
	runningTasks map[int64]int64 // by array
}

// waitingRow is a row of a queue.
type waitingRow struct {
	row
	queuedJob
	held bool // it waits for something other than processors
}

// throttled is the waiting tasks of an array of which only some may run at a time.
type throttled struct {
	array, limit int64
	first, jobs  int64 // their places among the jobs of the listing
}

// taskLimit is Slurm's reason for the wait of a task for another of its array to end.
const taskLimit = "JobArrayTaskLimit"

func newQueueReader(name, format string, b *bufio.Reader, o workload.Options, open func(*queueReader, *bufio.Reader) error) (*queueReader, error) {
	r, err := newReader(name, format, o)
	if err != nil {
		return nil, err
	}
	q := &queueReader{reader: r, lines: map[jobKey]int64{}, runningTasks: map[int64]int64{}}
	return q, open(q, b)
}

func (q *queueReader) openText(r *bufio.Reader) error {
	t := newTextLines(q.name, r, q.zone, parse.ChunkSize, 2*q.workers+2)
	lines, date, err := t.readHeader(true)
	if err != nil || t.layout == nil {
		return err
	}
	if q.line = lines; date > 0 {
		clock := parse.Clock{Zone: q.zone}
		first, _, _ := clock.Instants(date)
		q.moment = float64(first)
	}
	q.source, q.layout = t, t.layout
	if n := len(q.layout.unused); n > 0 {
		q.from.Warnings.Count(workload.Warning{Rule: "left-out-columns", Text: "columns that the job table does not have", Count: int64(n), Saw: parse.ListShort(q.layout.unused)})
	}
	return nil
}

func (q *queueReader) openJSON(r *bufio.Reader) error {
	j := newJSONJobs(q.name, r, q.zone, parse.ChunkSize, 2*q.workers+2, true)
	q.source, q.layout = j, j.layout
	return nil
}

// read reads the listing.
func (q *queueReader) read() error {
	for b, err := range q.batches() {
		if err != nil {
			return parse.AtLine(err, q.line)
		}
		q.take(b)
		q.moment = max(q.moment, b.taken)
		for _, f := range b.faults {
			f.Line += q.line
			q.passOver(f)
		}
		for i := range b.rows {
			if f := q.add(b, &b.rows[i], b.queued[i]); f != nil {
				q.passOver(f)
			}
		}
		q.finish(b)
	}
	if j, ok := q.source.(*jsonJobs); ok {
		q.moment = max(q.moment, j.end(&q.from.Warnings))
	}
	for _, a := range q.throttled {
		for i := max(0, a.limit-q.runningTasks[a.array]); i < a.jobs; i++ {
			j := &q.jobs[a.first+i]
			j.held, j.reason = true, taskLimit
			q.held.add(j.line, taskLimit, 1)
		}
	}
	for i := range q.jobs {
		q.jobs[i].noGPUs(q.counted)
	}
	return nil
}

// passOver counts a job that cannot be read.
func (q *queueReader) passOver(fault *workload.InputError) {
	if q.unreadable++; q.unreadable == 1 {
		q.first = fault
	}
	q.from.Warnings.Add("unreadable-jobs", "jobs left out, because they cannot be read", fault.Line, fault.Error())
}

// add adds the job of a row, or the tasks for which it stands.
func (q *queueReader) add(b *batch, r *row, own queuedJob) *workload.InputError {
	fault := func(more, want string) *workload.InputError {
		return &workload.InputError{File: q.name, Line: r.line, Field: own.place, Saw: own.label + more, Want: want}
	}
	tasks := taskList{tasks: []int64{int64(r.key.part)}}
	if r.key.kind() == idTasks {
		ok := false
		if tasks, ok = parseTasks(own.waiting, mostTasks-q.waitingTasks); !ok {
			return fault("", "the numbers of tasks, such as 123_[0-9] or 123_[1,5-9%2]")
		}
		if tasks.more {
			q.from.Warnings.Add("unlisted-tasks", "arrays with more waiting tasks than are listed or read: the others are left out (SLURM_BITSTR_LEN=0 lists all)", r.line, own.label)
		}
		q.waitingTasks += len(tasks.tasks)
	}
	keys := make([]jobKey, len(tasks.tasks))
	for i, task := range tasks.tasks {
		keys[i] = r.key
		if r.key.kind() == idTasks {
			keys[i] = newJobKey(jobID{job: r.Array, kind: idTask, part: task})
		}
		if first, twice := q.lines[keys[i]]; twice {
			q.repeated = true
			return fault(", which is in line "+parse.FormatNumber(float64(first))+" too", "each job once")
		}
		q.lines[keys[i]] = r.line
	}
	q.setNames(b, r)
	q.counted |= r.counted()
	waits := r.state.waits()
	held := waits && q.isHeld(r, own.reason, len(keys))
	if waits && !held && tasks.limit > 0 {
		q.throttled = append(q.throttled, throttled{r.Array, tasks.limit, int64(len(q.jobs)), int64(len(keys))})
	}
	if !waits && !r.state.ended() && r.key.kind() == idTask {
		q.runningTasks[r.Array]++
	}
	if len(q.jobs)+len(keys) > cap(q.jobs) { // twice as much: append leaves five times as much behind
		q.jobs = slices.Grow(q.jobs, max(64, len(keys), len(q.jobs)))
	}
	for _, key := range keys {
		j := waitingRow{*r, own, held}
		if j.key = key; r.key.kind() == idTasks {
			j.label = key.label()
		}
		q.jobs = append(q.jobs, j)
	}
	return nil
}

// isHeld reports whether a waiting job waits for something other than processors, and counts
// it, or the tasks of its record, if so. A job whose reason is unknown counts as queued.
func (q *queueReader) isHeld(r *row, reason string, jobs int) bool {
	switch r.state {
	case stateRequeueHold, stateReservationHold, stateSpecialExit:
		q.held.add(r.line, r.state.String(), jobs)
		return true
	}
	if !q.layout.has("Reason") {
		q.reasonless.add(r.line, "", jobs)
		return false
	}
	switch reasonOf(reason) {
	case reasonHeld:
		q.held.add(r.line, reason, jobs)
		return true
	case reasonUnknown:
		q.unknown.add(r.line, reason, jobs)
	}
	return false
}

// warnOfReasons counts jobs by why they wait.
func (q *queueReader) warnOfReasons() {
	w := &q.from.Warnings
	q.unknown.warn(w, "unknown-reasons", "jobs that wait for a reason that Slurm's manual does not list: they count as queued")
	if n := q.reasonless.jobs; n > 0 {
		w.Count(workload.Warning{Rule: "no-reasons", Text: "queued jobs without a reason, because the column REASON (%r) is missing: held jobs count as queued", Count: n})
	}
}

// rank puts the jobs that wait into the scheduler's order, in the places that they have
// together, if the listing has the priorities of all: squeue prints them by priority, but
// squeue --json and scontrol by number.
func (q *queueReader) rank() {
	var places []int
	var waiting []waitingRow
	for i := range q.jobs {
		if j := &q.jobs[i]; j.state.waits() && !j.held {
			if j.priority == workload.Unknown {
				return
			}
			places, waiting = append(places, i), append(waiting, *j)
		}
	}
	slices.SortStableFunc(waiting, func(a, b waitingRow) int { return cmp.Compare(b.priority, a.priority) })
	for k, i := range places {
		q.jobs[i] = waiting[k]
	}
	q.from.Ranked = len(places) > 0
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
