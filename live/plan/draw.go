package plan

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/internal/par"
	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/workload"
)

// drawing is the schedules of one machine.
type drawing struct {
	*Planner
	machine    *Machine
	draws      int
	processors int64
	planned    []int       // positions of the queued jobs that are simulated
	behind     []int       // and of those that are not
	lengths    [][]float64 // by draw: of the running jobs and those planned, s
	grid       grid
	starts     [][]float64 // by draw: of those planned, s from now
}

// run simulates the schedules and enters the expected starts of the queued jobs.
func (d *drawing) run(ctx context.Context, starts map[int64]queued) (*waits, error) {
	m := d.machine
	d.processors = max(m.Processors, m.held())
	queue := m.queue()
	depth := min(len(queue), d.options.depth(m))
	d.planned, d.behind = queue[:depth], queue[depth:]
	if err := d.draw(ctx); err != nil {
		return nil, err
	}
	d.grid = newGrid(d.processors, d.processors-m.held(), d.options.Limits)
	d.starts = make([][]float64, d.draws)
	table := make([][]float64, d.draws)
	faults := make([]error, d.draws)
	par.Each(d.options.Workers, d.draws, func(k int) {
		if faults[k] = ctx.Err(); faults[k] == nil {
			d.starts[k], table[k], faults[k] = d.schedule(d.lengths[k])
		}
	})
	for _, err := range faults {
		if err != nil {
			return nil, err
		}
	}
	w := &waits{grid: d.grid, draws: table}
	d.settle(starts)
	d.extrapolate(w, starts)
	return w, nil
}

// draw draws the lengths.
func (d *drawing) draw(ctx context.Context) error {
	m := d.machine
	n := len(m.Running) + len(d.planned)
	d.lengths = make([][]float64, d.draws)
	for k := range d.lengths {
		d.lengths[k] = make([]float64, n)
	}
	column := make([]float64, d.draws)
	for i := range n {
		if i%256 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if i < len(m.Running) {
			d.Planner.lengths(m.Running[i].Request, m.Running[i].Age, column)
		} else {
			d.Planner.lengths(&m.Queued[d.planned[i-len(m.Running)]], 0, column)
		}
		for k, x := range column {
			d.lengths[k][i] = x
		}
	}
	return nil
}

// schedule simulates one schedule, in which the running and the planned jobs run on for
// so long, and returns the starts of the planned jobs and the waits of the grid, in seconds.
func (d *drawing) schedule(lengths []float64) (starts, table []float64, err error) {
	m := d.machine.Snapshot
	m.Processors = d.processors
	starts = slices.Repeat([]float64{math.Inf(1)}, len(d.planned))
	answers := newAnswers(&d.grid)
	if len(lengths) == 0 {
		return starts, answers.waits, nil // an idle machine: nothing happens
	}
	var queue []*workload.Request
	for _, at := range d.planned {
		queue = append(queue, &m.Queued[at])
	}
	err = m.Schedule(d.options.Policy, queue, lengths, 0, answers, func(i int, wait float64) bool {
		starts[i] = wait
		return true
	})
	switch left := slices.Index(starts, math.Inf(1)); {
	case err != nil:
		return nil, nil, err
	case left >= 0 || !answers.whole():
		return nil, nil, fmt.Errorf("queued jobs and %d requests never start under policy %s", answers.open, d.options.Policy.Name())
	}
	for _, list := range [][]float64{starts, answers.waits} {
		for i, x := range list {
			if x >= predict.Longest {
				list[i] = math.Inf(1)
			}
		}
	}
	return starts, answers.waits, nil
}

// settle enters the starts of the planned jobs.
func (d *drawing) settle(to map[int64]queued) {
	column := make([]float64, d.draws)
	for i, at := range d.planned {
		for k := range column {
			column[k] = d.starts[k][i]
		}
		slices.Sort(column)
		to[d.machine.Queued[at].Row] = queued{summary(column, d.options.Quantiles), at + 1, true}
	}
}
