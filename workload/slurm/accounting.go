package slurm

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// Sacct is the format of what sacct prints with -P or -p: a line with the names of the
// columns, then a record of a job or of a step of one a line, with bars between the fields
// (man page sacct(1), "--parsable") or what --delimiter asks for. Any columns in any order
// will do, as long as JobID or JobIDRaw and some time are among them; best are those of
//
//	sacct -a -D -P --array --noconvert -S ... -E ... -o JobID,JobIDRaw,Cluster,User,Account,Partition,QOS,JobName,State,Submit,Start,End,ElapsedRaw,Suspended,TimelimitRaw,NNodes,NCPUS,ReqCPUS,ReqMem,TotalCPU,MaxRSS,NTasks,NodeList
//
// Second 0 is midnight, at the site, of the day on which the first job was submitted. Jobs of
// earlier days that come later have negative times.
//
// Steps are no jobs: they give the job above them their TotalCPU, where it has none, and their
// MaxRSS times their tasks, which is an upper bound of what was used; both divided by the
// processors.
//
// Status is completed for COMPLETED, cancelled for CANCELLED, unknown for a job that has not
// ended, else failed. Of a job with several records those that were requeued, preempted, lost
// a node or changed size are partial (2), and the last of them is 3 or 4, where they lie within
// 32,768 jobs.
//
// The format is read-only.
var Sacct = newFormat("sacct", sacctLines, openSacct)

// SacctJSON is the format of the output of sacct --json: the records that Sacct reads, with
// the same meaning. Data parsers 0.0.37 to 0.0.46 are known. Several outputs may stand behind
// one another. Times are seconds since 1970: second 0 is midnight UTC of the day on which the
// first job was submitted, unless a time zone is given. It is read-only.
var SacctJSON = newFormat("sacct", sacctJSON, openSacct)

// openSacct opens either.
func openSacct(name, _ string, text *bufio.Reader, o workload.Options) (*workload.Log, error) {
	return openAccounts(name, text, o, parse.ChunkSize)
}

// openAccounts opens either, to be read in chunks of a size.
func openAccounts(name string, text *bufio.Reader, o workload.Options, size int) (*workload.Log, error) {
	s, err := newAccounts(name, text, o, size)
	if err != nil {
		return nil, err
	}
	s.writeHeader()
	s.from.Batches = s.batchesOf(s.start, func(use func(*workload.Job, int64) bool) error {
		return s.each(func(j *row) bool { return use(&j.Job, j.line) })
	})
	return s.log, nil
}

// accounts is a log of accounting that is being read. It puts together what only the order of
// the records can tell: the steps of a job and the runs of one that was requeued. It holds back
// some jobs, because a record may change an earlier one.
type accounts struct {
	*reader
	start  float64        // second 0 of the log, since 1970
	jobs   []row          // held back, because records to come may still change them
	latest map[jobKey]int // of each job, its latest record: the number of jobs before that
	given  int            // jobs that are no longer held back

	hasReason bool // the listing says why jobs waited
}

// maxLookout is how many chunks are read to find the log's first time.
const maxLookout = 16

// newAccounts opens the lines that sacct -P prints, or the jobs of sacct --json, and reads up to
// the first job whose submission is known, from which the log's seconds count.
func newAccounts(name string, text *bufio.Reader, o workload.Options, size int) (*accounts, error) {
	r, err := newReader(name, "sacct", text, o, size, false)
	if err != nil {
		return nil, err
	}
	s := &accounts{reader: r, start: math.NaN(), latest: map[jobKey]int{}, hasReason: r.layout.has("LastReason")}
	if lacks := s.layout.lacks(); len(lacks) > 0 {
		s.from.Warnings.Count(workload.Warning{Rule: "missing-column", Text: "columns that the listing lacks: what they say of a job is unknown", Count: int64(len(lacks)), Line: s.line, Saw: strings.Join(lacks, ", ")})
	}
	var columns workload.ColumnSet
	for line := range strings.Lines(optionalColumns) {
		if words := strings.Fields(line); s.layout.has(words[1:]...) {
			columns |= workload.ColumnSetOf(workload.ColumnIndex(words[0]))
		}
	}
	s.from.Declare(columns)
	if !s.layout.has("Submit") {
		return s, nil
	}
	for line := s.line; len(s.ahead) < maxLookout; {
		chunk, err := s.source.next()
		if err == io.EOF {
			return s, nil
		}
		var b *batch
		if err == nil {
			b, err = s.decode(chunk)
		}
		if err != nil {
			return nil, parse.AtLine(err, line)
		}
		s.ahead = append(s.ahead, b)
		line += b.lines
		for i := range b.rows {
			r := &b.rows[i]
			if s.counted.add(&r.Job); math.IsNaN(s.start) && !math.IsNaN(r.Submit) {
				s.start = s.midnight(r.Submit)
			}
		}
		if !math.IsNaN(s.start) {
			return s, nil
		}
	}
	return nil, &workload.InputError{File: name, Field: s.layout.names["Submit"], Saw: "no job with a time in the first 16 MiB", Want: "times of submission"}
}

