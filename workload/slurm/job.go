package slurm

import (
	"bytes"
	"fmt"
	"math"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// row holds the meaning of a record. Times are seconds since 1970. The job's names are not set
// yet, nor is its status, which depends on the other records of the job. For a step, row holds
// what the step used: MaxRSS of one task times the number of tasks, as UsedMemoryTotal.
type row struct {
	workload.Job

	key    jobKey
	line   int64            // line in the chunk, from 1
	texts  [textCount]int32 // numbers of texts in the batch, 0 for none
	state  jobState
	cause  cause // cause of the job's wait
	alone  bool  // represents several tasks of an array: no other record is of the same job
	isStep bool  // a step of the job with this key

	cpu       float64 // s over all processors, from the record's own TotalCPU
	withdrawn float64 // end of a job that never started
	expected  float64 // expected start of a job in the queue
	priority  int64   // priority of a job in the queue

	// What other records of an accounting log show about the job:
	stepCPU   float64 // s over all processors, of all steps; NaN if no step has it
	stepPower float64 // J, maximum over the steps
	steps     bool
	part      bool // the job goes on in another record
	behind    bool // the job began in another record
}

// asListed returns the job for a listing, with the number in key.
func (r *row) asListed(key jobKey) ListedJob {
	j := ListedJob{Job: r.Job, Label: key.label(), Tasks: key.kind == idTasks, Expected: r.expected, Priority: r.priority, Withdrawn: r.withdrawn}
	j.Derive()
	return j
}

// jobKey identifies a job of a log. Records with the same key are the runs of one job that was
// requeued, or its steps.
type jobKey struct {
	job     int64
	part    int64 // task of an array, or component of a heterogeneous job
	cluster int32 // number of the cluster's name in the log, 0 for none
	kind    idKind
}

// label returns the job's number as Slurm prints it, "" for several tasks.
func (k jobKey) label() string {
	switch k.kind {
	case idPlain:
		return fmt.Sprint(k.job)
	case idTask:
		return fmt.Sprintf("%d_%d", k.job, k.part)
	case idHet:
		return fmt.Sprintf("%d+%d", k.job, k.part)
	}
	return ""
}

// unlisted marks a number of GPUs that is missing from a list of resources: it is 0 if Slurm
// counts GPUs, else unknown.
const unlisted = -1

// counts records where Slurm counts GPUs, because some job has some: in requests and in
// allocations. GPUs that can be requested can be allocated.
type counts struct{ asked, given bool }

func (c *counts) add(j *workload.Job) {
	c.asked = c.asked || j.GPUs > 0
	c.given = c.given || c.asked || j.AllocatedGPUs > 0
}

// complete replaces the unlisted GPUs of a job.
func (c counts) complete(j *workload.Job) {
	j.GPUs, j.AllocatedGPUs = orNone(j.GPUs, c.asked), orNone(j.AllocatedGPUs, c.given)
}

// orNone returns gpus, or if it is unlisted, 0 if GPUs are counted and workload.Unknown if not.
func orNone(gpus int64, counted bool) int64 {
	switch {
	case gpus != unlisted:
		return gpus
	case counted:
		return 0
	}
	return workload.Unknown
}

// nameColumns are the columns of the job table that have texts. The last one holds the clusters,
// for which the job table has no column, in place of the job numbers, which have no texts.
var nameColumns = [...]int{workload.ColUser, workload.ColGroup, workload.ColApplication, workload.ColQueue,
	workload.ColPartition, workload.ColAccount, workload.ColQOS, workload.ColGPUType, clusterColumn}

const clusterColumn = workload.ColJobID

// Indexes of the texts of a row: first those of nameColumns, then others of a queue.
const (
	clusterText = len(nameColumns) - 1 + iota
	labelText   // the job's number as listed
	placeText   // place of the number, for messages
	reasonText
	textCount
)

var emptyRow = row{Job: workload.UnknownJob(), cpu: math.NaN(), withdrawn: math.NaN(), expected: math.NaN(), priority: workload.Unknown, stepCPU: math.NaN(), stepPower: math.NaN()}

// batch holds the rows decoded from one chunk of text.
type batch struct {
	rows     []row            // without pointers, which would make copying expensive
	texts    []byte           // all texts, concatenated
	ends     []int32          // the end of each text
	last     [textCount]int32 // number of the last text of each kind
	lines    int64
	local    bool                   // it has local times
	taken    float64                // latest time that a job shows, since 1970; 0 if there is none
	faults   []*workload.InputError // for records of a queue that cannot be read
	warnings workload.Warnings
}

// reset empties the batch but keeps its memory.
func (b *batch) reset() {
	*b = batch{rows: b.rows[:0], texts: b.texts[:0], ends: b.ends[:0]}
}

// text returns the text with a number.
func (b *batch) text(n int32) []byte {
	if n == 0 {
		return nil
	}
	from := int32(0)
	if n > 1 {
		from = b.ends[n-2]
	}
	return b.texts[from:b.ends[n-1]]
}

// keep stores a text of a row and returns its number. A text that equals the last one of its
// kind is not stored again.
func (b *batch) keep(which int, text []byte) int32 {
	last := &b.last[which]
	if len(text) == 0 {
		return 0
	}
	if *last == 0 || !bytes.Equal(b.text(*last), text) {
		b.texts = append(b.texts, text...)
		b.ends = append(b.ends, int32(len(b.texts)))
		*last = int32(len(b.ends))
	}
	return *last
}

// parser interprets the records of a chunk, in the same way for all forms.
type parser struct {
	*fields
	name   string
	has    struct{ jobID, start, reason, nodes bool } // which columns the layout has
	clock  parse.Clock
	batch  *batch
	causes map[string]cause // causes of the reasons seen so far

	// The record that was read last, which emit adds to the batch:
	result row
	notes  []note // its warnings

	bad  *[]byte // the first field of the record that cannot be read
	want string  // what was expected of that field; "" if all fields can be read
	// place returns the name of a field for a message, and saw that of a value.
	place func(field string) string
	saw   func(value []byte) string

	cutter
	spread  []byte // the record, if a text in it contains the separator
	sawLast bool   // a record of sacct ended on the line above
}

// note is a warning that is counted if its record is.
type note struct {
	rule, text string
	saw        []byte
}

func newParser(r *reader, b *batch) *parser {
	l := r.layout
	p := &parser{
		fields: newFields(), name: r.name, clock: parse.Clock{Zone: r.zone}, batch: b, cutter: cutter{layout: l},
		causes: map[string]cause{}, place: func(field string) string { return field }, saw: workload.Shorten,
	}
	p.has.jobID, p.has.start, p.has.reason, p.has.nodes = l.has("JobID"), l.has("Start"), l.has("LastReason"), l.has("NodeList")
	return p
}

// fail notes what was expected of a field, unless want is "" or there was a fault before.
func (p *parser) fail(f *[]byte, want string) {
	if p.want == "" && want != "" {
		p.bad, p.want = f, want
	}
}

// fault returns the error for the record that begins in a line.
func (p *parser) fault(line int64) *workload.InputError {
	e := &workload.InputError{File: p.name, Line: line, Want: p.want}
	for i, f := range p.at {
		if f == p.bad {
			e.Field, e.Saw = p.place(p.layout.names[recordType.Field(i).Name]), p.saw(*f)
		}
	}
	return e
}

// warn notes a warning about the record that is being read.
func (p *parser) warn(rule, text string, saw []byte) {
	p.notes = append(p.notes, note{rule, text, saw})
}

// odd counts a warning at a line.
func (p *parser) odd(rule, text string, line int64, saw []byte) {
	first := ""
	if saw != nil && !p.batch.warnings.Has(rule) {
		first = parse.ShortenLine(saw)
	}
	p.batch.warnings.Add(rule, text, line, first)
}

// emit adds the record that was read last, which begins in a line.
func (p *parser) emit(line int64) {
	for _, n := range p.notes {
		p.odd(n.rule, n.text, line, n.saw)
	}
	r := &p.result
	if r.line = line; p.has.reason && !r.isStep {
		c, met := p.causes[string(p.LastReason)]
		if !met {
			c = causeOf(string(p.LastReason))
			p.causes[string(p.LastReason)] = c
		}
		r.cause = c
	}
	p.batch.rows = append(p.batch.rows, *r)
}

// row interprets the record in fields as result. It reports whether all of it can be read; if
// not, see fault.
//
// The columns of the job table are:
//   - user is User (else UID), group is Account, by which Slurm sets limits and
//     shares (else Group, else GID), application is JobName, queue is
//     QOS (else Partition), partition is Partition: as numbers, see workload.Names.
//   - run time is Elapsed including the time suspended, wait is Start minus
//     Submit. A job that still waits, or was cancelled before it started, has
//     neither; a job that still runs has no run time.
//   - requested memory is per processor requested, whatever the unit of ReqMem.
func (p *parser) row() bool {
	p.notes, p.bad, p.want = p.notes[:0], nil, ""
	if p.spread != nil {
		p.warn("separator-in-text", "records with the separator inside a text: their columns are found by the form of the values", p.spread)
	}
	id, own := p.id()
	p.result = emptyRow
	r := &p.result
	r.ID, r.key, r.cpu = own.job, own.jobKey, p.cpuTime()
	if r.isStep = id.step && !p.layout.queue; r.isStep {
		r.texts[clusterText], r.UsedMemoryTotal, r.Energy = p.batch.keep(clusterText, p.Cluster), p.stepMemory(id), p.energy(new([]byte))
		return p.want == ""
	}
	if r.state = parseState(p.State); r.state == stateUnknown && len(p.State) > 0 {
		p.warn("unknown-state", "jobs in a state that Slurm's manual does not list: status unknown", p.State)
	}
	r.Time = p.limit()
	r.Processors = p.amount(&p.ReqCPUS, &p.ReqTRES, "cpu")
	r.Allocated = p.amount(&p.NCPUS, &p.AllocTRES, "cpu")
	r.Nodes = p.amount(&p.ReqNodes, &p.ReqTRES, "node")
	p.memory(r)
	if id.kind == idTask || id.kind == idTasks {
		r.Array = id.job
	}
	var kind, givenKind []byte
	r.GPUs, kind = p.gpus(&p.ReqTRES)
	r.Eligible = p.moment(&p.Eligible).first
	waits := p.times(r)
	if started := r.Wait == r.Wait || !p.has.start; started && !waits {
		r.AllocatedNodes = p.amount(&p.NNodes, &p.AllocTRES, "node")
		r.AllocatedGPUs, givenKind = p.gpus(&p.AllocTRES)
		r.Energy = p.energy(&p.AllocTRES)
	}
	if p.layout.queue {
		r.key = id.jobKey
		p.queueRow(id, r, waits)
	} else if r.alone = id.kind == idTasks; r.alone {
		p.warn("waiting-tasks", "records that stand for all waiting tasks of an array: kept as one job", p.JobID)
	}
	if p.want != "" {
		return false
	}
	for i, texts := range [...][][]byte{{p.User, p.UID}, {p.Account, p.Group, p.GID}, {p.JobName}, {p.QOS, p.Partition},
		{p.Partition}, {p.Account}, {p.QOS}, {kind, givenKind}, {p.Cluster}} {
		for _, text := range texts { // the first one that is known
			if r.texts[i] == 0 && !(p.layout.queue && isUnknownWord(text)) {
				r.texts[i] = p.batch.keep(i, text)
			}
		}
	}
	return true
}

// queueRow reads the fields that only a listing of the queue has, and rejects a job without
// those that every listing has. waits reports whether the job has not started.
func (p *parser) queueRow(id jobID, r *row, waits bool) {
	start := p.moment(&p.Start).first
	switch {
	case id.step:
		p.fail(&p.JobID, "the number of a job, not of a step")
	case r.state == stateUnknown:
		p.fail(&p.State, "a state of Slurm's, such as PENDING or R")
	case r.Processors <= 0:
		p.fail(&p.ReqCPUS, "a number of processors")
	case math.IsNaN(r.Submit):
		p.fail(&p.Submit, "a time such as 2021-12-10T14:23:28")
	case r.state.waits() && p.elapsed() > 0:
		p.fail(&p.Elapsed, "0:00, of a job that is "+string(p.State))
	case !waits && math.IsNaN(start):
		p.fail(&p.Start, "a time, of a job that is "+string(p.State))
	}
	if p.want != "" {
		return
	}
	r.Status, r.priority = r.state.status(), Count(string(p.Priority))
	r.texts[labelText] = p.batch.keep(labelText, p.JobID)
	r.texts[placeText] = p.batch.keep(placeText, []byte(p.place(p.layout.names["JobID"])))
	if r.state.waits() {
		r.expected, r.texts[reasonText] = start, p.batch.keep(reasonText, p.Reason)
	}
}

// id returns the record's number as in JobID, which the tasks of an array share, and as in
// JobIDRaw, where each task has its own.
func (p *parser) id() (id, own jobID) {
	text, raw := p.JobID, p.JobIDRaw
	var want string
	if len(text) > 0 || len(raw) == 0 {
		f := &p.JobID
		if !p.has.jobID {
			f = &p.JobIDRaw
		}
		id, want = parseID(text)
		p.fail(f, want)
	}
	if own = id; len(raw) > 0 {
		if !bytes.Equal(text, raw) {
			own, want = parseID(raw)
			p.fail(&p.JobIDRaw, want)
		}
		id.step, id.one = id.step || own.step, id.one || own.one
	} else if !id.step && (id.kind == idTask || id.kind == idHet) && !p.layout.queue {
		p.warn("shared-id", "tasks of arrays and parts of heterogeneous jobs share a number, because JobIDRaw is missing", text)
	}
	return id, own
}
