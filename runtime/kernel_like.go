package runtime

import (
	"math"

	"github.com/loadstone-hpc/loadstone/workload"
)

// kernelMost is how many like jobs there can be.
const kernelMost = 2*kernelOfKind + kernelOfUser

// kernelLike are the like jobs of one request. It is scratch memory.
type kernelLike struct {
	request *workload.Request
	asked   kernelJob
	pool    *askedPool
	n       int

	// By recency, those of the kind first, then of the class.
	unlike [kernelMost]float64
	rank   [kernelMost]int
	of     [kernelMost]*kernelJob
	close  int // how many are of the kind or the class

	// By ascending run time.
	values  [kernelMost]float64
	inverse [kernelMost]float64
	at      [kernelMost]uint8 // place by recency
	weights [kernelWays][kernelMost]float64
	mixture [kernelMost]float64
}

func (l *kernelLike) reset(x *kernelJob, r *workload.Request, pool *askedPool) {
	l.asked, l.pool, l.request, l.n, l.close = *x, pool, r, 0, 0
}

// add enters the jobs of the kind and of the class, nil for none, and the others. A job
// is entered once.
func (l *kernelLike) add(kind, class, others *kernelHistory) {
	var lists [3]kernelList
	if kind != nil {
		lists[0].jobs = kind
		for i := range kind.jobs {
			at := kind.newest(i)
			lists[0].at[at] = l.enter(&kind.jobs[at], 0, i)
		}
	}
	if class != nil {
		lists[1].jobs = class
		for i := range class.jobs {
			at := class.newest(i)
			x := &class.jobs[at]
			if kind != nil && x.kind == l.asked.kind {
				lists[1].at[at] = kernelElsewhere
				continue
			}
			lists[1].at[at] = l.enter(x, l.asked.unlikeness(x, l.pool), i)
		}
	}
	l.close = l.n
	lists[2].jobs = others
	mine := l.asked.kind.class()
	for i := range others.jobs {
		at := others.newest(i)
		x := &others.jobs[at]
		if class != nil && x.kind.class() == mine {
			lists[2].at[at] = kernelElsewhere
			continue
		}
		lists[2].at[at] = l.enter(x, l.asked.unlikeness(x, l.pool), i)
	}
	l.merge(&lists)
}

func (l *kernelLike) enter(x *kernelJob, unlike float64, rank int) uint8 {
	l.of[l.n], l.unlike[l.n], l.rank[l.n] = x, unlike, rank
	l.n++
	return uint8(l.n - 1)
}

// kernelList is a history that like jobs come from.
type kernelList struct {
	jobs *kernelHistory      // nil for none
	at   [kernelOfUser]uint8 // where each place went, or kernelElsewhere
	next int                 // of jobs.order
}

const kernelElsewhere = math.MaxUint8

// peek returns where the next job by run time went; false at the end.
func (l *kernelList) peek() (uint8, bool) {
	if l.jobs == nil {
		return 0, false
	}
	for ; l.next < len(l.jobs.order); l.next++ {
		if at := l.at[l.jobs.order[l.next]]; at != kernelElsewhere {
			return at, true
		}
	}
	return 0, false
}

// merge puts the jobs of three lists in the order of their run times.
func (l *kernelLike) merge(lists *[3]kernelList) {
	most, ok := limit(l.request)
	if !ok {
		most = math.Inf(1)
	}
	var heads [3]uint8
	var runs [3]float64
	peek := func(i int) {
		at, ok := lists[i].peek()
		heads[i], runs[i] = at, math.Inf(1)
		if ok {
			runs[i] = l.of[at].run
		}
	}
	for i := range lists {
		peek(i)
	}
	for n := range l.n {
		first := 0
		for i := 1; i < len(runs); i++ {
			if runs[i] < runs[first] {
				first = i
			}
		}
		x := l.of[heads[first]]
		l.at[n] = heads[first]
		if x.run < most {
			l.values[n], l.inverse[n] = x.run, x.inverse
		} else {
			l.values[n], l.inverse[n] = most, 1/most
		}
		lists[first].next++
		peek(first)
	}
}
