package slurm

import (
	"bytes"
	"fmt"
	"math"
	"strconv"

	"github.com/loadstone-hpc/loadstone/workload"
)

// sacctKey identifies a job of a log. Records with the same key are runs of one job, which
// was requeued, or its steps.
type sacctKey struct {
	job  uint64 // number and kind
	part uint64 // of an array or a heterogeneous job, and cluster
}

// newSacctKey packs what parse.Digits bounds to 50 bits. The cluster is a
// chunk's number of its name until the table has its own.
func newSacctKey(id sacctID) sacctKey {
	return sacctKey{uint64(id.job) | uint64(id.kind)<<50, uint64(id.part)}
}

func (k sacctKey) kind() sacctIDKind { return sacctIDKind(k.job >> 50) }

// label returns the number as sacct prints it, "" for several tasks.
func (k sacctKey) label() string {
	const low = 1<<50 - 1
	switch job, part := int64(k.job&low), int64(k.part&low); k.kind() {
	case idTask:
		return taskLabel(job, part)
	case idHet:
		return fmt.Sprintf("%d+%d", job, part)
	case idTasks:
		return ""
	default:
		return strconv.FormatInt(job, 10)
	}
}

// at returns the key on a cluster, of which there are fewer than 16,384.
func (k sacctKey) at(cluster int32) sacctKey {
	k.part |= uint64(cluster+1) << 50
	return k
}

// sacctRow holds the values of one record. Times are seconds since 1970.
type sacctRow struct {
	key     sacctKey
	id      int64
	line    int64 // in the chunk, from 1
	cluster int32 // as names
	// names are the texts of sacctNameColumns as the chunk's own numbers, 0
	// for none.
	names [len(sacctNameColumns)]int32
	state sacctJobState
	step  bool
	alone bool // stands for several tasks of an array: no other is its like

	submit, start float64
	withdrawn     float64 // when a job ended that never started
	run           float64 // s
	limit         float64 // s
	processors    int64   // asked for
	allocated     int64
	requested     float64 // KB for each processor asked for
	cpu           float64 // s over all processors: the record's own TotalCPU
	// memory is KB over all tasks of a step, if each used as much as the one
	// that used most.
	memory float64

	sacctMore

	// later is the other reading of submission and start, in the hour that the
	// clock went over twice, where the record itself fits both.
	later *sacctLater
}

type sacctLater struct{ submit, start float64 }

// sacctNameColumns are the columns of the job table that have texts, with the
// fields they come from: of several, the first that is not empty.
var sacctNameColumns = [...]struct {
	column int
	fields []sacctField
}{
	{workload.ColUser, []sacctField{sacctUser, sacctUID}},
	{workload.ColGroup, []sacctField{sacctAccount, sacctGroup, sacctGID}},
	{workload.ColApplication, []sacctField{sacctJobName}},
	{workload.ColQueue, []sacctField{sacctQOS, sacctPartition}},
	{workload.ColPartition, []sacctField{sacctPartition}},
	{workload.ColAccount, []sacctField{sacctAccount}},
	{workload.ColQOS, []sacctField{sacctQOS}},
	{workload.ColGPUType, nil}, // of lists of resources
}

// sacctGPUType is the place of the last of them.
const sacctGPUType = len(sacctNameColumns) - 1

// sacctClusterColumn is where names keep the clusters, which are no column of
// the job table: that of the job's number has no texts.
const sacctClusterColumn = workload.ColJobID

var noSacctRow = func() sacctRow {
	nan := math.NaN()
	return sacctRow{
		submit: nan, start: nan, withdrawn: nan, run: nan, limit: nan, processors: workload.Unknown, allocated: workload.Unknown,
		requested: nan, cpu: nan, memory: nan, sacctMore: noSacctMore,
	}
}()

