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

// Sacct is the format of the output of sacct -P or -p: a line with the names of the columns,
// then one record of a job or of a job's step per line, with the fields separated by bars (man
// page sacct(1), "--parsable") or by the text given as --delimiter. Columns may be in any order;
// JobID or JobIDRaw and some time are required. The best choice is
//
//	sacct -a -D -P --array --noconvert -S ... -E ... -o JobID,JobIDRaw,Cluster,User,Account,Partition,QOS,JobName,State,Submit,Start,End,ElapsedRaw,Suspended,TimelimitRaw,NNodes,NCPUS,ReqCPUS,ReqMem,TotalCPU,MaxRSS,NTasks,NodeList
//
// Second 0 is midnight, at the site, of the day on which the first job was submitted. Jobs of
// earlier days that come later have negative times.
//
// Steps are not jobs. A job gets the TotalCPU of its steps, if it has none of its own, and the
// largest product of a step's MaxRSS and its tasks, which is an upper bound of the memory used.
// Both are divided by the processors.
//
// Status is completed for COMPLETED, cancelled for CANCELLED, unknown for a job that has not
// ended, and failed otherwise. If a job has several records within 32,768 jobs, those that were
// requeued, preempted, lost a node or changed size are partial (2), and the last one is 3 or 4.
//
// The format is read-only.
var Sacct = newFormat("sacct", sacctLines, openSacct)

// SacctJSON is the format of the output of sacct --json: the records that Sacct reads, with the
// same meaning. Data parsers 0.0.37 to 0.0.46 are known. Several outputs may follow one another.
// Times are seconds since 1970: second 0 is midnight UTC of the day on which the first job was
// submitted, unless a time zone is given. The format is read-only.
var SacctJSON = newFormat("sacct", sacctJSON, openSacct)

// openSacct opens text in either format.
func openSacct(name, _ string, text *bufio.Reader, o workload.Options) (*workload.Log, error) {
	return openAccounts(name, text, o, parse.ChunkSize)
}

// openAccounts is openSacct with chunks of a given size.
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

// accounts is an accounting log that is being read. It combines records that are related only by
// their order: a job with its steps, and the runs of a job that was requeued. It holds back some
// jobs, because a later record may change an earlier one.
type accounts struct {
	*reader
	start  float64        // second 0 of the log, since 1970
	jobs   []row          // held back, because later records may still change them
	latest map[jobKey]int // index of each job's latest record, counted over the whole log
	given  int            // number of jobs that are no longer held back

	hasReason bool // the listing has the reasons why jobs waited
}

// maxLookout is the number of chunks that are read to find the log's first time.
const maxLookout = 16

// newAccounts opens the output of sacct -P or sacct --json and reads up to the first job whose
// submission is known, which determines second 0 of the log.
func newAccounts(name string, text *bufio.Reader, o workload.Options, size int) (*accounts, error) {
	r, err := newReader(name, "sacct", text, o, size, false)
	if err != nil {
		return nil, err
	}
	s := &accounts{reader: r, start: math.NaN(), latest: map[jobKey]int{}, hasReason: r.layout.has("LastReason")}
	if lacks := s.layout.lacks(); len(lacks) > 0 {
		s.from.Warnings.Count(workload.Warning{Rule: "missing-column", Text: "columns missing from the listing: their values are unknown", Count: int64(len(lacks)), Line: s.line, Saw: strings.Join(lacks, ", ")})
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

// each reads the log and calls use for each job until that returns false.
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
	if s.given+len(s.jobs) == 0 && s.line > 1 { // a header line alone: no jobs in the period
		return s.noJobs()
	}
	s.names.Warn(&s.from.Warnings)
	s.names.AddTo(&s.log.Header)
	give(len(s.jobs))
	return nil
}

// add adds the records of a batch.
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

// addJob adds the job of a row.
func (s *accounts) addJob(r *row) {
	if state := &states[r.state]; state.rule != "" {
		s.from.Warnings.Add(state.rule, state.text, r.line, "")
	}
	if s.hasReason {
		s.pending.started(r, r.cause)
	}
	if n := len(s.jobs); n == cap(s.jobs) { // first a few, then all ever held back and one chunk
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

// sameJob marks two records of one job as a part and its continuation, or counts a duplicate. was
// comes first in the log; firstIsLater reports whether it is the later run.
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

// addStep adds what a step used to its job.
func (s *accounts) addStep(r *row) {
	at := len(s.jobs) - 1
	// If a job has several records, the step belongs to the one that it follows.
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

// most returns the larger of two numbers, either of which may be unknown (NaN).
func most(a, b float64) float64 {
	if a >= b || math.IsNaN(b) {
		return a
	}
	return b
}

// complete sets the fields of a job that depend on its other records.
func (s *accounts) complete(j *row) {
	j.Status = s.status(j)
	s.counted.complete(&j.Job)
	if j.state.runs() { // what it has used so far is not its final use
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

// cpuTime returns the CPU time of a job in s over all processors. The job's own record has the
// sum of its steps, but it is 0 if sacct was told not to look at steps.
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

// optionalColumns lists optional columns of the job table, each with the fields of record that
// give it.
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

// noJobs returns the error for a log that has records but no jobs.
func (s *accounts) noJobs() error {
	e := &workload.InputError{File: s.name, Err: fmt.Errorf("%w in %d lines", workload.ErrNoJobs, s.line)}
	for _, w := range s.from.Warnings.List() {
		if e.Saw == "" && w.Line > 1 { // not about the header line
			e.Line, e.Saw = w.Line, w.String()
		}
	}
	return e
}

// writeHeader adds to the header what is known before the jobs are read.
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
