package slurm

import (
	"strings"

	"github.com/loadstone-hpc/loadstone/workload"
)

// more reads what a job has beyond the fields of the standard workload format. holds
// says that it holds or held processors. It returns the lists of resources that it has,
// and the field at fault and what was wanted of it.
func (s *squeueReader) more(v *squeueValues, id sacctID, holds bool, j *workload.Job) (tres squeueTRES, bad squeueField, want string) {
	fail := func(f squeueField, w string) {
		if want == "" && w != "" {
			bad, want = f, w
		}
	}
	if nodes, ok := squeueCount(v[squeueNodeCount]); ok {
		j.Nodes = nodes
	}
	if id.kind == idTask || id.kind == idTasks {
		j.Array = id.job
	}
	var kind []byte
	var w string
	j.GPUs, kind, w = sacctGPUs(v[squeueReqTRES], s.badAmount)
	fail(squeueReqTRES, w)
	kb, w := tresMemory(v[squeueReqTRES], s.badAmount)
	fail(squeueReqTRES, w)
	if kb > 0 { // 0 is all that a node has
		j.MemoryTotal = kb
		if j.Processors > 0 {
			j.Memory = kb / float64(j.Processors)
		}
	}
	if holds {
		j.AllocatedNodes = j.Nodes
		var more []byte
		j.AllocatedGPUs, more, w = sacctGPUs(v[squeueAllocTRES], s.badAmount)
		fail(squeueAllocTRES, w)
		if kind == nil {
			kind = more
		}
	}
	at, known, w := s.moment(v[squeueEligible])
	fail(squeueEligible, w)
	if known {
		j.Eligible = at
	}
	j.GPUType = s.number(workload.ColGPUType, kind)
	j.Account, j.QOS = s.number(workload.ColAccount, v[squeueAccount]), s.number(workload.ColQOS, v[squeueQOS])
	if lacksGPUs(v[squeueReqTRES]) {
		tres |= askedTRES
	}
	if holds && lacksGPUs(v[squeueAllocTRES]) {
		tres |= givenTRES
	}
	return tres, bad, want
}

// wholePriority returns the priority among the columns of that name: squeue prints
// fractions of the largest, %p, and whole numbers, %Q, under one.
func wholePriority(values []string) string {
	for _, v := range values {
		if v != "" && !strings.Contains(v, ".") {
			return v
		}
	}
	return ""
}
