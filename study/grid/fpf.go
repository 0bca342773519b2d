package grid

import "slices"

// FPF is fastest processor first: a job goes to the fastest of the clusters
// that have enough idle processors for it, the first of equals, and waits in
// the global queue as long as none has. All jobs of that queue are candidates
// at every instant, tried in the order of submission, so that a small job may
// start before a large one: section 5.1 says that the broker "considers all jobs
// in its queue as the eligible set". Sonmez and others (2009), section 5.2.
type FPF struct {
	// InOrder has only the first job of the global queue be a candidate. It is
	// not the paper's.
	InOrder bool
}

var _ Policy = FPF{}

// Name returns "fpf", and "fpf-in-order" where it is.
func (p FPF) Name() string {
	if p.InOrder {
		return "fpf-in-order"
	}
	return "fpf"
}

func (p FPF) broker(s *simulation) (broker, error) {
	return &fastestFirst{s: s, inOrder: p.InOrder}, nil
}

// fastestFirst keeps the global queue by size: of one size only the first job
// can be next.
type fastestFirst struct {
	s       *simulation
	inOrder bool
	sizes   []sizeQueue // ascending
}

type sizeQueue struct {
	size  int64
	slots fifo
}

func (b *fastestFirst) submit(slot int32) int {
	size := b.s.jobs.At(slot).size
	i, known := slices.BinarySearchFunc(b.sizes, size, func(q sizeQueue, size int64) int { return compare(q.size, size) })
	if !known {
		b.sizes = slices.Insert(b.sizes, i, sizeQueue{size: size})
	}
	b.sizes[i].slots.push(waiting{slot: slot, size: size})
	return hold
}

func (b *fastestFirst) release() (int32, int, bool) {
	most := int64(0)
	for i := range b.s.clusters {
		most = max(most, b.s.clusters[i].free)
	}
	first := -1
	for i := range b.sizes {
		q := &b.sizes[i]
		if q.size > most && !b.inOrder {
			break
		}
		if q.slots.len() > 0 && (first < 0 || b.s.jobs.At(q.slots.first()).number < b.s.jobs.At(b.sizes[first].slots.first()).number) {
			first = i
		}
	}
	if first < 0 || b.sizes[first].size > most {
		return 0, 0, false
	}
	best := -1
	for i := range b.s.clusters {
		c := &b.s.clusters[i]
		if c.free >= b.sizes[first].size && (best < 0 || c.Speed > b.s.clusters[best].Speed) {
			best = i
		}
	}
	return b.sizes[first].slots.pop(), best, true
}

func (b *fastestFirst) started(int32)  {}
func (b *fastestFirst) finished(int32) {}
