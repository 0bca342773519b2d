package sched

import (
	"math"

	"github.com/loadstone-hpc/loadstone/internal/heap"
)

// wakes says which of many machines is next to be looked at: by their numbers at
// one time. A machine's entry counts only while its time is the machine's newest.
type wakes struct{ heap heap.Heap[struct{}] }

// set enters when a machine is to be looked at.
func (w *wakes) set(m *State) {
	if at := m.due(); at != m.wake {
		m.wake = at
		if !math.IsInf(at, 1) {
			w.heap.Push(heap.Item[struct{}]{At: at, Seq: int64(m.index)})
		}
	}
}

// first is the first time, infinite where there is none.
func (w *wakes) first(machines []*State) float64 {
	for len(w.heap) > 0 {
		if top := w.heap[0]; machines[top.Seq].wake == top.At {
			return top.At
		}
		w.heap.Pop()
	}
	return math.Inf(1)
}

// pop takes out the machine that is next; there is one.
func (w *wakes) pop() int { return int(w.heap.Pop().Seq) }
