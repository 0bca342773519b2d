package fit

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/internal/par"
)

// cellWalk draws samples of one law where they are rounded to cells, and
// killed at limits if there are any. It walks along the cells and asks of the
// jobs still running how many end in each: a binomial number of them, so that
// the counts of all cells together are multinomial. A sample costs what its
// cells cost, not what its jobs cost.
type cellWalk struct {
	law   dist.Law
	task  task
	x     []float64 // the value that stands for each cell, transformed
	steps []walkStep
	end   float64 // of the last cell, transformed
}

// walkStep is a part of a cell, in which a share of the jobs still running
// ends, or a limit, at which a share is killed. hazard is -ln(1-share).
type walkStep struct {
	cell          int
	killed        bool
	share, hazard float64
}

// seldom is the most that a walk leaves beyond its cells: a job there costs as
// much as ten that are drawn from the law one by one.
const seldom = 0.1

// newCellWalk returns the walk for samples of n jobs, or nil where the law
// itself is to be drawn from: there are no cells, or too many.
func (t task) newCellWalk(law dist.Law, n int, limits jobLimits) *cellWalk {
	o := t.options
	width := o.Resolution
	if !(width > 0) || n == 0 {
		return nil
	}
	top := o.Transform.Invert(dist.InverseSurvival(law, 1/float64(n)))
	top = min(top/width, mostCells)
	if len(limits.values) > 0 {
		top = max(top, limits.values[len(limits.values)-1]/width)
	}
	cells := t.drawnCells(top)
	if len(cells) == 0 || jobsPerCell*float64(len(cells)) > float64(n)*float64(o.Replicates) {
		return nil
	}
	w := &cellWalk{law: law, task: t, x: make([]float64, len(cells)), end: o.Transform.Apply(cells[len(cells)-1].hi)}
	// The ends of the steps, with a limit's value as an end more.
	ends, next := make([]float64, 0, len(cells)+len(limits.values)+1), 0
	ends = append(ends, cells[0].lo)
	for i, c := range cells {
		w.x[i] = o.Transform.Apply(c.middle)
		if next < len(limits.values) && limits.values[next] == c.value {
			at := limits.values[next]
			if at >= c.hi {
				at = c.lo // killed at the law's own limit
			}
			if at > c.lo {
				w.steps, ends = append(w.steps, walkStep{cell: i}), append(ends, at)
			}
			w.steps, ends = append(w.steps, walkStep{cell: i, killed: true, share: limits.shares[next]}), append(ends, max(at, c.lo))
			next++
		}
		w.steps, ends = append(w.steps, walkStep{cell: i}), append(ends, c.hi)
	}
	const chunk = 8192 // values for one worker at a time
	survival := make([]float64, len(ends))
	par.Each(o.Workers, (len(ends)+chunk-1)/chunk, func(part int) {
		for i := part * chunk; i < min((part+1)*chunk, len(ends)); i++ {
			survival[i] = law.Survival(o.Transform.Apply(ends[i]))
		}
	})
	if next < len(limits.values) || !(survival[0] > 0) || !(survival[len(ends)-1] <= seldom) {
		return nil
	}
	for i := range w.steps {
		s := &w.steps[i]
		if !s.killed {
			s.share = 1
			if from := survival[i]; from > 0 {
				s.share = max(0, (from-survival[i+1])/from)
			}
		}
		s.hazard = -math.Log1p(-s.share)
	}
	return w
}

// drawnCell is a cell that a job of the fit can lie in, of the attribute
// itself: its value, the part of it that the fit can use, and what stands for
// it.
type drawnCell struct{ value, lo, hi, middle float64 }

// drawnCells are those up to a number of widths, as the task would have them;
// none where there are more than mostCells.
func (t task) drawnCells(top float64) []drawnCell {
	o := t.options
	if !(top <= mostCells) {
		return nil
	}
	least := t.family.least(o.Transform)
	var cells []drawnCell
	for k := 0.0; k <= top+1; k++ {
		v := k * o.Resolution
		if o.Rounding == NoRounding {
			lo, hi := RoundedNearest.Cell(v, o.Resolution)
			if v > least {
				cells = append(cells, drawnCell{v, lo, hi, v})
			}
			continue
		}
		lo, hi := o.Rounding.Cell(v, o.Resolution)
		lo = max(lo, o.Transform.least())
		if o.Max > 0 {
			hi = min(hi, o.Max)
		}
		if lo < hi {
			cells = append(cells, drawnCell{v, lo, hi, (lo + hi) / 2})
		}
	}
	return cells
}

// binomialFrom is how many jobs are expected in a step from which on their
// number is drawn at once, and not job by job.
const binomialFrom = 8

// draw returns the transformed values of n jobs, ascending, with how many jobs
// have each and how many of these were killed.
func (w *cellWalk) draw(rng *rand.Rand, n int) (x, counts, killed []float64) {
	left := float64(n)
	// To the next job that ends or is killed, in hazard: the least of as many
	// exponential times as there are jobs. It has no memory, so that it may be
	// drawn anew wherever its number changes; none is drawn yet below 0.
	next := -1.0
	last := -1
	for _, s := range w.steps {
		if left == 0 {
			break
		}
		drawn := 0.0
		if left*s.share >= binomialFrom {
			drawn = distuv.Binomial{N: left, P: s.share, Src: rng}.Rand()
			left -= drawn
			next = -1
		} else if s.share > 0 {
			hazard := s.hazard
			for left > 0 {
				if next < 0 {
					next = rng.ExpFloat64() / left
				}
				if next > hazard {
					next -= hazard
					break
				}
				hazard -= next
				drawn, left, next = drawn+1, left-1, -1
			}
		}
		if drawn == 0 {
			continue
		}
		if s.cell != last {
			last = s.cell
			x, counts, killed = append(x, w.x[s.cell]), append(counts, 0), append(killed, 0)
		}
		counts[len(counts)-1] += drawn
		if s.killed {
			killed[len(killed)-1] += drawn
		}
	}
	if left == 0 {
		return x, counts, killed
	}
	beyond, more := w.beyond(rng, int(left))
	return append(x, beyond...), append(counts, more...), append(killed, make([]float64, len(more))...)
}

// beyond draws n jobs beyond the table, where there is no limit.
func (w *cellWalk) beyond(rng *rand.Rand, n int) (x, counts []float64) {
	table := cellTable{law: w.law}
	survival, from := w.law.Survival(w.end), w.end
	for left := n; left > 0; left-- {
		survival *= math.Exp(-rng.ExpFloat64() / float64(left)) // the largest of as many uniforms
		from = table.beyond(survival, from)
		at, ok := w.task.drawn(w.task.options.Transform.Invert(from))
		if !ok {
			break // too large for a number, and so are the rest
		}
		if len(x) == 0 || at > x[len(x)-1] {
			x, counts = append(x, at), append(counts, 0)
		}
		counts[len(counts)-1]++
	}
	return x, counts
}
