package population

import (
	"math"
)

// Cells of run times, by their logarithm.
const (
	cellsPerLn = 200
	runCells   = 25 * cellsPerLn
)

func runCell(run float64) int {
	return int(math.Min(runCells-1, cellsPerLn*math.Log1p(run)))
}

func cellRun(c float64) float64 { return math.Expm1(c / cellsPerLn) }

// runMap maps run times to run times, by rank: from cell to cell.
type runMap []float64 // the cell, with its part, at the lower edge of each

func (m runMap) at(run float64) float64 {
	at := math.Min(runCells-1e-6, cellsPerLn*math.Log1p(run))
	c := int(at)
	lo, hi := m[c], m[c+1]
	return math.Round(cellRun(lo + (at-float64(c))*(hi-lo)))
}

// law are the shares of a class's run times by cell.
func (p *prepared) lawByCell(class int) []float64 {
	out := make([]float64, runCells)
	q := &p.classes[class].Quantiles
	const n = 1 << 14
	for i := range n {
		out[runCell(q.At((float64(i)+.5)/n))] += 1. / n
	}
	return out
}

// restore finds how the run times of jobs that did not reach their estimates are to
// be changed so that all jobs of a class have its law.
func (p *prepared) restore(l *lap) []runMap {
	nc := len(p.classes)
	if p.laws == nil {
		return nil
	}
	free, bound := make([][runCells]float64, nc), make([][runCells]float64, nc)
	for _, j := range l.jobs() {
		if j.reached {
			bound[j.class][runCell(j.run)]++
		} else {
			free[j.class][runCell(j.run)]++
		}
	}
	maps := make([]runMap, nc)
	for c := range maps {
		all, mine := 0.0, 0.0
		for k := range free[c] {
			mine += free[c][k]
			all += free[c][k] + bound[c][k]
		}
		// What the law leaves; what is bound beyond it is taken from the cells around.
		want := make([]float64, runCells)
		over, total := 0.0, 0.0
		for k := range want {
			x := p.laws[c][k]*all - bound[c][k] - over
			over = math.Max(0, -x)
			want[k] = math.Max(0, x)
			total += want[k]
		}
		maps[c] = rankMap(free[c][:], want, mine, total)
	}
	return maps
}

// rankMap maps the edges of the cells of one histogram to places in another.
func rankMap(from, to []float64, fromTotal, toTotal float64) runMap {
	m := make(runMap, runCells+1)
	last := runCells - 1
	for last > 0 && !(to[last] > 0) {
		last--
	}
	below, sum, k := 0.0, 0.0, 0
	for c := range m {
		m[c] = float64(c)
		if fromTotal > 0 && toTotal > 0 {
			want := below / fromTotal * toTotal
			for k < last && sum+to[k] <= want {
				sum += to[k]
				k++
			}
			m[c] = float64(k)
			if to[k] > 0 {
				m[c] += math.Max(0, math.Min(1, (want-sum)/to[k]))
			}
		}
		if c < runCells {
			below += from[c]
		}
	}
	return m
}
