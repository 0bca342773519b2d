package slurm

import (
	"bufio"
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// Squeue is the format of the output of squeue with a header line (man page squeue(1)): the jobs
// that run and wait at one moment. Columns are found by their names and may be in any order, as
// printed with -o, -O or SQUEUE_FORMAT. They are separated by bars, or by the separator of the
// header line. The best choice is
//
//	squeue -a -r -o "%i|%u|%a|%P|%q|%j|%T|%V|%S|%M|%l|%C|%r|%Q"
//
// JOBID, ST or STATE, SUBMIT_TIME, START_TIME and CPUS are required.
//
// The columns of the job table are:
//   - Names, numbers and second 0 are those of Sacct.
//   - A job that holds processors (RUNNING, COMPLETING, CONFIGURING, SUSPENDED
//     and the like) has a wait, from SUBMIT_TIME to START_TIME, and no run time.
//   - A job that waits has neither: its START_TIME is a forecast of the scheduler.
//     Jobs whose REASON or state shows that they wait for something other than
//     processors (see reasons) are left out and counted.
//   - A record of the waiting tasks of an array, 123_[0-9%2], is one job for each task. If the
//     array's limit lets only some of them run, the others count as if their REASON
//     were JobArrayTaskLimit.
//   - A job that has ended has the run time TIME, if that is known.
//
// The whole listing is read at once and held in memory. If Options.Map names columns, it is read
// as any other table. The format is read-only.
var Squeue = newFormat("squeue", squeueLines, openQueue)

// SqueueJSON is the format of the output of squeue --json and scontrol show job --json: the jobs
// that Squeue reads, with the same meaning. The time of the listing is last_update or, before
// data parser 0.0.40, the latest time at which a job was submitted, started, ended or considered
// by the scheduler. The format is read-only.
var SqueueJSON = newFormat("squeue", queueJSON, openQueue)

// Scontrol is the format of the output of scontrol show job, with or without -o: the jobs that
// Squeue reads, with the same meaning. Several outputs about different jobs may follow one
// another. The format is read-only.
var Scontrol = newFormat("scontrol", scontrolText, openQueue)

// queueReader is a listing of the queue that is being read. Times of its jobs are seconds since
// 1970.
type queueReader struct {
	*reader
	jobs   []queuedJob
	lines  map[jobKey]int64 // line of each job seen so far
	moment float64          // latest time that the listing shows; 0 if there is none

	unreadable int64                // number of jobs
	first      *workload.InputError // the first fault
	repeated   bool                 // some job is listed twice

	held, unknown reasonCounts // reasons of waiting jobs

	waitingTasks int             // of all arrays so far
	throttled    []throttled     // arrays whose limit may hold back waiting tasks
	runningTasks map[int64]int64 // by array
}

// queuedJob is a job in a listing.
type queuedJob struct {
	ListedJob
	state jobState
	line  int64
}

// throttled is the waiting tasks of an array that limits how many may run at a time.
type throttled struct {
	array, limit int64
	first, jobs  int64 // index of the first task in queueReader.jobs, and number of tasks
}

// taskLimit is Slurm's reason for a task that waits for another task of its array to end.
const taskLimit = "JobArrayTaskLimit"

// readQueue reads a listing.
func readQueue(name, format string, text *bufio.Reader, o workload.Options) (*queueReader, error) {
	r, err := newReader(name, format, text, o, parse.ChunkSize, true)
	if err != nil {
		return nil, err
	}
	q := &queueReader{reader: r, lines: map[jobKey]int64{}, runningTasks: map[int64]int64{}}
	for b, err := range q.batches {
		if err != nil {
			return nil, err
		}
		q.moment = max(q.moment, b.taken)
		for _, f := range b.faults {
			f.Line += q.line
			q.passOver(f)
		}
		for i := range b.rows {
			if f := q.add(b, &b.rows[i]); f != nil {
				q.passOver(f)
			}
		}
	}
	q.moment = max(q.moment, q.end())
	for _, a := range q.throttled {
		for i := max(0, a.limit-q.runningTasks[a.array]); i < a.jobs; i++ {
			j := &q.jobs[a.first+i]
			j.Held, j.Reason = true, taskLimit
			q.held.add(j.line, taskLimit, 1)
		}
	}
	for i := range q.jobs {
		q.counted.complete(&q.jobs[i].Job)
		q.jobs[i].Derive()
	}
	return q, nil
}

// passOver counts a job that cannot be read.
func (q *queueReader) passOver(fault *workload.InputError) {
	if q.unreadable++; q.unreadable == 1 {
		q.first = fault
	}
	q.from.Warnings.Add("unreadable-jobs", "jobs left out, because they cannot be read", fault.Line, fault.Error())
}

// add adds the job of a row. If the row stands for all waiting tasks of an array,
// 41_[3,5-9,20-30:2%4], it adds a job for each, as squeue -r lists them. It returns the fault of a
// row that cannot be used.
func (q *queueReader) add(b *batch, r *row) *workload.InputError {
	label, reason := string(b.text(r.texts[labelText])), string(b.text(r.texts[reasonText]))
	fault := func(more, want string) *workload.InputError {
		return &workload.InputError{File: q.name, Line: r.line, Field: string(b.text(r.texts[placeText])), Saw: label + more, Want: want}
	}
	key, tasks := r.key, taskList{tasks: []int64{r.key.part}}
	if key.kind == idTasks {
		ok := false
		if tasks, ok = parseTasks(label, mostTasks-q.waitingTasks); !ok {
			return fault("", "the numbers of tasks, such as 123_[0-9] or 123_[1,5-9%2]")
		}
		if tasks.more {
			q.from.Warnings.Add("unlisted-tasks", "arrays with more waiting tasks than are listed or read: the others are left out (SLURM_BITSTR_LEN=0 lists all)", r.line, label)
		}
		q.waitingTasks += len(tasks.tasks)
		key.kind = idTask
	}
	for _, task := range tasks.tasks {
		key.part = task
		if first, twice := q.lines[key]; twice {
			q.repeated = true
			return fault(fmt.Sprintf(", which is in line %d too", first), "each job once")
		}
		q.lines[key] = r.line
	}
	q.setNames(b, r)
	q.counted.add(&r.Job)
	isHeld := r.state.waits() && q.isHeld(r, reason, len(tasks.tasks))
	if r.state.waits() && !isHeld && tasks.limit > 0 {
		q.throttled = append(q.throttled, throttled{r.Array, tasks.limit, int64(len(q.jobs)), int64(len(tasks.tasks))})
	}
	if r.state.runs() && r.key.kind == idTask {
		q.runningTasks[r.Array]++
	}
	for _, task := range tasks.tasks {
		key.part = task
		j := queuedJob{r.asListed(key), r.state, r.line}
		j.Held, j.Reason = isHeld, reason
		q.jobs = append(q.jobs, j)
	}
	return nil
}

// isHeld reports whether a waiting job waits for something other than processors, and counts
// it, or the tasks of its record, if so. A job whose reason is unknown counts as queued.
func (q *queueReader) isHeld(r *row, reason string, jobs int) bool {
	if r.state.phase() == held {
		q.held.add(r.line, states[r.state].long, jobs)
		return true
	}
	if !q.layout.has("Reason") {
		q.from.Warnings.Count(workload.Warning{Rule: "no-reasons", Text: "queued jobs without a reason, because the column REASON (%r) is missing: held jobs count as queued", Count: int64(jobs)})
		return false
	}
	switch c := causeOf(reason); {
	case c == causeUnknown:
		q.unknown.add(r.line, reason, jobs)
	case !c.isQueue():
		q.held.add(r.line, reason, jobs)
		return true
	}
	return false
}

// warnOfReasons adds a warning for jobs that wait for unknown reasons, and those about names.
func (q *queueReader) warnOfReasons() {
	w := &q.from.Warnings
	q.unknown.warn(w, "unknown-reasons", "jobs that wait for a reason that Slurm's manual does not list: they count as queued")
	q.names.Warn(w)
}

// rank sorts the waiting jobs into the scheduler's order, within the places that they occupy, if
// the listing has the priorities of all of them: squeue prints jobs by priority, but squeue
// --json and scontrol by number.
func (q *queueReader) rank() {
	var places []int
	var waiting []queuedJob
	for i := range q.jobs {
		if j := &q.jobs[i]; j.state.waits() && !j.Held {
			if j.Priority == workload.Unknown {
				return
			}
			places, waiting = append(places, i), append(waiting, *j)
		}
	}
	slices.SortStableFunc(waiting, func(a, b queuedJob) int { return cmp.Compare(b.Priority, a.Priority) })
	for k, i := range places {
		q.jobs[i] = waiting[k]
	}
	q.from.Ranked = len(places) > 0
}

// openQueue reads a listing as a log, without held jobs.
func openQueue(name, format string, text *bufio.Reader, o workload.Options) (*workload.Log, error) {
	q, err := readQueue(name, format, text, o)
	if err == nil && (q.repeated || q.unreadable > 0 && q.unreadable >= int64(len(q.jobs))) { // a job is listed twice, or too few can be read
		err = q.first
	}
	if err != nil {
		return nil, err
	}
	q.held.warn(&q.from.Warnings, "held-jobs", "queued jobs left out: they wait for something other than processors")
	q.warnOfReasons()
	q.rank()
	if q.layout.has("Reason") {
		for i := range q.jobs {
			if j := &q.jobs[i]; j.state.waits() {
				q.pending.add(causeOf(j.Reason), q.moment-j.Submit)
			}
		}
		q.from.Pending = q.pending.list()
	}
	jobs := slices.DeleteFunc(q.jobs, func(j queuedJob) bool { return j.Held })
	first := math.Inf(1)
	var columns workload.ColumnSet
	for i := range jobs {
		first = min(first, jobs[i].Submit)
		for col := workload.FirstOptional; col < workload.NumColumns; col++ {
			if workload.ColumnAt(col).Known(&jobs[i].Job) {
				columns |= workload.ColumnSetOf(col)
			}
		}
	}
	h := &q.log.Header
	if len(jobs) == 0 { // nothing runs or waits, and no time is known
		h.Add("Note", "From Slurm's squeue: no job runs or waits for processors.")
		q.from.Batches = func(func(*workload.Batch, error) bool) {}
		return q.log, nil
	}
	start := q.midnight(first)
	q.taken(q.moment, start)
	h.Add("Version", "2.2")
	q.writeClock(start, q.local)
	h.Add("Note", "From Slurm's squeue: jobs that run and wait at one moment. Second 0 is midnight of the day on which the first of them was submitted.")
	q.names.AddTo(h)
	q.from.Declare(columns)
	q.from.Batches = q.batchesOf(start, func(use func(*workload.Job, int64) bool) error {
		for i := range jobs {
			if !use(&jobs[i].Job, jobs[i].line) {
				break
			}
		}
		return nil
	})
	return q.log, nil
}