// row reads one record, whose values are p.values, into the row behind those
// that were emitted, which has room there until emit keeps it. It returns the
// field at fault and what was wanted of it, or 0.
func (p *sacctParser) row() (bad sacctField, want string) {
	v := &p.values
	rec := p.next()
	p.notes = p.notes[:0]

	fail := func(f sacctField, w string) {
		if want == "" && w != "" {
			bad, want = f, w
		}
	}
	count := func(f sacctField) int64 {
		n, w := p.count(f)
		fail(f, w)
		return n
	}
	id, bad, want := p.id(rec)
	if want != "" {
		return bad, want
	}
	if cluster := v[sacctCluster]; len(cluster) > 0 {
		rec.cluster = p.number(sacctClusterColumn, cluster)
	}
	if rec.cpu, want = parseSacctDuration(v[sacctTotalCPU]); want != "" {
		return sacctTotalCPU, want
	}
	if rec.step {
		return p.step(id, rec)
	}

	state := v[sacctState]
	if rec.state = parseSacctState(state); rec.state == stateUnknown && len(state) > 0 {
		p.warn("unknown-state", "jobs in a state that Slurm's manual does not list: status unknown", state)
	}
	fail(p.limit(rec))
	tres := func(f, in sacctField, key string) int64 {
		if n := count(f); n != workload.Unknown || want != "" {
			return n
		}
		n, w := p.amount(in, key)
		fail(in, w)
		return n
	}
	rec.processors = tres(sacctReqCPUS, sacctReqTRES, "cpu")
	rec.allocated = tres(sacctNCPUS, sacctAllocTRES, "cpu")
	fail(p.memory(rec))
	if want == "" {
		bad, want = p.times(rec)
	}
	if want == "" {
		bad, want = p.more(id, rec)
	}
	if want != "" {
		return bad, want
	}
	for i, c := range sacctNameColumns {
		for _, f := range c.fields {
			if text := v[f]; len(text) > 0 {
				rec.names[i] = p.number(c.column, text)
				break
			}
		}
	}
	if rec.alone = id.kind == idTasks; rec.alone {
		p.warn("waiting-tasks", "records that stand for all waiting tasks of an array: kept as one job", v[sacctJobID])
	}
	return 0, ""
}

// next is the row for the record that is being read, in which nothing is known.
func (p *sacctParser) next() *sacctRow {
	rows := &p.batch.rows
	*rows = append((*rows)[:p.rows], noSacctRow)
	return &(*rows)[p.rows]
}

// number is a text's number in the chunk.
func (p *sacctParser) number(col int, text []byte) int32 {
	n, _ := p.batch.names[col].Number(text)
	return int32(n)
}

// count reads a count, which may have been rounded.
func (p *sacctParser) count(f sacctField) (n int64, want string) {
	v := p.values[f]
	n, want = parseSacctCount(v)
	if n > 0 && v[len(v)-1] > '9' && bytes.IndexByte(v, '.') >= 0 {
		p.warn("rounded-count", "counts with a unit, which are rounded to two decimals: sacct --noconvert has them whole", v)
	}
	return n, want
}

// step reads what a step used.
func (p *sacctParser) step(id sacctID, rec *sacctRow) (bad sacctField, want string) {
	tasks, want := parseSacctCount(p.values[sacctNTasks])
	if want != "" {
		return sacctNTasks, want
	}
	if tasks == workload.Unknown && id.one {
		tasks = 1
	}
	if rec.energy, want = sacctJoules(p.values[sacctEnergy]); want != "" {
		return sacctEnergy, want
	}
	text := p.values[sacctMaxRSS]
	if isUnknownWord(text) {
		return 0, ""
	}
	kb, _, want := parseSacctSize(text, 'B')
	switch {
	case want != "":
		return sacctMaxRSS, want
	case tasks != workload.Unknown:
		rec.memory = kb * float64(tasks)
	case kb > 0:
		p.warn("step-tasks", "steps whose number of tasks is not in the log: their memory is left out", nil)
	}
	return 0, ""
}

