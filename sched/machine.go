package sched

// machine is a number of like processors and the jobs that hold some of them.
type machine struct {
	processors int64
	free       int64
	running    []occupant // binary heap, the first to end on top
	started    int64      // jobs started so far
}

// occupant is what the heap holds of a running job: little, because it moves.
type occupant struct {
	end  float64
	seq  int64 // position among the starts; ties in end go by it
	size int64
	slot int32
}

func (a *occupant) before(b *occupant) bool {
	return a.end < b.end || (a.end == b.end && a.seq < b.seq)
}

// place gives processors, which there must be, to the job in a slot, and
// returns its position among the starts.
func (m *machine) place(slot int32, size int64, end float64) int64 {
	seq := m.started
	m.free -= size
	m.push(occupant{end, seq, size, slot})
	m.started++
	return seq
}

// release ends the running job that is the first to end.
func (m *machine) release() occupant {
	top := m.pop()
	m.free += top.size
	return top
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
