package sched

import "github.com/loadstone-hpc/loadstone/internal/heap"

// machine is a number of processors and the jobs that hold some of them; where it
// is a Cluster, the other resources and what each pool has are in pools.
type machine struct {
	processors int64
	free       int64
	pools      *pools              // nil where processors are alike and all there is
	running    heap.Heap[occupant] // by their ends, at one end by their starts
	started    int64               // jobs started so far
}

// occupant is what the heap holds of a running job: little, because it moves.
type occupant struct {
	size int64
	slot int32
}

// fits says whether there is enough for a job to start now; on a Cluster, in the
// pool of its entry.
func (m *machine) fits(e *entry) bool {
	if m.pools != nil {
		return m.pools.fits(&m.pools.jobs[e.slot].options[e.pool])
	}
	return e.size <= m.free
}

// release ends the running job that is the first to end.
func (m *machine) release() occupant {
	top := m.running.Pop().Value
	m.free += top.size
	if m.pools != nil {
		m.pools.give(top.slot)
	}
	return top
}