// limit reads the time asked for: TimelimitRaw is in minutes.
func (p *sacctParser) limit(rec *sacctRow) (bad sacctField, want string) {
	text, from := p.values[sacctTimelimitRaw], sacctTimelimitRaw
	if minutes, want := parseSacctCount(text); want == "" && minutes != workload.Unknown {
		rec.limit = 60 * float64(minutes)
	} else if len(text) == 0 || want != "" {
		if len(text) == 0 {
			text, from = p.values[sacctTimelimit], sacctTimelimit
		}
		if rec.limit, want = parseSacctDuration(text); want != "" {
			return from, want
		}
	}
	if isNoLimit(rec.limit) {
		rule, why := noLimit()
		p.warn(rule, why, text)
		rec.limit = math.NaN()
	}
	return from, ""
}

// id reads the record's number from JobIDRaw, which is a job's own, and from
// JobID, where tasks of an array have one number.
func (p *sacctParser) id(rec *sacctRow) (id sacctID, bad sacctField, want string) {
	text, raw := p.values[sacctJobID], p.values[sacctJobIDRaw]
	if len(text) > 0 || len(raw) == 0 {
		bad = sacctJobID
		if !p.layout.has(sacctJobID) {
			bad = sacctJobIDRaw
		}
		if id, want = parseSacctID(text); want != "" {
			return id, bad, want
		}
	}
	own := id
	if len(raw) > 0 {
		if !bytes.Equal(text, raw) {
			if own, want = parseSacctID(raw); want != "" {
				return own, sacctJobIDRaw, want
			}
		}
		id.step, id.one = id.step || own.step, id.one || own.one
	} else if !id.step && (id.kind == idTask || id.kind == idHet) {
		p.warn("shared-id", "tasks of arrays and parts of heterogeneous jobs share a number, because JobIDRaw is missing", text)
	}
	rec.step, rec.id, rec.key = id.step, own.job, newSacctKey(own)
	return id, 0, ""
}

// memory finds the memory asked for, for each processor asked for and of all. Before
// version 21 Slurm says whether it is for each node or processor; since then
// it is the whole job's.
func (p *sacctParser) memory(rec *sacctRow) (from sacctField, want string) {
	v := &p.values
	text, from := v[sacctReqMem], sacctReqMem
	kb, per, want := parseSacctSize(text, 'M')
	if len(text) == 0 {
		from = sacctReqTRES
		kb, want = tresMemory(v[from], p.badAmount)
	}
	if isUnknownWord(text) || len(text) > 0 && text[0] == '?' {
		return from, ""
	}
	if want != "" || !(kb > 0) { // 0 is all that a node has, or not set
		return from, want
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
			return from, ""
		}
	}
	if per == 'n' {
		if nodes < 0 {
			p.warn("memory-of-nodes", "jobs whose memory is for each node, and the number of nodes is not in the log: unknown", text)
			return from, ""
		}
		kb *= float64(nodes)
	}
	processors := float64(rec.processors)
	if rec.processors <= 0 {
		processors = float64(rec.allocated)
	}
	switch {
	case per == 'c':
		rec.requested = kb
		if processors > 0 {
			rec.memoryTotal = kb * processors
		}
	case processors > 0:
		rec.requested, rec.memoryTotal = kb/processors, kb
	default:
		rec.memoryTotal = kb
	}
	return from, ""
}

// nodesAsked returns how many nodes were asked for, else given.
func (p *sacctParser) nodesAsked() int64 {
	for _, f := range [...]sacctField{sacctReqNodes, sacctNNodes} {
		if n, want := parseSacctCount(p.values[f]); want == "" && n > 0 {
			return n
		}
	}
	return workload.Unknown
}

// sacctHasNodes reports whether a list of nodes names some, as far as it is known.
func sacctHasNodes(list []byte) (some, known bool) {
	switch {
	case len(list) == 0:
		return false, false
	case isUnknownWord(list), bytes.EqualFold(list, []byte("none")):
		return false, true
	}
	return true, true
}
