package slurm

import (
	"bytes"
	"math"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// row is what a record means. Times are seconds since 1970. The job's names are not set yet,
// nor is its status, which depends on the other records of the job.
type row struct {
	workload.Job

	key   jobKey
	line  int64            // in the chunk, from 1
	names [nameCount]int32 // numbers of texts of the batch, 0 for none
	state jobState
	alone bool // stands for several tasks of an array: no other is its like
	lists resourceLists

	// The other reading of submission and start, in the hour that the clock went over twice,
	// where the record itself fits both; else NaN.
	laterSubmit, laterStart float64

	cpu       float64 // s over all processors: the record's own TotalCPU
	withdrawn float64 // when a job ended that never started
}

// stepRow is what the record of a step means.
type stepRow struct {
	key     jobKey // of its job
	cluster int32  // as names
	line    int64
	after   int     // rows of the chunk before it
	cpu     float64 // s over all processors
	used    float64 // KB over all tasks, if each used as much as the one that used most
	energy  float64 // J
}

// queuedJob is what a listing of the queue says of a job beyond its row.
type queuedJob struct {
	shown   ListedJob // its Job is not set
	waiting string    // tasks of an array that wait, as they are listed
	place   string    // of the number, for messages
}

// jobKey identifies a job of a log. Records with the same key are runs of one job, which
// was requeued, or its steps.
type jobKey struct {
	job  uint64 // number and kind
	part uint64 // of an array or a heterogeneous job, and cluster
}

// newJobKey packs what parse.Digits bounds to 50 bits.
func newJobKey(id jobID) jobKey { return jobKey{uint64(id.job) | uint64(id.kind)<<50, uint64(id.part)} }

func (k jobKey) kind() idKind { return idKind(k.job >> 50) }

// at returns the key on a cluster, of which there are fewer than 16,384.
func (k jobKey) at(cluster int64) jobKey {
	k.part |= uint64(cluster+1) << 50
	return k
}

// label returns the number as Slurm prints it, "" for several tasks.
func (k jobKey) label() string {
	const low = 1<<50 - 1
	job, part := parse.FormatNumber(float64(k.job&low)), parse.FormatNumber(float64(k.part&low))
	return [...]string{idPlain: job, idTask: job + "_" + part, idHet: job + "+" + part, idTasks: ""}[k.kind()]
}

// resourceLists says which lists of resources without GPUs a job has: of what was asked for,
// and given. Where Slurm counts GPUs the job has none.
type resourceLists uint8

const (
	askedList resourceLists = 1 << iota
	givenList
)

// noGPUs completes the row where Slurm counts GPUs in some lists.
func (r *row) noGPUs(counted resourceLists) {
	if counted&r.lists&askedList != 0 && r.GPUs == workload.Unknown {
		r.GPUs = 0
	}
	if counted&r.lists&givenList != 0 && r.AllocatedGPUs == workload.Unknown {
		r.AllocatedGPUs = 0
	}
}

// counted returns the lists in which a job has GPUs; what can be asked for can be given.
func (r *row) counted() resourceLists {
	switch {
	case r.GPUs > 0:
		return askedList | givenList
	case r.AllocatedGPUs > 0:
		return givenList
	}
	return 0
}

// nameColumns are the columns of the job table that have texts. The last is where names keep
// the clusters, which are no column of the job table: that of the job's number has no texts.
var nameColumns = [nameCount]int{workload.ColUser, workload.ColGroup, workload.ColApplication, workload.ColQueue,
	workload.ColPartition, workload.ColAccount, workload.ColQOS, workload.ColGPUType, workload.ColJobID}

const (
	nameCount     = 9
	gpuTypeName   = nameCount - 2
	clusterName   = nameCount - 1
	clusterColumn = workload.ColJobID
)

var emptyRow = row{Job: workload.UnknownJob(), laterSubmit: math.NaN(), laterStart: math.NaN(), cpu: math.NaN(), withdrawn: math.NaN()}

// batch is what became of one chunk of text.
type batch struct {
	rows     []row // without pointers, which are expensive to copy
	steps    []stepRow
	queued   []queuedJob      // of each row of a queue
	texts    []byte           // names, one behind the other
	ends     []int32          // of each of them
	last     [nameCount]int32 // those of the job before
	lines    int64
	local    bool                   // there were local times
	taken    float64                // the latest moment that a job shows, since 1970; 0 is none
	faults   []*workload.InputError // of a queue's records that cannot be read
	warnings workload.Warnings
}

// reset makes the batch an empty one that keeps its memory.
func (b *batch) reset() {
	*b = batch{rows: b.rows[:0], steps: b.steps[:0], queued: b.queued[:0], texts: b.texts[:0], ends: b.ends[:0]}
}

// text returns a text by its number.
func (b *batch) text(n int32) []byte {
	from := int32(0)
	if n > 1 {
		from = b.ends[n-2]
	}
	return b.texts[from:b.ends[n-1]]
}

// parser gives the records of a chunk their meaning, which is the same for all forms.
type parser struct {
	*fields
	name   string
	has    struct{ jobID, start, reason, nodes bool } // some columns
	clock  parse.Clock
	batch  *batch
	rows   int  // emitted: the first of batch.rows
	isStep bool // the record that is being read is step
	step   stepRow
	notes  []note // warnings of the record that is being read

	bad  *[]byte // the first field of the record that cannot be read
	want string  // and what was wanted of it; "" where all can be
	// place names a field in a message, and saw shows a value in one.
	place func(field string) string
	saw   func(value []byte) string

	cutter
	open openRecord
}

// note is a warning that counts if the record does.
type note struct {
	rule, text string
	saw        []byte
}

func newParser(r *reader, text []byte, b *batch) *parser {
	l := r.layout
	p := &parser{
		fields: newFields(), name: r.name, clock: parse.Clock{Zone: r.zone}, batch: b, cutter: cutter{layout: l},
		place: func(field string) string { return field }, saw: workload.Shorten, open: openRecord{text: text, at: -1},
	}
	p.has.jobID, p.has.start, p.has.reason, p.has.nodes = l.has("JobID"), l.has("Start"), l.has("Reason"), l.has("NodeList")
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
			e.Field, e.Saw = p.place(p.layout.names[i]), p.saw(*f)
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
	if p.isStep {
		p.step.line, p.step.after = line, p.rows
		p.batch.steps = append(p.batch.steps, p.step)
		return
	}
	p.batch.rows[p.rows].line = line
	p.rows++
}

// row reads the record that fields hold into the row behind those that were emitted, which
// has room there until emit keeps it. It reports whether all of it can be read, see fault.
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
	id, own := p.id()
	cpu := value(p, &p.TotalCPU, parseDuration)
	if p.isStep = id.step && !p.layout.queue; p.isStep {
		var noList []byte
		p.step = stepRow{key: newJobKey(own), cluster: p.keep(clusterName, p.Cluster), cpu: cpu, used: p.stepMemory(id), energy: p.energy(&noList)}
		return p.want == ""
	}
	p.batch.rows = append(p.batch.rows[:p.rows], emptyRow)
	r := &p.batch.rows[p.rows]
	r.ID, r.key, r.cpu = own.job, newJobKey(own), cpu
	if r.state = parseState(p.State); r.state == stateUnknown && len(p.State) > 0 {
		p.warn("unknown-state", "jobs in a state that Slurm's manual does not list: status unknown", p.State)
	}
	r.Time = p.limit()
	r.Processors = p.amount(&p.ReqCPUS, &p.ReqTRES, "cpu")
	r.Allocated = p.amount(&p.NCPUS, &p.AllocTRES, "cpu")
	p.memory(r)
	r.Nodes = p.amount(&p.ReqNodes, &p.ReqTRES, "node")
	if id.kind == idTask || id.kind == idTasks {
		r.Array = id.job
	}
	var kind, givenKind []byte
	r.GPUs, kind = p.gpus(&p.ReqTRES)
	if lacksGPUs(p.ReqTRES) {
		r.lists |= askedList
	}
	r.Eligible = p.moment(&p.Eligible).first
	waits := p.times(r)
	if started := r.Wait == r.Wait || !p.has.start; started && !waits {
		r.AllocatedNodes = p.amount(&p.NNodes, &p.AllocTRES, "node")
		r.AllocatedGPUs, givenKind = p.gpus(&p.AllocTRES)
		if lacksGPUs(p.AllocTRES) {
			r.lists |= givenList
		}
		r.Energy = p.energy(&p.AllocTRES)
	}
	if p.layout.queue {
		r.key = newJobKey(id)
		p.queueRow(id, r, waits)
	} else if r.alone = id.kind == idTasks; r.alone {
		p.warn("waiting-tasks", "records that stand for all waiting tasks of an array: kept as one job", p.JobID)
	}
	if p.want != "" {
		return false
	}
	for i, texts := range [nameCount][][]byte{{p.User, p.UID}, {p.Account, p.Group, p.GID}, {p.JobName}, {p.QOS, p.Partition},
		{p.Partition}, {p.Account}, {p.QOS}, {kind, givenKind}, {p.Cluster}} {
		r.names[i] = p.keep(i, texts...)
	}
	return true
}

