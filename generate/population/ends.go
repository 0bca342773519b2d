package population

import (
	"math"
	"math/rand/v2"

	"github.com/loadstone-hpc/loadstone/model/population"
)

// estimateOf is the estimate of a template; 0 for none.
func (w *Workload) estimateOf(t *template) float64 {
	return w.m.Estimates.Values[int(t.asks[population.AsksTime])]
}

// lifts is the share of an estimate from which on jobs of a template that reaches it
// do.
const lifts = .5

// lift ends the jobs of templates that reach their estimates.
func (w *Workload) lift(x *person, rng *rand.Rand) {
	e := &w.m.Estimates
	for i := range x.jobs {
		j := &x.jobs[i]
		t := &x.templates[j.template]
		v := w.estimateOf(t)
		if !t.reached || !(v > 0) || j.run < lifts*v {
			continue
		}
		j.reached = true
		j.run = v
		if u := rng.Float64(); u < e.Early {
			j.run -= math.Floor((1 - population.ReachedFrom) * j.run * rng.Float64())
		} else if e.Late.P != nil {
			j.run = math.Floor(math.Min(population.ReachedTo*j.run+60, j.run+e.Late.At(rng.Float64())))
		}
	}
}

// finish gives a user's jobs run times that have the law together with those that
// reached their estimates, and a status.
func (w *Workload) finish(x *person, maps []runMap, rng *rand.Rand) {
	s := &w.m.Statuses
	before, common := int32(none), 0.0
	for i := range x.jobs {
		j := &x.jobs[i]
		if maps != nil && !j.reached {
			run := maps[x.templates[j.template].class].at(j.run)
			if j.run = w.below(x, j, run); j.run < run { // not all at one place
				j.run = math.Floor(j.run * (1 - lifts*rng.Float64()))
			}
		}
		if s.Values == nil {
			continue
		}
		if j.template != before || rng.Float64() >= s.Again {
			before, common = j.template, rng.Float64()
		}
		shares := s.Reached
		if !j.reached || shares == nil {
			shares = s.Classes[population.Find(s.Classes, j.run)].Shares
		}
		u := common * sum(shares)
		for k, share := range shares {
			if j.status = uint8(k); u < share {
				break
			}
			u -= share
		}
	}
}

// below is a run time that does not reach the job's estimate.
func (w *Workload) below(x *person, j *job, run float64) float64 {
	t := &x.templates[j.template]
	if !w.asks[population.AsksTime] || t.ignores {
		return run
	}
	if v := w.estimateOf(t); v > 0 && run >= .99*v {
		return math.Max(0, math.Floor(.99*v)-1)
	}
	return run
}

// Cells of run times, by their logarithm.
const (
	cellsPerLn = 200
	runCells   = 25 * cellsPerLn
)

func runCell(run float64) int {
	return int(math.Min(runCells-1, cellsPerLn*math.Log1p(run)))
}

// runMap maps run times to run times, by rank: from cell to cell.
type runMap []float64 // the cell, with its part, at the lower edge of each

func (m runMap) at(run float64) float64 {
	at := math.Min(runCells, cellsPerLn*math.Log1p(run))
	return math.Round(math.Expm1(between(m, at) / cellsPerLn))
}

// byRunCell are the shares of a law's run times by cell.
func byRunCell(law *sampler) []float64 {
	out := make([]float64, runCells)
	const n = 1 << 14
	for i := range n {
		out[runCell(law.at((float64(i)+.5)/n))] += 1. / n
	}
	return out
}

// restore finds how the run times of jobs that did not reach their estimates are to
// be changed so that all jobs of a class have its law.
func (w *Workload) restore(l *lap) (maps []runMap) {
	counts := w.byClass(l, 2*runCells, func(_ *person, j *job) int {
		if j.reached {
			return runCells + runCell(j.run)
		}
		return runCell(j.run)
	})
	for c, law := range w.cells {
		// What the law leaves; what is bound beyond it is taken from the cells around.
		want, free, bound := make([]float64, runCells), counts[c][:runCells], counts[c][runCells:]
		n, over := sum(counts[c]), 0.0
		for k := range want {
			x := law[k]*n - bound[k] - over
			over = math.Max(0, -x)
			want[k] = math.Max(0, x)
		}
		maps = append(maps, rankMap(free, want))
	}
	return maps
}

// rankMap maps the edges of the cells of one histogram to places in another.
func rankMap(from, to ranking) runMap {
	m := make(runMap, runCells+1)
	ranks, law, total := newAtoms(from), newAtoms(to), sum(to)
	last, p := law.at(1), 0.0
	for c := range m {
		if ranks == nil || law == nil {
			m[c] = float64(c)
			continue
		}
		k := min(last, law.at(math.Nextafter(p, 2))) // at an edge the cell above it
		m[c] = float64(k) + math.Max(0, math.Min(1, 1-(law[k]-p)/to[k]*total))
		p = ranks[min(c, runCells-1)]
	}
	return m
}
