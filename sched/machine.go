package sched

import "github.com/loadstone-hpc/loadstone/workload"

// machine is a number of like processors and the jobs that hold some of them.
type machine struct {
	processors int64
	free       int64
	running    []occupant // binary heap, the first to end on top
	started    int64      // jobs started so far
	placed     []placed   // by slot
	vacant     []int32    // slots to use again
}

// occupant is what the heap holds of a running job: little, because it moves.
type occupant struct {
	end  float64
	seq  int64 // position among the starts; ties in end go by it
	size int64
	slot int32
}

// placed is what the state shows of a running job.
type placed struct {
	request workload.Request
	start   float64
}

func (a *occupant) before(b *occupant) bool {
	return a.end < b.end || (a.end == b.end && a.seq < b.seq)
}

// place gives processors to a job, which there must be, and returns the
// request as the machine holds it.
func (m *machine) place(r *workload.Request, start, end float64) *workload.Request {
	slot := int32(len(m.placed))
	if n := len(m.vacant); n > 0 {
		slot = m.vacant[n-1]
		m.vacant = m.vacant[:n-1]
		m.placed[slot] = placed{*r, start}
	} else {
		m.placed = append(m.placed, placed{*r, start})
	}
	m.free -= r.Size
	m.push(occupant{end, m.started, r.Size, slot})
	m.started++
	return &m.placed[slot].request
}

// release ends the running job that is the first to end.
func (m *machine) release() {
	top := m.pop()
	m.free += top.size
	m.vacant = append(m.vacant, top.slot)
}

// push and pop are a heap by hand: container/heap's interface calls would be
// a third of the simulation.
func (m *machine) push(o occupant) {
	m.running = append(m.running, o)
	h := m.running
	i := len(h) - 1
	for i > 0 {
		parent := (i - 1) / 2
		if !o.before(&h[parent]) {
			break
		}
		h[i] = h[parent]
		i = parent
	}
	h[i] = o
}

func (m *machine) pop() occupant {
	h := m.running
	top, last := h[0], h[len(h)-1]
	h = h[:len(h)-1]
	m.running = h
	if len(h) == 0 {
		return top
	}
	i := 0
	for {
		child := 2*i + 1
		if child >= len(h) {
			break
		}
		if child+1 < len(h) && h[child+1].before(&h[child]) {
			child++
		}
		if !h[child].before(&last) {
			break
		}
		h[i] = h[child]
		i = child
	}
	h[i] = last
	return top
}
