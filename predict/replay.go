package predict

import (
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/workload"
)

// queueJob is a job that runs or waits.
type queueJob struct {
	request workload.Request
	start   float64 // s; NaN while it waits
}

func (j *queueJob) place(from *workload.Job) {
	j.request, j.start = from.Request, math.NaN()
}

// queueReplay is the machines as the log has them.
type queueReplay struct {
	config *ArrivalConfig
	sites  map[int64]*queueSite // by partition, Unknown for one machine
}

// queueSite is one machine.
type queueSite struct {
	processors int64
	running    []int // slots, by start
	waiting    []int // slots, by submission
}

func (q *queueReplay) site(r *workload.Request) *queueSite {
	partition := int64(workload.Unknown)
	if q.config.Sites != nil {
		partition = r.Partition
	}
	m := q.sites[partition]
	if m == nil {
		m = &queueSite{processors: q.config.Processors}
		if n, ok := q.config.Sites[partition]; ok {
			m.processors = n
		}
		q.sites[partition] = m
	}
	return m
}

// without takes a slot out of a list that has it, in place.
func without(slots []int, slot int) []int {
	if i := slices.Index(slots, slot); i >= 0 {
		return slices.Delete(slots, i, i+1)
	}
	return slots
}
