package plan

import (
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/sched"
	"github.com/loadstone-hpc/loadstone/workload"
)

// grid is the requests whose waits are simulated: sizes by time limits. The last limit is
// infinite: it stands for all longer ones, and for requests without a limit.
type grid struct {
	sizes  []int64   // ascending
	limits []float64 // s, ascending
}

// newGrid returns the grid of a machine, of which so many processors are free now: all sizes
// up to 16, eight for each doubling above, the machine, and the sizes on either side of what
// is free.
func newGrid(processors, free int64, limits []float64) grid {
	g := grid{limits: append(slices.Clone(limits), math.Inf(1))}
	add := func(n int64) {
		if n >= 1 && n <= processors {
			g.sizes = append(g.sizes, n)
		}
	}
	for n := int64(1); n < 16 && n <= processors; n++ {
		add(n)
	}
	for power := int64(16); power <= processors && power > 0; power *= 2 {
		for eighth := range int64(8) {
			add(power + power/8*eighth)
		}
	}
	add(processors)
	add(free)
	add(free + 1)
	slices.Sort(g.sizes)
	g.sizes = slices.Compact(g.sizes)
	return g
}

// cell returns the place of a cell in a table.
func (g *grid) cell(limit, size int) int { return limit*len(g.sizes) + size }

// above returns the cell of the least request that asks for as much and more. The size is
// not above the machine.
func (g *grid) above(r *workload.Request) (limit, size int) {
	size, _ = slices.BinarySearch(g.sizes, r.Size)
	limit = len(g.limits) - 1
	if r.Time > 0 {
		limit, _ = slices.BinarySearch(g.limits, r.Time)
	}
	return limit, size
}

// at returns what a table has at a request, interpolated in the logarithms of size and time
// limit. Limits below the first and above the last finite one are those of the next cell,
// which waits no shorter.
func (g *grid) at(table []float64, p *place) float64 {
	return between(
		between(table[g.cell(p.below, p.smaller)], table[g.cell(p.below, p.size)], p.ofSize),
		between(table[g.cell(p.limit, p.smaller)], table[g.cell(p.limit, p.size)], p.ofSize), p.ofLimit)
}

// place is where a request lies in a grid: the cells around it, and how near it is to the
// larger size and the longer limit, in [0, 1].
type place struct {
	limit, below, size, smaller int
	ofLimit, ofSize             float64
}

func (g *grid) place(r *workload.Request) place {
	p := place{ofLimit: 1, ofSize: 1}
	p.limit, p.size = g.above(r)
	p.below, p.smaller = max(0, p.limit-1), max(0, p.size-1)
	if p.size > 0 && g.sizes[p.size] != r.Size {
		p.ofSize = math.Log(float64(r.Size)/float64(g.sizes[p.smaller])) / math.Log(float64(g.sizes[p.size])/float64(g.sizes[p.smaller]))
	}
	if p.limit > 0 && p.limit < len(g.limits)-1 && g.limits[p.limit] != r.Time {
		p.ofLimit = math.Log(r.Time/g.limits[p.below]) / math.Log(g.limits[p.limit]/g.limits[p.below])
	}
	return p
}

// between returns what lies between a and b, which is not smaller, at a share x above 0 of
// the way: b itself at 1, and never less at a larger x.
func between(a, b, x float64) float64 {
	if x == 1 || a == b || math.IsInf(b, 1) {
		return b
	}
	return min(b, a+x*(b-a))
}

// answers observes a simulation and finds when each request of a grid would start at
// the end of its queue. Within a limit larger sizes do not start earlier.
type answers struct {
	grid  *grid
	next  []int // by limit: the first size without an answer
	open  int
	waits []float64 // by cell, s
}

var _ sched.Settler = (*answers)(nil)

func newAnswers(g *grid) *answers {
	n := len(g.sizes) * len(g.limits)
	return &answers{g, make([]int, len(g.limits)), n, make([]float64, n)}
}

func (a *answers) whole() bool { return a.open == 0 }

// Settled implements sched.Settler.
func (a *answers) Settled(s *sched.State) {
	o, ok := s.Opening()
	if !ok || o.Free == 0 || a.open == 0 {
		return
	}
	for l, limit := range a.grid.limits {
		i := a.next[l]
		for ; i < len(a.grid.sizes) && o.Starts(a.grid.sizes[i], s.Now()+limit); i++ {
			a.waits[a.grid.cell(l, i)] = s.Now()
			a.open--
		}
		a.next[l] = i
	}
}

// Blocked implements sched.Observer.
func (*answers) Blocked(*workload.Request, *sched.State) {}

// Started implements sched.Observer.
func (*answers) Started(sched.Task, *sched.State) {}
