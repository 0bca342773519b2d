package slurm

import (
	"math"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// jobTable puts together what only the order of the records can tell: the steps of a job and
// the runs of one that was requeued. It holds back some jobs, because a record may change an
// earlier one.
type jobTable struct {
	*reader
	start  float64   // second 0 of the log, since 1970
	jobs   []heldJob // held back
	latest jobIndex  // of each job's latest record in jobs
	submit float64   // the submission of the record added last

	columns workload.ColumnSet // optional ones
	counted resourceLists      // in which Slurm counts GPUs, as far as the log's beginning shows
	states  [jobStates]int64   // jobs by state
	steps   int64
}

// heldJob is a job that records to come may still change.
type heldJob struct {
	row
	stepCPU   float64 // s over all processors; NaN: no step says
	stepMost  float64 // KB over all tasks, the most of all steps
	stepPower float64 // J, the most of all steps
	steps     bool
	part      bool // the job goes on in another record
	behind    bool // the job began in another record
	old       bool // another record of the job is later
}

// addJob takes the job of a row, which may have another reading of its times.
func (t *jobTable) addJob(r *row, later []laterTimes) {
	if r.later > 0 {
		if l := later[r.later-1]; r.Submit < t.submit && t.submit <= l.submit {
			r.Submit, r.Wait = l.submit, l.start-l.submit
		}
	}
	if s := r.Submit; !math.IsNaN(s) {
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
	if rule := &stateRules[r.state]; rule.name != "" {
		t.from.Warnings.Add(rule.name, rule.text, r.line, "")
	}
	at := len(t.jobs)
	nan := math.NaN()
	if at == cap(t.jobs) { // a few, then as many as are ever held back and what a chunk adds
		t.jobs = slices.Grow(t.jobs, max(1<<10, min(at, 1)*(2*workload.DefaultBatchRows+1<<13)))
	}
	t.jobs = append(t.jobs, heldJob{row: *r, stepCPU: nan, stepMost: nan, stepPower: nan, old: r.alone})
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
func (t *jobTable) odd(rule, text string, line int64, saw func() string) {
	first := ""
	if !t.from.Warnings.Has(rule) {
		first = saw()
	}
	t.from.Warnings.Add(rule, text, line, first)
}

// sameJob notes that two records are of one job, and says whether the first of
// them is the later one.
func (t *jobTable) sameJob(was, is *heldJob) (firstIsLater bool) {
	early, late := was, is
	before, start := was.Start(), is.Start()
	switch {
	case was.Submit == is.Submit && (before == start || math.IsNaN(before) && math.IsNaN(start)):
		t.from.Warnings.Add("duplicate-record", "records of a job that is already in the log, with the same times: kept", is.line, "")
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
func (t *jobTable) addStep(r *stepRow) {
	t.steps++
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
	if !(j.stepMost >= r.used) && !math.IsNaN(r.used) {
		j.stepMost = r.used
	}
	if !(j.stepPower >= r.energy) && !math.IsNaN(r.energy) {
		j.stepPower = r.energy
	}
}

// complete returns job i of those held back with what is now known of it.
func (t *jobTable) complete(i int) *row {
	j := &t.jobs[i]
	if j.Status = t.status(j); j.state.runs() { // what it has used so far is not what it will have used
		j.Energy = math.NaN()
	} else {
		if cpu := t.cpuTime(j); j.Allocated > 0 {
			j.CPUTime = cpu / float64(j.Allocated)
			j.UsedMemory = j.stepMost / float64(j.Allocated)
		}
		j.UsedMemoryTotal = j.stepMost
		if math.IsNaN(j.Energy) {
			j.Energy = j.stepPower
		}
	}
	j.noGPUs(t.counted)
	return &j.row
}

// drop forgets the first n jobs.
func (t *jobTable) drop(n int) {
	t.jobs = append(t.jobs[:0], t.jobs[n:]...)
	t.latest.rebuild(t.jobs)
}

// status returns the code of a job's state, workload.Unknown if it has none.
func (t *jobTable) status(j *heldJob) int64 {
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
func (t *jobTable) cpuTime(j *heldJob) float64 {
	switch {
	case j.cpu > 0:
		return j.cpu
	case j.stepCPU > 0, math.IsNaN(j.cpu):
		return j.stepCPU
	case !j.steps && j.Run > 0:
		t.from.Warnings.Add("no-cpu-time", "jobs that ran but have a TotalCPU of 0 and no steps, as with sacct -X: CPU time unknown", j.line, "")
		return math.NaN()
	}
	return j.cpu
}

// stateRules say how jobs in a state are counted that the standard workload format has no
// code for.
var stateRules = func() (rules [jobStates]struct{ name, text string }) {
	for s := range rules {
		rule := &rules[s]
		switch state := jobState(s); {
		case state == stateFailed || state == stateRequeued || state == statePreempted:
		case state.waits():
			rule.name, rule.text = "waiting", "jobs that are still waiting: wait, run time and status unknown"
		case state.runs():
			rule.name, rule.text = "running", "jobs that are still running: run time and status unknown"
		case state.status() == workload.StatusFailed:
			rule.name = "state-" + strings.ReplaceAll(strings.ToLower(state.String()), "_", "-")
			rule.text = "jobs in state " + state.String() + ": they have status failed, or partial where a later record continues the job"
		}
	}
	return rules
}()
