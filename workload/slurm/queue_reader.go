package slurm

import (
	"bufio"
	"cmp"
	"slices"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

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
