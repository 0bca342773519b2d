package grid

import "github.com/loadstone-hpc/loadstone/internal/slots"

// slotHeap is the jobs that run on a cluster, the first that is expected to end
// on top. Each job knows its place (held.running), so that its end can be moved.
type slotHeap struct{ heap endHeap }

func (h *slotHeap) push(jobs *slots.Table[held], f freeing) {
	h.heap = append(h.heap, f)
	h.up(jobs, len(h.heap)-1, f)
}

// move gives a job another end.
func (h *slotHeap) move(jobs *slots.Table[held], slot int32, at float64) {
	i := int(jobs.At(slot).running)
	f := h.heap[i]
	f.at = at
	h.put(jobs, i, f)
}

// remove takes a job out.
func (h *slotHeap) remove(jobs *slots.Table[held], slot int32) {
	i, last := int(jobs.At(slot).running), len(h.heap)-1
	f := h.heap[last]
	h.heap = h.heap[:last]
	if i < last {
		h.put(jobs, i, f)
	}
	jobs.At(slot).running = -1
}

// put brings a job to its place from a free one.
func (h *slotHeap) put(jobs *slots.Table[held], i int, f freeing) {
	if i > 0 && f.at < h.heap[(i-1)/2].at {
		h.up(jobs, i, f)
		return
	}
	x := h.heap
	for 2*i+1 < len(x) {
		c := 2*i + 1
		if c+1 < len(x) && x[c+1].at < x[c].at {
			c++
		}
		if f.at <= x[c].at {
			break
		}
		h.set(jobs, i, x[c])
		i = c
	}
	h.set(jobs, i, f)
}

func (h *slotHeap) up(jobs *slots.Table[held], i int, f freeing) {
	for i > 0 && f.at < h.heap[(i-1)/2].at {
		h.set(jobs, i, h.heap[(i-1)/2])
		i = (i - 1) / 2
	}
	h.set(jobs, i, f)
}

func (h *slotHeap) set(jobs *slots.Table[held], i int, f freeing) {
	h.heap[i] = f
	jobs.At(f.slot).running = int32(i)
}
