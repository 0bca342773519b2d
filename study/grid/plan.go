package grid

import "github.com/loadstone-hpc/loadstone/internal/heap"

// plan is the schedule that a cluster is expected to have, as far as a job
// behind all others needs it: under first come, first served that is when the
// last of them starts, and when processors become free from then on.
type plan struct {
	at   float64           // s, the last start
	free int64             // processors at that time
	ends heap.Times[freed] // of the jobs that hold processors then
	next int64             // the number in the queue of the first job that is not placed
}

// earliest returns when a job of a size that the cluster can hold would start.
func (p *plan) earliest(now float64, size int64, scratch *heap.Times[freed]) float64 {
	t := max(p.at, now)
	for len(p.ends) > 0 && p.ends[0].At <= t {
		p.free += int64(p.ends.Pop().Value.size)
	}
	if p.free >= size {
		return t
	}
	if first := p.ends[0]; p.free+int64(first.Value.size) >= size {
		return first.At
	}
	*scratch = append((*scratch)[:0], p.ends...)
	for free := p.free; free < size; {
		e := scratch.Pop()
		t, free = e.At, free+int64(e.Value.size)
	}
	return t
}

// place enters a job as the last, at a start that earliest has returned.
func (p *plan) place(start float64, size int64, run float64) {
	own := heap.Time[freed]{At: start + run, Value: freed{size: uint32(size)}}
	placed := false
	for len(p.ends) > 0 && p.ends[0].At <= start {
		p.free += int64(p.ends[0].Value.size)
		if placed {
			p.ends.Pop()
			continue
		}
		p.ends.Replace(own) // in place of the first that ends
		placed = true
	}
	if !placed {
		p.ends.Push(own)
	}
	p.at, p.free = start, p.free-size
}

// follow enters a job as the last, as soon as it can start: place at what
// earliest returns, in one go.
func (p *plan) follow(now float64, size int64, run float64) {
	t, free := max(p.at, now), p.free
	x := p.ends
	for len(x) > 0 && (x[0].At <= t || free < size) {
		e := x.Pop()
		t, free = max(t, e.At), free+int64(e.Value.size)
	}
	x.Push(heap.Time[freed]{At: t + run, Value: freed{size: uint32(size)}})
	p.at, p.free, p.ends = t, free-size, x
}

// freed is processors that become free, in 8 bytes, because heaps of them are most of
// what ECT does.
type freed struct {
	size uint32 // as much as MaxProcessors
	key  int32  // of the job that holds them, where it runs
}
