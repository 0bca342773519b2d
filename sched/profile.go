package sched

import (
	"math"
	"slices"
	"sort"
)

// profile is how many processors will be free from each of some times on, if
// all that is planned happens. The last step lasts for ever.
type profile struct {
	steps []step
}

type step struct {
	from float64
	free int64
}

// reset makes it a machine of which so many are free from now on.
func (p *profile) reset(now float64, free int64) {
	p.steps = append(p.steps[:0], step{now, free})
}

// at returns the step that holds a time, -1 before the first.
func (p *profile) at(t float64) int {
	return sort.Search(len(p.steps), func(i int) bool { return p.steps[i].from > t }) - 1
}

// trim forgets what is before now.
func (p *profile) trim(now float64) {
	if k := p.at(now); k > 0 {
		p.steps = slices.Delete(p.steps, 0, k)
	}
	if p.steps[0].from < now {
		p.steps[0].from = now
	}
}

// cut makes sure that a step begins at a time, which is not before the first,
// and returns it.
func (p *profile) cut(at float64) int {
	i := sort.Search(len(p.steps), func(i int) bool { return p.steps[i].from >= at })
	if i == len(p.steps) || p.steps[i].from > at {
		p.steps = slices.Insert(p.steps, i, step{at, p.steps[i-1].free})
	}
	return i
}

// add changes the number of free processors from one time to another.
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
	// Steps that no longer differ would pile up.
	if last < len(p.steps) && p.steps[last].free == p.steps[last-1].free {
		p.steps = slices.Delete(p.steps, last, last+1)
	}
	if first > 0 && p.steps[first].free == p.steps[first-1].free {
		p.steps = slices.Delete(p.steps, first, first+1)
	}
}

// earliest returns the first time from which so many processors are free for
// so long, not before from; a job without length too needs them at its instant.
// Between the times own and ownEnd they are taken to be free: that is where the job
// itself is planned. What is found at or after limit is not looked for: limit is
// returned.
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

// most returns the largest number of free processors from one time to another.
func (p *profile) most(from, to float64) int64 {
	i := max(0, p.at(from))
	most := int64(math.MinInt64)
	for ; i < len(p.steps) && p.steps[i].from < to; i++ {
		most = max(most, p.steps[i].free)
	}
	return most
}
