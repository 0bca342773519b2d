package slurm

import (
	"bytes"
	"time"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// parser gives the records of a chunk their meaning, which is the same for all forms.
type parser struct {
	*fields
	name   string
	layout *layout
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

	cuts    []int32 // less the separator's length, then the ends of the pieces of the line cut last
	aligner aligner
	open    openRecord
}

// note is a warning that counts if the record does.
type note struct {
	rule, text string
	saw        []byte
}

func newParser(name string, l *layout, zone *time.Location, text []byte, b *batch) *parser {
	p := &parser{
		fields: newFields(), name: name, layout: l, clock: parse.Clock{Zone: zone}, batch: b, aligner: aligner{columns: l.columns},
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
	r := &p.batch.rows[p.rows]
	p.rows++
	r.line = line
	p.batch.states[r.state]++
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
	key, cluster := newJobKey(own), int32(0)
	if len(p.Cluster) > 0 {
		cluster = p.number(clusterColumn, p.Cluster)
	}
	cpu := p.duration(&p.TotalCPU)
	if p.isStep = id.step && !p.layout.queue; p.isStep {
		p.step = stepRow{key: key, cluster: cluster, cpu: cpu, used: p.stepMemory(id), energy: p.energy()}
		return p.want == ""
	}
	rows := &p.batch.rows
	*rows = append((*rows)[:p.rows], emptyRow)
	r := &(*rows)[p.rows]
	r.ID, r.key, r.cluster, r.cpu = own.job, key, cluster, cpu
	if r.state = parseState(p.State); r.state == stateUnknown && len(p.State) > 0 {
		p.warn("unknown-state", "jobs in a state that Slurm's manual does not list: status unknown", p.State)
	}
	p.limit(r)
	r.Processors = p.amountOf(&p.ReqCPUS, &p.ReqTRES, "cpu")
	r.Allocated = p.amountOf(&p.NCPUS, &p.AllocTRES, "cpu")
	p.memory(r)
	r.Nodes = p.amountOf(&p.ReqNodes, &p.ReqTRES, "node")
	if id.kind == idTask || id.kind == idTasks {
		r.Array = id.job
	}
	var kind, givenKind []byte
	r.GPUs, kind = p.gpus(&p.ReqTRES)
	if lacksGPUs(p.ReqTRES) {
		r.lists |= askedList
	}
	r.Eligible = p.moment(&p.Eligible).value()
	waits := p.times(r)
	if !waits {
		givenKind = p.allocation(r)
	}
	if len(kind) == 0 {
		kind = givenKind
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
	r.names = [...]int32{
		p.number(workload.ColUser, p.User, p.UID),
		p.number(workload.ColGroup, p.Account, p.Group, p.GID),
		p.number(workload.ColApplication, p.JobName),
		p.number(workload.ColQueue, p.QOS, p.Partition),
		p.number(workload.ColPartition, p.Partition),
		p.number(workload.ColAccount, p.Account),
		p.number(workload.ColQOS, p.QOS),
		p.number(workload.ColGPUType, kind),
	}
	return true
}

// number is the chunk's number of the first text that says something, 0 of none.
func (p *parser) number(col int, texts ...[]byte) int32 {
	for _, text := range texts {
		if len(text) > 0 && !(p.layout.queue && isUnknownWord(text)) {
			n, _ := p.batch.names[col].Number(text)
			return int32(n)
		}
	}
	return 0
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
