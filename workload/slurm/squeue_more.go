package slurm

import (
	"math"
	"strings"

	"github.com/loadstone-hpc/loadstone/workload"
)

// more reads what a job has beyond the fields of the standard workload format. holds
// says that it holds or held processors. It returns the field at fault and what was
// wanted of it.
func (s *squeueReader) more(v *[squeueFields]string, id sacctID, state sacctJobState, holds bool, j *workload.Job) (bad squeueField, want string) {
	asked, given := workload.NoAsked, workload.NoGiven
	fail := func(f squeueField, w string) {
		if want == "" && w != "" {
			bad, want = f, w
		}
	}
	count := func(f squeueField) int64 {
		n, w := parseSacctCount([]byte(v[f]))
		fail(f, w)
		return n
	}
	if nodes, ok := squeueCount(v[squeueNodeCount]); ok {
		asked.Nodes = nodes
	}
	given.Priority, given.Requeued = count(squeuePriority), count(squeueRestarts)
	if id.kind == idTask || id.kind == idTasks {
		asked.Array = id.job
	}
	var kind []byte
	var w string
	asked.GPUs, kind, w = sacctGPUs([]byte(v[squeueReqTRES]))
	fail(squeueReqTRES, w)
	kb, _, w := parseSacctSize(sacctTRES([]byte(v[squeueReqTRES]), "mem"), 'M')
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
		given.GPUs, more, w = sacctGPUs([]byte(v[squeueAllocTRES]))
		fail(squeueAllocTRES, w)
		if kind == nil {
			kind = more
		}
		if state.ended() {
			given.ExitCode, w = parseSacctExit([]byte(v[squeueExit]))
			fail(squeueExit, w)
		}
	}
	at, known, w := s.moment(v[squeueEligible])
	fail(squeueEligible, w)
	if known {
		given.Eligible = at
	}
	asked.GPUType = s.number(workload.ColGPUType, string(kind))
	asked.Account, asked.QOS = s.number(workload.ColAccount, v[squeueAccount]), s.number(workload.ColQOS, v[squeueQOS])
	j.Asked, j.Given = &asked, &given
	s.listed = append(s.listed, [2]bool{v[squeueReqTRES] != "", holds && v[squeueAllocTRES] != ""})
	return bad, want
}

// declare says which optional columns the listing has, by its jobs. GPUs that are not in
// a job's list of resources are none where another job's list has some.
func (s *squeueReader) declare() {
	counts := false
	for i := range s.jobs {
		counts = counts || s.jobs[i].Asked.GPUs > 0 || s.jobs[i].Given.GPUs > 0
	}
	var has workload.ColumnSet
	for i := range s.jobs {
		a, g := s.jobs[i].Asked, s.jobs[i].Given
		if counts && s.listed[i][0] && a.GPUs == workload.Unknown {
			a.GPUs = 0
		}
		if counts && s.listed[i][1] && g.GPUs == workload.Unknown {
			g.GPUs = 0
		}
		for col := workload.FirstOptional; col < workload.NumColumns; col++ {
			c := workload.ColumnAt(col)
			if c.Float() && !math.IsNaN(c.Number(&s.jobs[i])) || !c.Float() && c.Int(&s.jobs[i]) != workload.Unknown {
				has |= workload.ColumnSetOf(col)
			}
		}
	}
	s.from.Declare(has)
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
