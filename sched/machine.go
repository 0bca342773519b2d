package sched

import "github.com/loadstone-hpc/loadstone/internal/heap"

// machine is a number of like processors and the jobs that hold some of them.
type machine struct {
	processors int64
	free       int64
	running    heap.Heap[occupant] // by their ends, at one end by their starts
	started    int64               // jobs started so far
}

// occupant is what the heap holds of a running job: little, because it moves.
type occupant struct {
	size int64
	slot int32
}

// place gives processors, which there must be, to the job in a slot, and
// returns its position among the starts.
func (m *machine) place(slot int32, size int64, end float64) int64 {
	seq := m.started
	m.free -= size
	m.running.Push(heap.Item[occupant]{At: end, Seq: seq, Value: occupant{size, slot}})
	m.started++
	return seq
}

// release ends the running job that is the first to end.
func (m *machine) release() occupant {
	top := m.running.Pop().Value
	m.free += top.size
	return top
}
