package sched

import (
	"math"
	"slices"
)

// leastNeeds is what the jobs of a chunk ask for at least, so that a scan steps over a
// chunk in which none can start.
type leastNeeds struct {
	known bool
	lanes uint64    // a bit for each lane that has a job; the last for all from 63 on
	least []amounts // by pool, of the jobs that could run there
}

func bitOf(lane int32) uint64 { return 1 << min(lane, 63) }

// wants returns a chunk's, found anew where the chunk has changed.
func (p *pools) wants(k *chunk) *leastNeeds {
	w := &k.wants
	if w.known {
		return w
	}
	w.known, w.lanes = true, 0
	if w.least == nil {
		w.least = make([]amounts, len(p.all))
	}
	for i := range w.least {
		for r := range w.least[i] {
			w.least[i][r] = math.MaxInt64
		}
	}
	for i := k.head; i < k.end; i++ {
		j := &p.jobs[k.entries[i].slot]
		w.lanes |= bitOf(j.lane)
		for o := range j.options {
			least := &w.least[j.options[o].pool]
			for r, n := range j.options[o].take {
				least[r] = min(least[r], n)
			}
		}
	}
	return w
}

// open returns a bit for each lane of whose pools none is closed.
func (p *pools) open(closed []bool) (lanes uint64) {
	for n, pools := range p.lanes {
		if !slices.ContainsFunc(pools, func(i int32) bool { return closed[i] }) {
			lanes |= bitOf(int32(n))
		}
	}
	return lanes
}

// scan remembers how far a queue was looked through: as long as no job ends, what
// did not start cannot: time and starts only take away what is free.
type scan struct {
	valid bool
	at    Place  // entries before it need not be looked at
	took  bool   // a job was taken from there
	lanes uint64 // whose jobs may start, or hold up others
}

// begin goes on with a scan. It is true where it begins anew.
func (x *scan) begin(q *queue) bool {
	switch {
	case !x.valid:
		*x = scan{valid: true, at: q.first()}
		return true
	case x.took:
		x.at, x.took = q.after, false
	}
	return false
}

// look goes on to the next job that starts, past chunks in which none does, but for
// the first: it changes most. It stops where more says so.
func (x *scan) look(q *queue, more func() bool, passes func(*chunk) bool, starts func(*entry) bool) (Place, bool) {
	c, ok := q.settle(x.at)
	for first := c.chunk; ok && more(); {
		k := q.chunks[c.chunk]
		if c.i == k.head && c.chunk > first && passes(k) {
			c, ok = q.settle(Place{c.chunk, k.end})
			continue
		}
		if starts(q.at(c)) {
			x.at, x.took = c, true
			return c, true
		}
		c, ok = q.settle(c.next())
	}
	x.at = c
	return Place{}, false
}
