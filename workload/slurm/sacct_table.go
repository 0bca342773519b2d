package slurm

import (
	"bytes"
	"math"
	"strings"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// sacctTable puts together what only the order of the records can tell: the
// steps of a job, the runs of one that was requeued, the numbers of names. It
// holds back some jobs, because a record may change an earlier one.
type sacctTable struct {
	from   *workload.Reading
	start  float64    // second 0 of the log, since 1970
	jobs   []sacctJob // held back
	latest sacctIndex // of each job's latest record in jobs
	submit float64    // the submission of the record added last

	has    workload.ColumnSet // optional columns
	asked  bool               // Slurm lists GPUs among what was asked for, as far as the log's beginning shows
	given  bool               // the same of what was given
	names  parse.Names
	global [workload.NumColumns][]int32 // a chunk's numbers to the log's; 0: not yet met
	states [sacctStates]int64           // jobs by state
	rules  [sacctStates]sacctStateRule  // see sacctStateRules
	steps  int64

	each func(*sacctJob) // called for each job of a batch, in order; may be nil
}

// sacctJob is a job that records to come may still change. Its names are the
// log's numbers, 0 for none.
type sacctJob struct {
	sacctRow
	stepCPU   float64 // s over all processors; NaN: no step says
	stepMost  float64 // KB over all tasks, the most of all steps
	stepPower float64 // J, the most of all steps
	steps     bool
	part      bool // the job goes on in another record
	behind    bool // the job began in another record
	old       bool // another record of the job is later
}

func newSacctTable(from *workload.Reading) *sacctTable {
	return &sacctTable{from: from, submit: math.Inf(-1), rules: sacctStateRules()}
}

// add takes the records of a chunk, before which there are so many lines.
func (t *sacctTable) add(b *sacctBatch, before int64) {
	for _, w := range b.warnings.List() {
		w.Line += before
		t.from.Warnings.Count(w)
	}
	for col := range t.global {
		t.global[col] = append(t.global[col][:0], make([]int32, b.names[col].Len()+1)...)
	}
	for s, n := range b.states {
		t.states[s] += n
	}
	for i := range b.rows {
		r := &b.rows[i]
		r.line += before
		if r.cluster > 0 {
			r.key = r.key.at(t.name(b, sacctClusterColumn, r.cluster, r.line))
		}
		if r.step {
			t.steps++
			t.addStep(r)
			continue
		}
		for i := range r.names {
			r.names[i] = t.name(b, sacctNameColumns[i].column, r.names[i], r.line)
		}
		t.addJob(r)
	}
}

// name is the log's number of a chunk's, 0 for none.
func (t *sacctTable) name(b *sacctBatch, col int, n int32, line int64) int32 {
	if n == 0 {
		return 0
	}
	if g := t.global[col][n]; g != 0 {
		return g
	}
	text := b.names[col].At(int64(n))
	before := t.names.Len(col)
	id, known := t.names.Find(col, string(text))
	if !known {
		if bytes.ContainsAny(text, "\r\n") {
			text = []byte(workload.OneLine(string(text)))
		}
		id, known = t.names.NumberOf(col, text)
	}
	if !known {
		t.names.LeftOut(col, line)
		return 0
	}
	if col == sacctClusterColumn && 0 < before && before < t.names.Len(col) {
		t.from.Warnings.Add("several-clusters", "clusters beyond the first in one log: their jobs may share numbers", line, workload.Shorten(text))
	}
	t.global[col][n] = int32(id)
	return int32(id)
}

func (t *sacctTable) addJob(r *sacctRow) {
	if r.later != nil && r.submit < t.submit && t.submit <= r.later.submit {
		r.submit, r.start = r.later.submit, r.later.start
	}
	if s := r.submit; !math.IsNaN(s) {
		if s < t.submit {
			t.odd("submit-order", "jobs submitted before the previous one: kept in their place", r.line, func() string {
				return parse.FormatNumber(s-t.start) + " s after " + parse.FormatNumber(t.submit-t.start) + " s"
			})
		}
		if s < t.start {
			t.odd("before-start", "jobs submitted before the day of the first job, where the log's seconds begin: negative times", r.line, func() string {
				return parse.FormatNumber(s-t.start) + " s"
			})
		}
		t.submit = s
	}
	if rule := &t.rules[r.state]; rule.name != "" {
		t.from.Warnings.Add(rule.name, rule.text, r.line, "")
	}
	at := len(t.jobs)
	t.jobs = append(t.jobs, sacctJob{sacctRow: *r, stepCPU: math.NaN(), stepMost: math.NaN(), stepPower: math.NaN(), old: r.alone})
	if r.alone {
		return
	}
	if was := t.latest.put(t.jobs, at); was >= 0 {
		if t.sameJob(&t.jobs[was], &t.jobs[at]) {
			t.jobs[at].old = true
			t.latest.put(t.jobs, was)
		} else {
			t.jobs[was].old = true
		}
	}
}

// odd counts something; saw is asked only for the first of its rule.
func (t *sacctTable) odd(rule, text string, line int64, saw func() string) {
	first := ""
	if !t.from.Warnings.Has(rule) {
		first = saw()
	}
	t.from.Warnings.Add(rule, text, line, first)
}

// sameJob notes that two records are of one job, and says whether the first of
// them is the later one.
func (t *sacctTable) sameJob(was, is *sacctJob) (firstIsLater bool) {
	early, late := was, is
	switch {
	case was.submit == is.submit && (was.start == is.start || math.IsNaN(was.start) && math.IsNaN(is.start)):
		t.from.Warnings.Add("duplicate-record", "records of a job that is already in the log, with the same times: kept", is.line, "")
		return false
	case is.submit < was.submit, is.submit == was.submit && is.start < was.start:
		early, late = is, was
	}
	if early.state.goesOn() {
		early.part, late.behind = true, true
	}
	return late == was
}

// addStep gives a job what its step used.
func (t *sacctTable) addStep(r *sacctRow) {
	at := len(t.jobs) - 1
	// Of a job with several records, the one that the step stands behind.
	if at < 0 || t.jobs[at].key != r.key {
		if at = t.latest.find(t.jobs, r.key); at < 0 {
			t.from.Warnings.Add("orphan-step", "steps that do not follow their job in the log: left out", r.line, "")
			return
		}
	}
	j := &t.jobs[at]
	j.steps = true
	switch {
	case math.IsNaN(j.stepCPU):
		j.stepCPU = r.cpu
	case !math.IsNaN(r.cpu):
		j.stepCPU += r.cpu
	}
	if !(j.stepMost >= r.memory) && !math.IsNaN(r.memory) {
		j.stepMost = r.memory
	}
	if !(j.stepPower >= r.energy) && !math.IsNaN(r.energy) {
		j.stepPower = r.energy
	}
}

// take makes a batch of the first n jobs, with what is now known of them, and
// says in which lines they are.
func (t *sacctTable) take(n int) (rec workload.Batch, lines []int64) {
	lines = make([]int64, n)
	c := newSacctOutput(n, t.has)
	for i := range t.jobs[:n] {
		j := &t.jobs[i]
		lines[i] = j.line
		if j.state.runs() { // what it has used so far is not what it will have used
			nan := math.NaN()
			j.cpu, j.stepCPU, j.stepMost, j.stepPower, j.energy = nan, nan, nan, nan, nan
		}
		cpu := t.cpuTime(j)
		c.floats[workload.ColSubmitTime][i] = j.submit - t.start
		c.floats[workload.ColWaitTime][i] = j.start - j.submit
		c.floats[workload.ColRunTime][i] = j.run
		c.floats[workload.ColRequestedTime][i] = j.limit
		c.floats[workload.ColRequestedMemory][i] = j.requested
		c.floats[workload.ColCPUTime][i] = math.NaN()
		c.floats[workload.ColUsedMemory][i] = math.NaN()
		if j.allocated > 0 {
			c.floats[workload.ColCPUTime][i] = cpu / float64(j.allocated)
			c.floats[workload.ColUsedMemory][i] = j.stepMost / float64(j.allocated)
		}
		c.ints[workload.ColJobID][i] = j.id
		c.ints[workload.ColAllocatedProcessors][i] = j.allocated
		c.ints[workload.ColRequestedProcessors][i] = j.processors
		c.ints[workload.ColStatus][i] = t.status(j)
		for k, id := range j.names {
			if id == 0 {
				c.setInt(sacctNameColumns[k].column, i, workload.Unknown)
			} else {
				c.setInt(sacctNameColumns[k].column, i, int64(id))
			}
		}
		t.takeMore(c, i, j)
		if t.each != nil {
			t.each(j)
		}
	}
	t.jobs = append(t.jobs[:0], t.jobs[n:]...)
	t.latest.rebuild(t.jobs)
	return c.record(n), lines
}

// status returns the code of a job's state, workload.Unknown if it has none.
func (t *sacctTable) status(j *sacctJob) int64 {
	status := j.state.status()
	switch {
	case j.part:
		return workload.StatusPartial
	case j.behind && status == workload.StatusCompleted:
		return workload.StatusLastCompleted
	case j.behind && status == workload.StatusFailed:
		return workload.StatusLastFailed
	case j.state == stateRequeued || j.state == statePreempted:
		t.from.Warnings.Add("lone-part", "jobs requeued or preempted without another record nearby, as without sacct -D: status failed", j.line, "")
	}
	return status
}

// cpuTime is what a job used over all processors. Its own record has the sum
// of the steps, but where sacct was told not to look at steps it has 0.
func (t *sacctTable) cpuTime(j *sacctJob) float64 {
	switch {
	case j.cpu > 0:
		return j.cpu
	case j.stepCPU > 0, math.IsNaN(j.cpu):
		return j.stepCPU
	case !j.steps && j.run > 0:
		t.from.Warnings.Add("no-cpu-time", "jobs that ran but have a TotalCPU of 0 and no steps, as with sacct -X: CPU time unknown", j.line, "")
		return math.NaN()
	}
	return j.cpu
}

// sacctStateRule is how jobs in a state are counted that the standard workload
// format has no code for.
type sacctStateRule struct{ name, text string }

func sacctStateRules() (rules [sacctStates]sacctStateRule) {
	for s := range rules {
		state := sacctJobState(s)
		switch {
		case state == stateFailed || state == stateRequeued || state == statePreempted:
		case state.waits():
			rules[s] = sacctStateRule{"waiting", "jobs that are still waiting: wait, run time and status unknown"}
		case state.runs():
			rules[s] = sacctStateRule{"running", "jobs that are still running: run time and status unknown"}
		case state.status() == workload.StatusFailed:
			name := strings.ReplaceAll(strings.ToLower(state.String()), "_", "-")
			rules[s] = sacctStateRule{"state-" + name, "jobs in state " + state.String() + ": they have status failed, or partial where a later record continues the job"}
		}
	}
	return rules
}
