package sched

import (
	"math"
	"slices"
	"sort"
)

// profile holds the planned free amount of a resource as a step function of time.
// The last step has no end.
type profile struct {
	steps []step // in order of time, at least one
}

type step struct {
	from float64
	free int64
}

// reset sets the free amount from now on.
func (p *profile) reset(now float64, free int64) {
	p.steps = append(p.steps[:0], step{now, free})
}

// at returns the index of the step that contains time t, or -1 if t is before the first.
func (p *profile) at(t float64) int {
	return sort.Search(len(p.steps), func(i int) bool { return p.steps[i].from > t }) - 1
}

// trim removes everything before now.
func (p *profile) trim(now float64) {
	if k := p.at(now); k > 0 {
		p.steps = slices.Delete(p.steps, 0, k)
	}
	if p.steps[0].from < now {
		p.steps[0].from = now
	}
}

// cut makes a step begin at the given time, which must not be before the first step,
// and returns its index.
func (p *profile) cut(at float64) int {
	i := sort.Search(len(p.steps), func(i int) bool { return p.steps[i].from >= at })
	if i == len(p.steps) || p.steps[i].from > at {
		p.steps = slices.Insert(p.steps, i, step{at, p.steps[i-1].free})
	}
	return i
}

// add adds size to the free amount between two times.
func (p *profile) add(from, to float64, size int64) {
	if !(from < to) {
		return
	}
	first := p.cut(from)
	last := len(p.steps)
	if !math.IsInf(to, 1) {
		last = p.cut(to)
	}
	for i := first; i < last; i++ {
		p.steps[i].free += size
	}
	// Merge steps that have become equal, or they would accumulate.
	if last < len(p.steps) && p.steps[last].free == p.steps[last-1].free {
		p.steps = slices.Delete(p.steps, last, last+1)
	}
	if first > 0 && p.steps[first].free == p.steps[first-1].free {
		p.steps = slices.Delete(p.steps, first, first+1)
	}
}

// earliest returns the first time, not before from, from which size is free for the
// given length; a job of length 0 needs it at that instant too. Between own and ownEnd,
// the job's own reservation, it is assumed to be free. If that time is limit or later,
// earliest may return limit instead.
func (p *profile) earliest(size int64, from, length, own, ownEnd, limit float64) float64 {
	start, fits := 0.0, false
	i := 0
	if from > p.steps[0].from {
		i = p.at(from)
	}
	for ; i < len(p.steps); i++ {
		s := &p.steps[i]
		if fits && s.from >= start+length {
			return start
		}
		if s.free >= size || (s.from >= own && s.from < ownEnd) {
			if !fits {
				start, fits = max(s.from, from), true
			}
		} else {
			fits = false
		}
		if s.from >= limit && (!fits || start >= limit) {
			return limit
		}
	}
	if !fits {
		return math.Inf(1)
	}
	return start
}

// most returns the largest free amount between two times.
func (p *profile) most(from, to float64) int64 {
	i := max(0, p.at(from))
	most := int64(math.MinInt64)
	for ; i < len(p.steps) && p.steps[i].from < to; i++ {
		most = max(most, p.steps[i].free)
	}
	return most
}
