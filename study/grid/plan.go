package grid

// plan is the schedule that a cluster is expected to have, as far as a job
// behind all others needs it: under first come, first served that is when the
// last of them starts, and when processors become free from then on.
type plan struct {
	at   float64 // s, the last start
	free int64   // processors at that time
	ends endHeap // of the jobs that hold processors then
	next int64   // the number in the queue of the first job that is not placed
}

// earliest returns when a job of a size that the cluster can hold would start.
func (p *plan) earliest(now float64, size int64, scratch *endHeap) float64 {
	t := max(p.at, now)
	for len(p.ends) > 0 && p.ends[0].at <= t {
		p.free += int64(p.ends.pop().size)
	}
	if p.free >= size {
		return t
	}
	if first := p.ends[0]; p.free+int64(first.size) >= size {
		return first.at
	}
	*scratch = append((*scratch)[:0], p.ends...)
	for free := p.free; free < size; {
		e := scratch.pop()
		t, free = e.at, free+int64(e.size)
	}
	return t
}

// place enters a job as the last, at a start that earliest has returned.
func (p *plan) place(start float64, size int64, run float64) {
	own := freeing{start + run, uint32(size), 0}
	placed := false
	for len(p.ends) > 0 && p.ends[0].at <= start {
		p.free += int64(p.ends[0].size)
		if placed {
			p.ends.pop()
			continue
		}
		p.ends.replace(own) // in place of the first that ends
		placed = true
	}
	if !placed {
		p.ends.push(own)
	}
	p.at, p.free = start, p.free-size
}

// follow enters a job as the last, as soon as it can start: place at what
// earliest returns, in one go.
func (p *plan) follow(now float64, size int64, run float64) {
	t, free := max(p.at, now), p.free
	x := p.ends
	for len(x) > 0 && (x[0].at <= t || free < size) {
		e := x.pop()
		t, free = max(t, e.at), free+int64(e.size)
	}
	x.push(freeing{t + run, uint32(size), 0})
	p.at, p.free, p.ends = t, free-size, x
}

// freeing is processors that become free: 16 bytes, because heaps of them are
// most of what ECT does.
type freeing struct {
	at   float64
	size uint32 // as much as MaxProcessors
	slot int32  // of the job that holds them, where it runs
}

// endHeap has the first to become free on top. By hand, because the items of
// internal/heap are half as large again.
type endHeap []freeing

func (h *endHeap) push(f freeing) {
	x := append(*h, f)
	i := len(x) - 1
	for i > 0 && f.at < x[(i-1)/2].at {
		x[i] = x[(i-1)/2]
		i = (i - 1) / 2
	}
	x[i] = f
	*h = x
}

func (h *endHeap) pop() freeing {
	x := *h
	top, last := x[0], x[len(x)-1]
	*h = x[:len(x)-1]
	if len(*h) > 0 {
		h.replace(last)
	}
	return top
}

// replace puts another in place of the top.
func (h *endHeap) replace(f freeing) {
	x := *h
	i := 0
	for 2*i+1 < len(x) {
		c := 2*i + 1
		if c+1 < len(x) && x[c+1].at < x[c].at {
			c++
		}
		if f.at <= x[c].at {
			break
		}
		x[i] = x[c]
		i = c
	}
	x[i] = f
}
