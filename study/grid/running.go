package grid

import "github.com/loadstone-hpc/loadstone/internal/heap"

// runningHeap is the jobs that run on a cluster, the first that is expected to end
// on top. Each job knows its place (ectJob.running), so that its end can be moved.
type runningHeap struct{ heap.Times[freed] }

func (h *runningHeap) push(jobs *ectJobs, at float64, x freed) {
	f := heap.Time[freed]{At: at, Value: x}
	h.Times = append(h.Times, f)
	h.up(jobs, len(h.Times)-1, f)
}

// move gives a job another end.
func (h *runningHeap) move(jobs *ectJobs, key int32, at float64) {
	i := int(jobs.at(key).running)
	f := h.Times[i]
	f.At = at
	h.put(jobs, i, f)
}

// remove takes a job out.
func (h *runningHeap) remove(jobs *ectJobs, key int32) {
	i, last := int(jobs.at(key).running), len(h.Times)-1
	f := h.Times[last]
	h.Times = h.Times[:last]
	if i < last {
		h.put(jobs, i, f)
	}
	jobs.at(key).running = -1
}

// put brings a job to its place from a free one.
func (h *runningHeap) put(jobs *ectJobs, i int, f heap.Time[freed]) {
	if i > 0 && f.At < h.Times[(i-1)/2].At {
		h.up(jobs, i, f)
		return
	}
	x := h.Times
	for 2*i+1 < len(x) {
		c := 2*i + 1
		if c+1 < len(x) && x[c+1].At < x[c].At {
			c++
		}
		if f.At <= x[c].At {
			break
		}
		h.set(jobs, i, x[c])
		i = c
	}
	h.set(jobs, i, f)
}

func (h *runningHeap) up(jobs *ectJobs, i int, f heap.Time[freed]) {
	for i > 0 && f.At < h.Times[(i-1)/2].At {
		h.set(jobs, i, h.Times[(i-1)/2])
		i = (i - 1) / 2
	}
	h.set(jobs, i, f)
}

func (h *runningHeap) set(jobs *ectJobs, i int, f heap.Time[freed]) {
	h.Times[i] = f
	jobs.at(f.Value.key).running = int32(i)
}
