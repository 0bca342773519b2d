package slurm

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// jobKey identifies a job of a log. Records with the same key are runs of one job, which
// was requeued, or its steps.
type jobKey struct {
	job  uint64 // number and kind
	part uint64 // of an array or a heterogeneous job, and cluster
}

// newJobKey packs what parse.Digits bounds to 50 bits. The cluster is a
// chunk's number of its name until the log's own is known.
func newJobKey(id jobID) jobKey {
	return jobKey{uint64(id.job) | uint64(id.kind)<<50, uint64(id.part)}
}

func (k jobKey) kind() idKind { return idKind(k.job >> 50) }

// label returns the number as Slurm prints it, "" for several tasks.
func (k jobKey) label() string {
	const low = 1<<50 - 1
	switch job, part := int64(k.job&low), int64(k.part&low); k.kind() {
	case idTask:
		return fmt.Sprintf("%d_%d", job, part)
	case idHet:
		return fmt.Sprintf("%d+%d", job, part)
	case idTasks:
		return ""
	default:
		return strconv.FormatInt(job, 10)
	}
}

// at returns the key on a cluster, of which there are fewer than 16,384.
func (k jobKey) at(cluster int32) jobKey {
	k.part |= uint64(cluster+1) << 50
	return k
}

// row is what a record means. Times are seconds since 1970. The job's names are not set yet,
// nor is its status, which depends on the other records of the job.
type row struct {
	workload.Job

	key     jobKey
	line    int64 // in the chunk, from 1
	cluster int32 // as names
	// names are the texts of nameColumns as the chunk's own numbers, 0 for none.
	names [len(nameColumns)]int32
	state jobState
	alone bool // stands for several tasks of an array: no other is its like
	lists resourceLists
	later int32 // place in batch.later, from 1; 0 is none

	cpu       float64 // s over all processors: the record's own TotalCPU
	withdrawn float64 // when a job ended that never started
}

// stepRow is what the record of a step means.
type stepRow struct {
	key     jobKey // of its job
	cluster int32
	line    int64
	after   int     // rows of the chunk before it
	cpu     float64 // s over all processors
	used    float64 // KB over all tasks, if each used as much as the one that used most
	energy  float64 // J
}

// laterTimes are the other reading of submission and start, in the hour that the clock went
// over twice, where the record itself fits both.
type laterTimes struct{ submit, start float64 }

