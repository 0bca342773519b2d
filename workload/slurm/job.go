package slurm

import (
	"bytes"
	"fmt"
	"math"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// row is what a record means. Times are seconds since 1970. The job's names are not set yet,
// nor is its status, which depends on the other records of the job. Of a step it has what the step
// used: MaxRSS of one task times the tasks as UsedMemoryTotal.
type row struct {
	workload.Job

	key    jobKey
	line   int64            // in the chunk, from 1
	texts  [textCount]int32 // numbers of texts of the batch, 0 for none
	state  jobState
	cause  cause // of its wait
	alone  bool  // stands for several tasks of an array: no other is its like
	isStep bool  // a step of the job with this key

	cpu       float64 // s over all processors: the record's own TotalCPU
	withdrawn float64 // when a job ended that never started
	expected  float64 // when a job of the queue will start
	priority  int64   // of a job of the queue

	// What other records of a log of accounting say of the job:
	stepCPU   float64 // s over all processors; NaN: no step says
	stepPower float64 // J, the most of all steps
	steps     bool
	part      bool // the job goes on in another record
	behind    bool // the job began in another record
}

// asListed returns the job as a listing shows it, under the number in key.
func (r *row) asListed(key jobKey) ListedJob {
	j := ListedJob{Job: r.Job, Label: key.label(), Tasks: key.kind == idTasks, Expected: r.expected, Priority: r.priority, Withdrawn: r.withdrawn}
	j.Derive()
	return j
}

// jobKey identifies a job of a log. Records with the same key are runs of one job, which
// was requeued, or its steps.
type jobKey struct {
	job     int64
	part    int64 // of an array or a heterogeneous job
	cluster int32 // the log's number of its name, 0 for none
	kind    idKind
}

// label returns the number as Slurm prints it, "" for several tasks.
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

// unlisted stands for GPUs that are not in a list of resources: none where Slurm counts them, else
// unknown.
const unlisted = -1

// counts says where Slurm counts GPUs, because some job has some: among what is asked for, and what
// is given. What can be asked for can be given.
type counts struct{ asked, given bool }

func (c *counts) add(j *workload.Job) {
	c.asked = c.asked || j.GPUs > 0
	c.given = c.given || c.asked || j.AllocatedGPUs > 0
}

// complete gives a job its GPUs where they are unlisted.
func (c counts) complete(j *workload.Job) {
	j.GPUs, j.AllocatedGPUs = orNone(j.GPUs, c.asked), orNone(j.AllocatedGPUs, c.given)
}

// orNone is a number of GPUs: of those unlisted 0, if they are counted.
func orNone(gpus int64, counted bool) int64 {
	switch {
	case gpus != unlisted:
		return gpus
	case counted:
		return 0
	}
	return workload.Unknown
}

// nameColumns are the columns of the job table that have texts. The last is where names keep
// the clusters, which are no column of the job table: that of the job's number has no texts.
var nameColumns = [...]int{workload.ColUser, workload.ColGroup, workload.ColApplication, workload.ColQueue,
	workload.ColPartition, workload.ColAccount, workload.ColQOS, workload.ColGPUType, clusterColumn}

const clusterColumn = workload.ColJobID

// The texts of a row: those of nameColumns, and in a queue others.
const (
	clusterText = len(nameColumns) - 1 + iota
	labelText   // the job's number, as it is listed
	placeText   // of the number, for messages
	reasonText
	textCount
)

var emptyRow = row{Job: workload.UnknownJob(), cpu: math.NaN(), withdrawn: math.NaN(), expected: math.NaN(), priority: workload.Unknown, stepCPU: math.NaN(), stepPower: math.NaN()}

// batch is what became of one chunk of text.
type batch struct {
	rows     []row            // without pointers, which are expensive to copy
	texts    []byte           // one behind the other
	ends     []int32          // of each of them
	last     [textCount]int32 // those of the job before
	lines    int64
	local    bool                   // there were local times
	taken    float64                // the latest moment that a job shows, since 1970; 0 is none
	faults   []*workload.InputError // of a queue's records that cannot be read
	warnings workload.Warnings
}

// reset makes the batch an empty one that keeps its memory.
func (b *batch) reset() {
	*b = batch{rows: b.rows[:0], texts: b.texts[:0], ends: b.ends[:0]}
}

// text returns a text by its number.
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

// keep keeps a text of a row and returns its number, the same as of the row before if that has
// it too.
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

// parser gives the records of a chunk their meaning, which is the same for all forms.
type parser struct {
	*fields
	name   string
	has    struct{ jobID, start, reason, nodes bool } // some columns
	clock  parse.Clock
	batch  *batch
	causes map[string]cause // of the reasons met

	// Of the record that was read last, which emit adds to the batch:
	result row
	notes  []note // its warnings

	bad  *[]byte // the first field of the record that cannot be read
	want string  // and what was wanted of it; "" where all can be
	// place names a field in a message, and saw shows a value in one.
	place func(field string) string
	saw   func(value []byte) string

	cutter
	spread  []byte // the record, if a text in it has the separator
	sawLast bool   // a record of sacct ended just above
}

// note is a warning that counts if the record does.
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

// fail notes what was wanted of a field, unless there was a fault before or want is "".
func (p *parser) fail(f *[]byte, want string) {
	if p.want == "" && want != "" {
		p.bad, p.want = f, want
	}
}

// fault is the error of the record in a line.
func (p *parser) fault(line int64) *workload.InputError {
	e := &workload.InputError{File: p.name, Line: line, Want: p.want}
	for i, f := range p.at {
		if f == p.bad {
			e.Field, e.Saw = p.place(p.layout.names[recordType.Field(i).Name]), p.saw(*f)
		}
	}
	return e
}

// warn notes something odd of the record that is being read.
func (p *parser) warn(rule, text string, saw []byte) {
	p.notes = append(p.notes, note{rule, text, saw})
}

// odd counts something at a line.
func (p *parser) odd(rule, text string, line int64, saw []byte) {
	first := ""
	if saw != nil && !p.batch.warnings.Has(rule) {
		first = parse.ShortenLine(saw)
	}
	p.batch.warnings.Add(rule, text, line, first)
}

// emit adds the record that was read, which begins in that line.
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

// row reads the record that fields hold into result. It reports whether all of it can be read, see
// fault.
//
// What becomes a column of the job table:
//   - user is User (else UID), group is Account, which Slurm's limits and
//     shares go by (else Group, else GID), application is JobName, queue is
//     QOS (else Partition), partition is Partition: as numbers, see workload.Names.
//   - run time is Elapsed with the time suspended in it, wait is Start less
//     Submit. A job that waits still, or was cancelled before it started, has
//     neither; a job that runs still has no run time.
//   - requested memory is for each processor asked for, whatever ReqMem counts.
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
		for _, text := range texts { // the first that says something
			if r.texts[i] == 0 && !(p.layout.queue && isUnknownWord(text)) {
				r.texts[i] = p.batch.keep(i, text)
			}
		}
	}
	return true
}

// queueRow reads what a listing of the queue has beyond accounting, and refuses a job without
// what every listing has. waits reports that the job has not started.
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

// id reads the record's number from JobIDRaw, which is a job's own, and from
// JobID, where tasks of an array have one number.
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
