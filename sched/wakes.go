package sched

import (
	"container/heap"
	"math"
)

// wakes says which of many machines is next to be looked at. A machine's entry
// counts only while its time is the machine's newest.
type wakes []wake

type wake struct {
	at   float64
	site int
}

func (w wakes) Len() int { return len(w) }
func (w wakes) Less(i, j int) bool {
	return w[i].at < w[j].at || (w[i].at == w[j].at && w[i].site < w[j].site)
}
func (w wakes) Swap(i, j int) { w[i], w[j] = w[j], w[i] }
func (w *wakes) Push(x any)   { *w = append(*w, x.(wake)) }
func (w *wakes) Pop() any {
	last := (*w)[len(*w)-1]
	*w = (*w)[:len(*w)-1]
	return last
}

// set enters when a machine is to be looked at.
func (w *wakes) set(m *site) {
	if at := m.due(); at != m.wake {
		m.wake = at
		if !math.IsInf(at, 1) {
			heap.Push(w, wake{at, m.index})
		}
	}
}

// first is the first time, infinite where there is none.
func (w *wakes) first(sites []*site) float64 {
	for len(*w) > 0 {
		if top := (*w)[0]; sites[top.site].wake == top.at {
			return top.at
		}
		heap.Pop(w)
	}
	return math.Inf(1)
}

// pop takes out the machine that is next; there is one.
func (w *wakes) pop() wake { return heap.Pop(w).(wake) }
