package generate

// merger holds the next submission of every class, the earliest on top: a
// binary heap. At one instant the class that the model names first comes
// first.
type merger struct {
	heap []pending
}

type pending struct {
	time  float64
	class int
	clock *clock
}

func (a pending) before(b pending) bool {
	return a.time < b.time || a.time == b.time && a.class < b.class
}

// newMerger draws the first submission of every class.
func newMerger(classes []class) *merger {
	m := &merger{}
	for i := range classes {
		c := classes[i].arrivals.start()
		m.heap = append(m.heap, pending{c.next(), i, c})
	}
	for i := len(m.heap)/2 - 1; i >= 0; i-- {
		m.sink(i)
	}
	return m
}

// group is the bag of the earliest submission.
func (m *merger) group() int64 { return m.heap[0].clock.group }

// first returns the earliest submission and its class.
func (m *merger) first() (time float64, class int) { return m.heap[0].time, m.heap[0].class }

// advance draws the next submission of the class on top.
func (m *merger) advance() {
	m.heap[0].time = m.heap[0].clock.next()
	m.sink(0)
}

func (m *merger) sink(i int) {
	for {
		child := 2*i + 1
		if child >= len(m.heap) {
			return
		}
		if child+1 < len(m.heap) && m.heap[child+1].before(m.heap[child]) {
			child++
		}
		if !m.heap[child].before(m.heap[i]) {
			return
		}
		m.heap[i], m.heap[child] = m.heap[child], m.heap[i]
		i = child
	}
}
