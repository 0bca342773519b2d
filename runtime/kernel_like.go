package runtime

import (
	"math"

	"github.com/loadstone-hpc/loadstone/workload"
)

// kernelMost is how many like jobs there can be.
const kernelMost = kernelOfKind + kernelOfUser

// kernelLike are the like jobs of one request. It is scratch memory.
type kernelLike struct {
	request *workload.Request
	asked   kernelJob
	n       int

	// By recency, those of the kind first.
	unlike [kernelMost]float64
	rank   [kernelMost]int
	of     [kernelMost]*kernelJob
	kind   int // how many are of the kind

	// By ascending run time.
	values  [kernelMost]float64
	inverse [kernelMost]float64
	at      [kernelMost]uint8 // place by recency
	weights [kernelWays][kernelMost]float64
	mixture [kernelMost]float64
}

func (l *kernelLike) reset(x *kernelJob, r *workload.Request) {
	l.asked, l.request, l.n, l.kind = *x, r, 0, 0
}

// add enters the jobs of the kind, nil for none, and the others.
func (l *kernelLike) add(kind, others *kernelHistory) {
	var kindAt [kernelOfKind]uint8
	var otherAt [kernelOfUser]uint8
	const left = math.MaxUint8
	var kindOrder []uint8
	if kind != nil {
		kindOrder = kind.order
		for i := range kind.jobs {
			at := kind.newest(i)
			l.enter(&kind.jobs[at], 0, i)
			kindAt[at] = uint8(i)
		}
		l.kind = l.n
	}
	for i := range others.jobs {
		at := others.newest(i)
		x := &others.jobs[at]
		unlike := l.asked.unlikeness(x)
		if kind != nil && unlike == 0 { // of the kind, and entered above
			otherAt[at] = left
			continue
		}
		otherAt[at] = uint8(l.n)
		l.enter(x, unlike, i)
	}
	most, ok := limit(l.request)
	if !ok {
		most = math.Inf(1)
	}
	n, i := 0, 0
	put := func(at uint8) {
		x := l.of[at]
		l.at[n] = at
		if x.run < most {
			l.values[n], l.inverse[n] = x.run, x.inverse
		} else {
			l.values[n], l.inverse[n] = most, 1/most
		}
		n++
	}
	for _, place := range others.order {
		at := otherAt[place]
		if at == left {
			continue
		}
		for i < len(kindOrder) && l.of[kindAt[kindOrder[i]]].run <= l.of[at].run {
			put(kindAt[kindOrder[i]])
			i++
		}
		put(at)
	}
	for ; i < len(kindOrder); i++ {
		put(kindAt[kindOrder[i]])
	}
}

func (l *kernelLike) enter(x *kernelJob, unlike float64, rank int) {
	l.of[l.n], l.unlike[l.n], l.rank[l.n] = x, unlike, rank
	l.n++
}
