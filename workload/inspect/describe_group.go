package inspect

import (
	"slices"

	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Group counts the distinct values of an identifier.
type Group struct {
	Known    int64  `json:"known"` // jobs with a known value
	Distinct int64  `json:"distinct"`
	Method   string `json:"method"` // "exact", or the standard error of an estimate
}

// grouped are the identifiers and codes whose values are counted.
var grouped = slices.Sorted(slices.Values(append(workload.ColumnsOf(workload.Identifier), workload.ColPrecedingJob, workload.ColArray)))

// groupPart counts the values of one identifier.
type groupPart struct {
	at     int
	known  int64
	values stats.Cardinality
}

func (p *groupPart) add(s *slab) {
	if s.Nulls(p.at) == s.Len() {
		return
	}
	for i := range s.Len() {
		n := s.Int(p.at, i)
		if n == workload.Unknown {
			continue
		}
		p.known++
		p.values.Add(n)
	}
}

// codePart counts jobs by status, and those with a number.
type codePart struct {
	jobs, numbered int64
	status         map[workload.Status]int64
}

func (p *codePart) add(s *slab) {
	p.jobs += int64(s.Len())
	last, run := workload.Unknown, int64(0)
	for i := range s.Len() {
		if s.Int(workload.ColJobID, i) != workload.Unknown {
			p.numbered++
		}
		if code := s.Int(workload.ColStatus, i); code != last {
			if run > 0 {
				p.status[workload.Status(last)] += run
			}
			last, run = code, 0
		}
		run++
	}
	if run > 0 {
		p.status[workload.Status(last)] += run
	}
}