// queuedJob is what a listing of the queue says of a job beyond its row.
type queuedJob struct {
	label    string // number, as it stands in the listing
	waiting  string // tasks of an array that wait, as they are listed
	place    string // of the number, for messages
	reason   string
	expected float64 // start, as Slurm expects it
	priority int64
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
func (r *row) counted() (lists resourceLists) {
	if r.GPUs > 0 {
		return askedList | givenList
	}
	if r.AllocatedGPUs > 0 {
		return givenList
	}
	return 0
}

// nameColumns are the columns of the job table that have texts.
var nameColumns = [...]int{workload.ColUser, workload.ColGroup, workload.ColApplication, workload.ColQueue,
	workload.ColPartition, workload.ColAccount, workload.ColQOS, workload.ColGPUType}

// clusterColumn is where names keep the clusters, which are no column of the job table: that
// of the job's number has no texts.
const clusterColumn = workload.ColJobID

var emptyRow = row{Job: workload.UnknownJob(),
	cpu: math.NaN(), withdrawn: math.NaN()}

// batch is what became of one chunk of text.
type batch struct {
	rows     []row // without pointers, which are expensive to copy
	later    []laterTimes
	steps    []stepRow
	queued   []queuedJob // of each row of a queue
	names    [workload.NumColumns]texts
	states   [jobStates]int64 // jobs by state
	lines    int64
	local    bool                   // there were local times
	taken    float64                // the latest moment that a job shows, since 1970; 0 is none
	faults   []*workload.InputError // of a queue's records that cannot be read
	warnings workload.Warnings
}

// reset makes the batch an empty one that keeps its memory.
func (b *batch) reset() {
	for col := range b.names {
		b.names[col].Reset()
	}
	*b = batch{rows: b.rows[:0], steps: b.steps[:0], queued: b.queued[:0], names: b.names}
}

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

// count reads a count, which may have been rounded.
func (p *parser) count(f *[]byte) int64 {
	v := *f
	if p.layout.queue {
		v = firstOfRange(v)
	}
	n, want := parseCount(v)
	if p.fail(f, want); n > 0 && v[len(v)-1] > '9' && bytes.IndexByte(v, '.') >= 0 {
		p.warn("rounded-count", "counts with a unit, which are rounded to two decimals: sacct --noconvert has them whole", v)
	}
	return n
}

func (p *parser) duration(f *[]byte) float64 {
	s, want := parseDuration(*f)
	p.fail(f, want)
	return s
}

// amountOf reads a count, or that of a resource in a list.
func (p *parser) amountOf(f, list *[]byte, key string) int64 {
	n := p.count(f)
	if n != workload.Unknown || len(*list) == 0 {
		return n
	}
	n, want := amountIn(*list, tresAmount(*list, key), p.badAmount)
	p.fail(list, want)
	return n
}

// badAmount counts a list of resources with an amount that no job has.
func (p *parser) badAmount(list []byte) {
	p.warn("bad-amount", "amounts of resources that no job has, such as -1 GPUs: taken as unknown", list)
}

func (p *parser) gpus(list *[]byte) (n int64, kind []byte) {
	n, kind, want := gpusIn(*list, p.badAmount)
	p.fail(list, want)
	return n, kind
}

// energy reads joules. 0 is what a cluster without meters has.
func (p *parser) energy() float64 {
	n, want := parseCount(p.Energy)
	if p.fail(&p.Energy, want); want != "" || n <= 0 {
		return math.NaN()
	}
	return float64(n)
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

// stepMemory reads what a step used, over all its tasks.
func (p *parser) stepMemory(id jobID) float64 {
	tasks := p.count(&p.NTasks)
	if tasks == workload.Unknown && id.one {
		tasks = 1
	}
	if isUnknownWord(p.MaxRSS) {
		return math.NaN()
	}
	kb, _, want := parseSize(p.MaxRSS, 'B')
	p.fail(&p.MaxRSS, want)
	if tasks != workload.Unknown {
		return kb * float64(tasks)
	}
	if kb > 0 {
		p.warn("step-tasks", "steps whose number of tasks is not in the log: their memory is left out", nil)
	}
	return math.NaN()
}

// limit reads the time asked for: TimelimitRaw is in minutes.
func (p *parser) limit(r *row) {
	f := &p.TimelimitRaw
	if minutes, want := parseCount(*f); want == "" && minutes != workload.Unknown {
		r.Time = 60 * float64(minutes)
	} else {
		if len(*f) == 0 {
			f = &p.Timelimit
		}
		r.Time = p.duration(f)
	}
	// Slurm writes YEAR_SECONDS of slurmctld, or more than 31 bits of seconds hold, for a job
	// without a limit.
	if r.Time == 365*86400 || r.Time >= 1<<31-1 {
		p.warn("year-limit", "limits of exactly 365 days, or of 68 years and more, which stand for none: unknown", *f)
		r.Time = math.NaN()
	}
}

// memory finds the memory asked for, for each processor asked for and of all. Before
// version 21 Slurm says whether it is for each node or processor; since then
// it is the whole job's.
func (p *parser) memory(r *row) {
	text := p.ReqMem
	if isUnknownWord(text) || len(text) > 0 && text[0] == '?' {
		return
	}
	kb, per, want := parseSize(text, 'M')
	if p.fail(&p.ReqMem, want); len(text) == 0 {
		kb, want = memoryIn(p.ReqTRES, p.badAmount)
		p.fail(&p.ReqTRES, want)
	}
	if want != "" || !(kb > 0) { // 0 is all that a node has, or not set
		return
	}
	nodes := workload.Unknown
	if per == 'n' || kb >= memoryFlag {
		nodes = p.nodesAsked()
	}
	if kb >= memoryFlag {
		alike := nodes // that have as much
		if per != 0 {
			alike = 1
		}
		perCPU := false
		if kb, perCPU = withoutFlag(kb, alike); perCPU {
			per = 'c'
		}
		if kb > maxMemory || per != 0 && kb >= memoryFlag || kb == 0 {
			p.badAmount(text)
			return
		}
	}
	if per == 'n' {
		if nodes < 0 {
			p.warn("memory-of-nodes", "jobs whose memory is for each node, and the number of nodes is not in the log: unknown", text)
			return
		}
		kb *= float64(nodes)
	}
	processors := float64(r.Processors)
	if r.Processors <= 0 {
		processors = float64(r.Allocated)
	}
	switch {
	case per == 'c':
		r.Memory = kb
		if processors > 0 {
			r.MemoryTotal = kb * processors
		}
	case processors > 0:
		r.Memory, r.MemoryTotal = kb/processors, kb
	default:
		r.MemoryTotal = kb
	}
}

// nodesAsked returns how many nodes were asked for, else given.
func (p *parser) nodesAsked() int64 {
	for _, v := range [...][]byte{p.ReqNodes, p.NNodes} {
		if n, want := parseCount(v); want == "" && n > 0 {
			return n
		}
	}
	return workload.Unknown
}

// allocation reads what a job was given that has started, as far as is known, and returns the
// kind of its GPUs.
func (p *parser) allocation(r *row) (kind []byte) {
	if math.IsNaN(r.Wait) && p.has.start {
		return nil
	}
	r.AllocatedNodes = p.amountOf(&p.NNodes, &p.AllocTRES, "node")
	r.AllocatedGPUs, kind = p.gpus(&p.AllocTRES)
	if lacksGPUs(p.AllocTRES) {
		r.lists |= givenList
	}
	if r.Energy = p.energy(); math.IsNaN(r.Energy) {
		var nothing []byte
		if joules := p.amountOf(&nothing, &p.AllocTRES, "energy"); joules > 0 {
			r.Energy = float64(joules)
		}
	}
	return kind
}
