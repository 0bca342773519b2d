package plan

import "slices"

// extrapolate enters the starts of the jobs behind those that were simulated, and adds to the
// waits of requests the time that those jobs take.
//
// A job behind the simulated ones waits as long as a request like it, once it has come so
// far: the jobs between them have started, on as many processors as are busy now. Their run
// times are the share of their time limits that those simulated use. It is what a scheduler
// does that looks at the first so many jobs; one that backfills from the whole queue
// starts small and short jobs earlier.
func (d *drawing) extrapolate(w *waits, starts map[int64]queued) {
	if len(d.behind) == 0 {
		return
	}
	busy := float64(d.machine.held())
	if busy == 0 {
		busy = float64(d.processors)
	}
	share, mean := d.usual()
	cells := d.cells(w)
	work := 0.0 // processor seconds, of those behind that go first
	for _, at := range d.behind {
		r := &d.machine.Queued[at]
		of := cells[d.grid.cell(d.grid.above(r))]
		s := queued{Forecast{of.Expected, slices.Clone(of.Bounds)}, at + 1, false}
		s.later(work / busy)
		starts[r.Row] = s
		run := mean
		if most, ok := limit(r); ok {
			run = most * share
		}
		work += run * float64(r.Size)
	}
	for _, table := range w.draws {
		for c := range table {
			table[c] += work / busy
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
		if most, ok := limit(r); ok {
			used, asked = used+sum, asked+most*float64(r.Size)
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
