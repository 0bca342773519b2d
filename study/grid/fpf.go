package grid

import (
	"cmp"
	"slices"

	"github.com/loadstone-hpc/loadstone/sched"
)

// FPF is fastest processor first: a job goes to the fastest of the clusters
// that have enough idle processors for it, the first of equals, and waits in
// the global queue as long as none has. All jobs of that queue are candidates
// at every instant, tried in the order of submission, so that a small job may
// start before a large one: section 5.1 says that the broker "considers all jobs
// in its queue as the eligible set". Sonmez and others (2009), section 5.2.
type FPF struct {
	// InOrder makes only the first job of the global queue a candidate. It is
	// not from the paper.
	InOrder bool
}

var _ Policy = FPF{}

// Name returns "fpf", or "fpf-in-order" if InOrder is set.
func (p FPF) Name() string {
	if p.InOrder {
		return "fpf-in-order"
	}
	return "fpf"
}

// Broker implements Policy.
func (p FPF) Broker(g *Grid) (sched.Broker, error) {
	return &fastestFirst{clusters: g.Clusters, inOrder: p.InOrder}, nil
}

// fastestFirst keeps the global queue by size: of one size only the first job
// can be next.
type fastestFirst struct {
	sched.Sender
	clusters []Cluster
	inOrder  bool
	sizes    []sizeQueue // ascending
}

type sizeQueue struct {
	size int64
	jobs fifo[heldBack]
}

type heldBack struct {
	key    int32
	number int64 // of its submission
}

func (b *fastestFirst) Submit(t sched.Task, _ []*sched.State) int {
	size := t.Request.Size
	i, known := slices.BinarySearchFunc(b.sizes, size, func(q sizeQueue, size int64) int { return cmp.Compare(q.size, size) })
	if !known {
		b.sizes = slices.Insert(b.sizes, i, sizeQueue{size: size})
	}
	b.sizes[i].jobs.push(heldBack{t.Key, t.Number})
	return sched.Hold
}

func (b *fastestFirst) Release(clusters []*sched.State) (int32, int, bool) {
	most := int64(0)
	for _, c := range clusters {
		most = max(most, c.Free())
	}
	first := -1
	for i := range b.sizes {
		q := &b.sizes[i]
		if q.size > most && !b.inOrder {
			break
		}
		if q.jobs.len() > 0 && (first < 0 || q.jobs.first().number < b.sizes[first].jobs.first().number) {
			first = i
		}
	}
	if first < 0 || b.sizes[first].size > most {
		return 0, 0, false
	}
	best := -1
	for i, c := range clusters {
		if c.Free() >= b.sizes[first].size && (best < 0 || b.clusters[i].Speed > b.clusters[best].Speed) {
			best = i
		}
	}
	return b.sizes[first].jobs.pop().key, best, true
}
