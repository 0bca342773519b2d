package sched

import "math"

// poolPlan is the plan of a Cluster: a profile for each resource of each pool.
type poolPlan struct {
	pools *pools
	of    [][numResources]profile // by pool
	high  []amounts               // by pool: the most that is free, as most found
}

var _ plan = (*poolPlan)(nil)

func newPoolPlan(p *pools) *poolPlan {
	return &poolPlan{p, make([][numResources]profile, len(p.all)), make([]amounts, len(p.all))}
}

// each calls f with the profiles.
func (p *poolPlan) each(f func(pool int, r Resource, x *profile)) {
	for i := range p.of {
		for _, r := range p.pools.planned {
			f(i, r, &p.of[i][r])
		}
	}
}

func (p *poolPlan) reset(_ *machine, now float64) {
	p.each(func(i int, r Resource, x *profile) {
		capacity := p.pools.cluster.capacity(i)
		x.reset(now, capacity[r])
	})
}

func (p *poolPlan) trim(now float64) {
	p.each(func(_ int, _ Resource, x *profile) { x.trim(now) })
}

func (p *poolPlan) most(from, to float64) (most int64) {
	p.each(func(i int, r Resource, x *profile) { p.high[i][r] = x.most(from, to) })
	for i := range p.high {
		if p.pools.cluster.WholeNodes {
			p.high[i] = p.pools.cluster.Pools[i].nodes(p.high[i][Nodes])
		}
		most = max(most, p.high[i][Processors])
	}
	return most
}

// hopeless says whether a job asks for more than was ever free when most was asked
// last.
func (p *poolPlan) hopeless(options []option) bool {
	for i := range options {
		if p.high[options[i].pool].covers(&options[i].take) {
			return false
		}
	}
	return true
}

func (p *poolPlan) earliest(e *entry, length, limit float64) (at float64, pool int32) {
	at = limit
	options := p.pools.jobs[e.slot].options
	if !math.IsInf(e.reserved, 1) && p.hopeless(options) {
		return limit, 0
	}
	for i := range options {
		own := math.Inf(1)
		if int32(i) == e.pool {
			own = e.reserved
		}
		if t := p.earliestIn(&options[i], length, own, at); t < at {
			at, pool = t, int32(i)
		}
	}
	return at, pool
}

// earliestIn goes from resource to resource until each has enough from the same
// time on: none has before the time that any of them gives.
func (p *poolPlan) earliestIn(o *option, length, own, limit float64) float64 {
	at := p.of[o.pool][p.pools.planned[0]].steps[0].from // now
	for moved := true; moved && at < limit; {
		moved = false
		for _, r := range p.pools.planned {
			n := o.take[r]
			if n == 0 {
				continue
			}
			if t := p.of[o.pool][r].earliest(n, at, length, own, own+length, limit); t > at {
				at, moved = t, true
			}
		}
	}
	return at
}

func (p *poolPlan) take(h holding, from, to float64) { p.add(h, from, to, -1) }
func (p *poolPlan) give(h holding, from, to float64) { p.add(h, from, to, 1) }

func (p *poolPlan) add(h holding, from, to float64, sign int64) {
	o := &p.pools.jobs[h.slot].options[h.pool]
	for _, r := range p.pools.planned {
		if n := o.take[r]; n > 0 {
			p.of[o.pool][r].add(from, to, sign*n)
		}
	}
}
