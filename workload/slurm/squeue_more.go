package slurm

import (
	"strings"

	"github.com/loadstone-hpc/loadstone/workload"
)

// more reads what a job has beyond the fields of the standard workload format. holds
// says that it holds or held processors. It returns the lists of resources that it has,
// and the field at fault and what was wanted of it.
func (s *squeueReader) more(v *squeueValues, id sacctID, holds bool, j *workload.Job) (tres squeueTRES, bad squeueField, want string) {
	asked, given := workload.NoAsked, workload.NoGiven
	fail := func(f squeueField, w string) {
		if want == "" && w != "" {
			bad, want = f, w
		}
	}
	if nodes, ok := squeueCount(v[squeueNodeCount]); ok {
		asked.Nodes = nodes
	}
	if id.kind == idTask || id.kind == idTasks {
		asked.Array = id.job
	}
	var kind []byte
	var w string
	asked.GPUs, kind, w = sacctGPUs(v[squeueReqTRES], s.badAmount)
	fail(squeueReqTRES, w)
	kb, w := tresMemory(v[squeueReqTRES], s.badAmount)
	fail(squeueReqTRES, w)
	if kb > 0 { // 0 is all that a node has
		asked.Memory = kb
		if j.Processors > 0 {
			j.Memory = kb / float64(j.Processors)
		}
	}
	if holds {
		given.Nodes = asked.Nodes
		var more []byte
		given.GPUs, more, w = sacctGPUs(v[squeueAllocTRES], s.badAmount)
		fail(squeueAllocTRES, w)
		if kind == nil {
			kind = more
		}
	}
	at, known, w := s.moment(v[squeueEligible])
	fail(squeueEligible, w)
	if known {
		given.Eligible = at
	}
	asked.GPUType = s.number(workload.ColGPUType, kind)
	asked.Account, asked.QOS = s.number(workload.ColAccount, v[squeueAccount]), s.number(workload.ColQOS, v[squeueQOS])
	j.Asked, j.Given = &asked, &given
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
