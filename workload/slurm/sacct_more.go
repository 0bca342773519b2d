package slurm

import (
	"math"

	"github.com/loadstone-hpc/loadstone/workload"
)

// sacctMore is what a record says beyond the fields of the standard workload format.
type sacctMore struct {
	askedNodes, nodes int64
	askedGPUs, gpus   int64
	array             int64
	memoryTotal       float64 // KB, asked for
	energy            float64 // J
	eligible          float64 // s since 1970
	// askedTRES and givenTRES say that there are lists of resources: GPUs that are not
	// in them are none, where Slurm counts GPUs.
	askedTRES, givenTRES bool
}

var noSacctMore = func() sacctMore {
	nan, no := math.NaN(), workload.Unknown
	return sacctMore{no, no, no, no, no, nan, nan, nan, false, false}
}()

// columnsOf are the optional columns that a log of some fields has.
func (l *sacctLayout) columnsOf() (has workload.ColumnSet) {
	for _, c := range []struct {
		column int
		fields []sacctField
	}{
		{workload.ColRequestedNodes, []sacctField{sacctReqNodes, sacctReqTRES}},
		{workload.ColAllocatedNodes, []sacctField{sacctNNodes, sacctAllocTRES}},
		{workload.ColRequestedGPUs, []sacctField{sacctReqTRES}},
		{workload.ColAllocatedGPUs, []sacctField{sacctAllocTRES}},
		{workload.ColGPUType, []sacctField{sacctReqTRES, sacctAllocTRES}},
		{workload.ColRequestedMemoryTotal, []sacctField{sacctReqMem, sacctReqTRES}},
		{workload.ColUsedMemoryTotal, []sacctField{sacctMaxRSS}},
		{workload.ColEnergy, []sacctField{sacctEnergy, sacctAllocTRES}},
		{workload.ColAccount, []sacctField{sacctAccount}},
		{workload.ColQOS, []sacctField{sacctQOS}},
		{workload.ColArray, []sacctField{sacctJobID}},
		{workload.ColEligibleTime, []sacctField{sacctEligible}},
	} {
		for _, f := range c.fields {
			if l.has(f) {
				has |= workload.ColumnSetOf(c.column)
			}
		}
	}
	return has
}

// more reads what a record has of them, behind its times.
func (p *sacctParser) more(id sacctID, rec *sacctRow) (bad sacctField, want string) {
	v, m := &p.values, &rec.sacctMore
	fail := func(f sacctField, w string) {
		if want == "" && w != "" {
			bad, want = f, w
		}
	}
	nodes, w := p.count(sacctReqNodes)
	fail(sacctReqNodes, w)
	if m.askedNodes = nodes; m.askedNodes == workload.Unknown {
		n, w := p.amount(sacctReqTRES, "node")
		m.askedNodes = n
		fail(sacctReqTRES, w)
	}
	if id.kind == idTask || id.kind == idTasks {
		m.array = id.job
	}
	var kind []byte
	m.askedGPUs, kind, w = sacctGPUs(v[sacctReqTRES], p.badAmount)
	m.askedTRES = lacksGPUs(v[sacctReqTRES])
	fail(sacctReqTRES, w)
	fail(sacctEligible, p.eligible(m))
	if given, w := p.given(rec); w != "" {
		fail(given, w)
	}
	if len(kind) == 0 {
		_, kind, _ = sacctGPUs(v[sacctAllocTRES], func([]byte) {})
	}
	if len(kind) > 0 {
		rec.names[sacctGPUType] = p.number(workload.ColGPUType, kind)
	}
	return bad, want
}

// eligible reads from when the job could start.
func (p *sacctParser) eligible(m *sacctMore) (want string) {
	var at sacctMoment
	if want = p.moment(sacctEligible, &at); want == "" {
		m.eligible = at.value()
	}
	return want
}

// given reads what came of a job that has started.
func (p *sacctParser) given(rec *sacctRow) (bad sacctField, want string) {
	v, m := &p.values, &rec.sacctMore
	if rec.state.waits() || math.IsNaN(rec.start) && p.layout.has(sacctStart) {
		return 0, ""
	}
	if m.nodes, want = p.count(sacctNNodes); want != "" {
		return sacctNNodes, want
	}
	if m.nodes == workload.Unknown {
		if m.nodes, want = p.amount(sacctAllocTRES, "node"); want != "" {
			return sacctAllocTRES, want
		}
	}
	if m.gpus, _, want = sacctGPUs(v[sacctAllocTRES], p.badAmount); want != "" {
		return sacctAllocTRES, want
	}
	m.givenTRES = lacksGPUs(v[sacctAllocTRES])
	if m.energy, want = sacctJoules(v[sacctEnergy]); want != "" {
		return sacctEnergy, want
	}
	if math.IsNaN(m.energy) {
		joules, want := p.amount(sacctAllocTRES, "energy")
		if want != "" {
			return sacctAllocTRES, want
		}
		if joules > 0 {
			m.energy = float64(joules)
		}
	}
	return 0, ""
}

// sacctJoules reads an energy. 0 is what a cluster without meters has.
func sacctJoules(v []byte) (joules float64, want string) {
	n, want := parseSacctCount(v)
	if want != "" || n <= 0 {
		return math.NaN(), want
	}
	return float64(n), ""
}