// each reads the log and gives its jobs to a function until that returns false.
func (s *accounts) each(use func(*row) bool) error {
	give := func(n int) bool {
		for i := range n {
			j := &s.jobs[i]
			if s.complete(j); !use(j) {
				return false
			}
		}
		s.given += n
		s.jobs = append(s.jobs[:0], s.jobs[n:]...)
		if len(s.latest) > 4*workload.DefaultBatchRows {
			maps.DeleteFunc(s.latest, func(_ jobKey, at int) bool { return at < s.given })
		}
		return true
	}
	for b, err := range s.batches {
		if err != nil {
			return err
		}
		s.add(b)
		for len(s.jobs) >= 2*workload.DefaultBatchRows {
			if !give(workload.DefaultBatchRows) {
				return nil
			}
		}
	}
	s.end()
	s.from.Pending = s.pending.list()
	if s.given+len(s.jobs) == 0 && s.line > 1 { // the first line alone says: none in that time
		return s.noJobs()
	}
	s.names.Warn(&s.from.Warnings)
	s.names.AddTo(&s.log.Header)
	give(len(s.jobs))
	return nil
}

// add takes the records of a batch.
func (s *accounts) add(b *batch) {
	s.taken(b.taken, s.start)
	for i := range b.rows {
		r := &b.rows[i]
		r.key.cluster = int32(max(0, s.numberOf(b, r, clusterText)))
		if r.isStep {
			s.addStep(r)
		} else {
			s.setNames(b, r)
			s.addJob(r)
		}
	}
}

// addJob takes the job of a row.
func (s *accounts) addJob(r *row) {
	if state := &states[r.state]; state.rule != "" {
		s.from.Warnings.Add(state.rule, state.text, r.line, "")
	}
	if s.hasReason {
		s.pending.started(r, r.cause)
	}
	if n := len(s.jobs); n == cap(s.jobs) { // a few, then as many as are ever held back and what a chunk adds
		s.jobs = slices.Grow(s.jobs, max(1<<10, min(n, 1)*(2*workload.DefaultBatchRows+1<<13)))
	}
	s.jobs = append(s.jobs, *r)
	if r.alone {
		return
	}
	this := len(s.jobs) - 1
	if before, ok := s.latest[r.key]; !ok || before < s.given || !s.sameJob(&s.jobs[before-s.given], &s.jobs[this]) {
		s.latest[r.key] = s.given + this
	}
}

// sameJob notes that two records are of one job, and says whether the first of
// them is the later one.
func (s *accounts) sameJob(was, is *row) (firstIsLater bool) {
	early, late := was, is
	before, start := was.Start(), is.Start()
	switch {
	case was.Submit == is.Submit && (before == start || math.IsNaN(before) && math.IsNaN(start)):
		s.from.Warnings.Add("duplicate-record", "records of a job that is already in the log, with the same times: kept", is.line, "")
		return false
	case is.Submit < was.Submit, is.Submit == was.Submit && start < before:
		early, late = is, was
	}
	if early.state.goesOn() {
		early.part, late.behind = true, true
	}
	return late == was
}

