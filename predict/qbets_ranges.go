package predict

import (
	"cmp"
	"math"
	"slices"
)

// qbetsRange is the jobs with a value above one number and up to another.
type qbetsRange struct {
	above, top float64
	alone      bool // no neighbour's waits are among its own
	waits      *bmbpGroup
}

// same says whether two ranges learn from the same jobs.
func (r *qbetsRange) same(o qbetsRange) bool {
	return r.alone && o.alone && r.above == o.above && r.top == o.top
}

// divide makes the ranges anew, and replays what is kept through those that were
// not there before.
func (q *QBETS) divide(g *qbetsGroup) {
	kept := g.past[max(0, len(g.past)-q.kept):]
	g.sorted = mergeByWait(g.sorted, kept[max(0, len(kept)-qbetsEvery):], kept[0].seq)
	tops := divideByWait(g.sorted)
	counts := make([]int, len(tops)+1)
	for _, w := range kept {
		i, _ := slices.BinarySearch(tops, w.value)
		counts[i]++
	}
	edges := slices.Concat([]float64{math.Inf(-1)}, tops, []float64{math.Inf(1)})
	ranges := make([]qbetsRange, len(counts))
	for i := range ranges {
		first, last := withEnough(counts, i, q.bmbp.minimum)
		r := qbetsRange{above: edges[i], top: edges[i+1], alone: first == last}
		if at := slices.IndexFunc(g.ranges, r.same); at >= 0 {
			r.waits = g.ranges[at].waits
		} else {
			r.waits = q.replay(kept, edges[first], edges[last+1])
		}
		ranges[i] = r
	}
	g.tops, g.ranges = tops, ranges
}

// withEnough returns the first and the last of the ranges that range i learns
// from: as many as make the minimum of waits, as far as there are some.
func withEnough(counts []int, i, minimum int) (first, last int) {
	first, last = i, i
	n := counts[i]
	for n < minimum && last+1 < len(counts) {
		last++
		n += counts[last]
	}
	for n < minimum && first > 0 {
		first--
		n += counts[first]
	}
	return first, last
}

// replay returns a fresh BMBP that has met the waits of the jobs with a value
// above one number and up to another.
func (q *QBETS) replay(waits []qbetsWait, above, top float64) *bmbpGroup {
	g := q.bmbp.groups.fresh()
	for _, w := range waits {
		if w.value > above && w.value <= top {
			b, _ := q.bmbp.bound(g, "")
			q.bmbp.learn(g, w.wait, b.Seconds)
		}
	}
	return g
}

// mergeByWait returns the old and the new waits by their length, without those
// before the first that is kept.
func mergeByWait(old, more []qbetsWait, first int) []qbetsWait {
	more = slices.Clone(more)
	slices.SortFunc(more, func(a, b qbetsWait) int { return cmp.Compare(a.wait, b.wait) })
	out := make([]qbetsWait, 0, len(old)+len(more))
	for _, w := range old {
		if w.seq < first {
			continue
		}
		for len(more) > 0 && more[0].wait < w.wait {
			out, more = append(out, more[0]), more[1:]
		}
		out = append(out, w)
	}
	return append(out, more...)
}
