package plan

import (
	"slices"
)

// extrapolate enters the starts of the jobs behind those that were simulated, and adds to the
// waits of requests the time that those jobs take.
//
// A job behind the simulated ones waits as long as a request like it, and for the work of the
// jobs between that ask for no more than it does, of processors and of time: where it
// could start, they can, and go first. As many processors as are busy now work it off.
// Their run times are the share of their time limits that those simulated use. Where jobs
// ask for the same, this is first come, first served.
func (d *drawing) extrapolate(w *waits, starts map[int64]queued) {
	if len(d.behind) == 0 {
		return
	}
	busy := float64(d.machine.held())
	if busy == 0 {
		busy = float64(d.processors)
	}
	share, mean := d.usual()
	work := newBacklog(&d.grid)
	cells := d.cells(w)
	for _, at := range d.behind {
		r := &d.machine.Queued[at]
		limit, size := d.grid.above(r)
		of := cells[d.grid.cell(limit, size)]
		s := queued{Forecast{of.Expected, slices.Clone(of.Bounds)}, at + 1, false}
		s.later(work.upTo(limit, size) / busy)
		starts[r.Row] = s
		run := mean
		if r.Time > 0 {
			run = r.Time * share
		}
		work.add(limit, size, run*float64(r.Size))
	}
	for l := range d.grid.limits {
		for i := range d.grid.sizes {
			more := work.upTo(l, i) / busy
			for _, table := range w.draws {
				table[d.grid.cell(l, i)] += more
			}
		}
	}
}

// later adds to all numbers.
func (f *Forecast) later(by float64) {
	f.Expected += by
	for i := range f.Bounds {
		f.Bounds[i] += by
	}
}

// usual returns the share of their time limits that the simulated jobs use, and their mean
// run time, s, both weighted by size.
func (d *drawing) usual() (share, mean float64) {
	used, asked, run, size := 0.0, 0.0, 0.0, 0.0
	first := len(d.machine.Running)
	for i, at := range d.planned {
		r := &d.machine.Queued[at]
		sum := 0.0
		for _, lengths := range d.lengths {
			sum += lengths[first+i]
		}
		sum *= float64(r.Size) / float64(d.draws)
		run, size = run+sum, size+float64(r.Size)
		if r.Time > 0 {
			used, asked = used+sum, asked+r.Time*float64(r.Size)
		}
	}
	share = 1
	if asked > 0 {
		share = used / asked
	}
	return share, run / max(size, 1)
}

// cells returns the expected waits of each cell of the grid and their bounds.
func (d *drawing) cells(w *waits) []Forecast {
	column := make([]float64, len(w.draws))
	out := make([]Forecast, len(w.draws[0]))
	for c := range out {
		for k, table := range w.draws {
			column[k] = table[c]
		}
		slices.Sort(column)
		out[c] = summary(column, d.options.Quantiles)
	}
	return out
}

// backlog is sums of work, processor seconds, by cell: a Fenwick tree in two dimensions.
type backlog struct {
	limits, sizes int
	sums          []float64
}

func newBacklog(g *grid) *backlog {
	return &backlog{len(g.limits), len(g.sizes), make([]float64, (len(g.limits)+1)*(len(g.sizes)+1))}
}

func (b *backlog) add(limit, size int, work float64) {
	for l := limit + 1; l <= b.limits; l += l & -l {
		for s := size + 1; s <= b.sizes; s += s & -s {
			b.sums[l*(b.sizes+1)+s] += work
		}
	}
}

// upTo returns the work of a cell and of those with smaller sizes and limits.
func (b *backlog) upTo(limit, size int) float64 {
	sum := 0.0
	for l := limit + 1; l > 0; l -= l & -l {
		for s := size + 1; s > 0; s -= s & -s {
			sum += b.sums[l*(b.sizes+1)+s]
		}
	}
	return sum
}
