package population

import (
	"math"
	"math/rand/v2"

	"github.com/loadstone-hpc/loadstone/model/population"
)

// estimateOf returns the estimate of a template, 0 for none.
func (w *Workload) estimateOf(t *template) float64 {
	return w.m.Estimates.Values[int(t.asks[population.AsksTime])]
}

// lifts is the share of the estimate that a job must run to be extended to it, in a template that
// reaches its estimate.
const lifts = .5

// lift extends to the estimate the longer jobs of templates that reach their estimates.
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

// finish sets the statuses of a user's jobs and, if maps is not nil, the run times of the jobs
// that did not reach their estimates, so that all jobs together follow the model's distribution.
func (w *Workload) finish(x *person, maps []runMap, rng *rand.Rand) {
	s := &w.m.Statuses
	before, common := int32(none), 0.0
	for i := range x.jobs {
		j := &x.jobs[i]
		if maps != nil && !j.reached {
			run := maps[x.templates[j.template].class].at(j.run)
			if j.run = w.below(x, j, run); j.run < run { // spread, so that they do not all have the same run time
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

// below returns run or, if it would reach the job's estimate, a shorter run time that does not.
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

// Run times are counted in cells of equal width on a logarithmic scale.
const (
	cellsPerLn = 200
	runCells   = 25 * cellsPerLn
)

func runCell(run float64) int {
	return int(math.Min(runCells-1, cellsPerLn*math.Log1p(run)))
}

// runMap maps run times to run times by rank. Its elements are the images of the cells' lower
// edges.
type runMap []float64 // as fractional cell numbers

func (m runMap) at(run float64) float64 {
	at := math.Min(runCells, cellsPerLn*math.Log1p(run))
	return math.Round(math.Expm1(between(m, at) / cellsPerLn))
}

// byRunCell returns the share of a distribution's run times in each cell.
func byRunCell(law *sampler) []float64 {
	out := make([]float64, runCells)
	const n = 1 << 14
	for i := range n {
		out[runCell(law.at((float64(i)+.5)/n))] += 1. / n
	}
	return out
}

// restore returns the maps, by class, that change the run times of jobs that did not reach their
// estimates so that all jobs of the class follow its distribution.
func (w *Workload) restore(l *lap) (maps []runMap) {
	counts := w.byClass(l, 2*runCells, func(_ *person, j *job) int {
		if j.reached {
			return runCells + runCell(j.run)
		}
		return runCell(j.run)
	})
	for c, law := range w.cells {
		// want is the distribution less the jobs bound to their estimates. Where more are bound
		// than it has, the excess is taken from the cells above.
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

// rankMap maps the edges of one histogram's cells to places in another, by rank.
func rankMap(from, to ranking) runMap {
	m := make(runMap, runCells+1)
	ranks, law, total := newAtoms(from), newAtoms(to), sum(to)
	last, p := law.at(1), 0.0
	for c := range m {
		if ranks == nil || law == nil {
			m[c] = float64(c)
			continue
		}
		k := min(last, law.at(math.Nextafter(p, 2))) // at an edge, take the cell above it
		m[c] = float64(k) + math.Max(0, math.Min(1, 1-(law[k]-p)/to[k]*total))
		p = ranks[min(c, runCells-1)]
	}
	return m
}