// keep keeps the first text that says something as a name of a job and returns its number, the
// same as of the job before if that has it too.
func (p *parser) keep(name int, texts ...[]byte) int32 {
	b := p.batch
	for _, text := range texts {
		if len(text) == 0 || p.layout.queue && isUnknownWord(text) {
			continue
		}
		last := &b.last[name]
		if *last == 0 || !bytes.Equal(b.text(*last), text) {
			b.texts = append(b.texts, text...)
			b.ends = append(b.ends, int32(len(b.texts)))
			*last = int32(len(b.ends))
		}
		return *last
	}
	return 0
}

// queueRow reads what a listing of the queue has beyond accounting, and refuses a job without
// what every listing has. waits reports that the job has not started.
func (p *parser) queueRow(id jobID, r *row, waits bool) {
	q := queuedJob{shown: ListedJob{Label: string(p.JobID), Reason: string(p.Reason), Expected: math.NaN(), Priority: workload.Unknown}, waiting: id.waiting}
	if n, want := parseCount(p.Priority); want == "" {
		q.shown.Priority = n
	}
	start := p.moment(&p.Start).first
	if r.state.waits() {
		q.shown.Expected = start
	} else {
		q.shown.Reason = ""
	}
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
	if p.want == "" {
		q.place = p.place(p.layout.nameOf("JobID"))
		r.Status = r.state.status()
		p.batch.queued = append(p.batch.queued[:p.rows], q)
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