// addStep gives a job what its step used.
func (s *accounts) addStep(r *row) {
	at := len(s.jobs) - 1
	// Of a job with several records, the one that the step stands behind.
	if at < 0 || s.jobs[at].key != r.key {
		latest, ok := s.latest[r.key]
		if at = latest - s.given; !ok || at < 0 {
			s.from.Warnings.Add("orphan-step", "steps that do not follow their job in the log: left out", r.line, "")
			return
		}
	}
	j := &s.jobs[at]
	j.steps = true
	switch {
	case math.IsNaN(j.stepCPU):
		j.stepCPU = r.cpu
	case !math.IsNaN(r.cpu):
		j.stepCPU += r.cpu
	}
	j.UsedMemoryTotal, j.stepPower = most(j.UsedMemoryTotal, r.UsedMemoryTotal), most(j.stepPower, r.Energy)
}

// most is the larger of two numbers that may be unknown.
func most(a, b float64) float64 {
	if a >= b || math.IsNaN(b) {
		return a
	}
	return b
}

// complete gives a job what is now known of it.
func (s *accounts) complete(j *row) {
	j.Status = s.status(j)
	s.counted.complete(&j.Job)
	if j.state.runs() { // what it has used so far is not what it will have used
		j.Energy, j.UsedMemoryTotal = math.NaN(), math.NaN()
		return
	}
	if cpu := s.cpuTime(j); j.Allocated > 0 {
		j.CPUTime = cpu / float64(j.Allocated)
		j.UsedMemory = j.UsedMemoryTotal / float64(j.Allocated)
	}
	if math.IsNaN(j.Energy) {
		j.Energy = j.stepPower
	}
}

// status returns the code of a job's state, workload.Unknown if it has none.
func (s *accounts) status(j *row) int64 {
	status := j.state.status()
	switch {
	case j.part:
		return workload.StatusPartial
	case j.behind && status == workload.StatusCompleted:
		return workload.StatusLastCompleted
	case j.behind && status == workload.StatusFailed:
		return workload.StatusLastFailed
	case j.state.phase() == requeued:
		s.from.Warnings.Add("lone-part", "jobs requeued or preempted without another record nearby, as without sacct -D: status failed", j.line, "")
	}
	return status
}

// cpuTime is what a job used over all processors. Its own record has the sum
// of the steps, but where sacct was told not to look at steps it has 0.
func (s *accounts) cpuTime(j *row) float64 {
	switch {
	case j.cpu > 0:
		return j.cpu
	case j.stepCPU > 0, math.IsNaN(j.cpu):
		return j.stepCPU
	case !j.steps && j.Run > 0:
		s.from.Warnings.Add("no-cpu-time", "jobs that ran but have a TotalCPU of 0 and no steps, as with sacct -X: CPU time unknown", j.line, "")
		return math.NaN()
	}
	return j.cpu
}

// optionalColumns are those of the job table that come of fields of record.
const optionalColumns = `requested_nodes ReqNodes ReqTRES
allocated_nodes NNodes AllocTRES
requested_gpus ReqTRES
allocated_gpus AllocTRES
gpu_type_id ReqTRES AllocTRES
requested_memory_total_kb ReqMem ReqTRES
used_memory_total_kb MaxRSS MaxTRES
energy_j Energy AllocTRES
account_id Account
qos_id QOS
array_id JobID
eligible_time_s Eligible
`

// noJobs is the error for a log with records of which none is a job.
func (s *accounts) noJobs() error {
	e := &workload.InputError{File: s.name, Err: fmt.Errorf("%w in %d lines", workload.ErrNoJobs, s.line)}
	for _, w := range s.from.Warnings.List() {
		if e.Saw == "" && w.Line > 1 { // not of the header line
			e.Line, e.Saw = w.Line, w.String()
		}
	}
	return e
}

// writeHeader writes what is known of the log before its jobs.
func (s *accounts) writeHeader() {
	h := &s.log.Header
	h.Add("Version", "2.2")
	for _, b := range s.ahead {
		if first := slices.IndexFunc(b.rows, func(r row) bool { return r.texts[clusterText] > 0 }); first >= 0 {
			h.Add("Computer", workload.OneLine(string(b.text(b.rows[first].texts[clusterText]))))
			break
		}
	}
	if !math.IsNaN(s.start) {
		_, isText := s.source.(*textLines)
		s.writeClock(s.start, isText)
	}
	h.Add("Note", "From Slurm's sacct. Second 0 is midnight of the day on which the first job was submitted.")
}
