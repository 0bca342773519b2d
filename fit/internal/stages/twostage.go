package stages

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/optimize"

	"github.com/loadstone-hpc/loadstone/dist"
)

// Row is one point of the least-squares fit: (1-FarShare) F(Near) + FarShare F(Far) should be
// Target, where F is the distribution function of the model. Near and Far may be infinite, where
// F is 0 or 1.
type Row struct {
	Near, Far, FarShare float64
	Target, Weight      float64
}

// stageGrid is the number of grid values for Low, Mid and High in the coarse search, stageMargin
// is the extent of the grid beyond the sample, as a share of its range, and stageStarts is the
// number of the best places on the grid that are refined.
const (
	stageGrid   = 26
	stageMargin = 0.15
	stageStarts = 6
	// stageRows is the largest number of points in the sum, and stageGridRows that in the coarse
	// search. If there are more, neighbours are merged. Few logs have as many distinct values.
	stageRows     = 1 << 16
	stageGridRows = 1 << 12
)

// thinRows merges neighbouring rows so that at most most are left. The middle row of each run
// represents it, with the weight of all.
func thinRows(rows []Row, most int) []Row {
	if len(rows) <= most {
		return rows
	}
	thin := make([]Row, most)
	for k := range thin {
		from, to := k*len(rows)/most, (k+1)*len(rows)/most
		thin[k] = rows[(from+to)/2]
		thin[k].Weight = 0
		for _, r := range rows[from:to] {
			thin[k].Weight += r.Weight
		}
	}
	return thin
}

// FitTwoStage returns the two-stage uniform law with the least sum of squares. For given Low, Mid
// and High the best P has a closed form. These three are searched on a grid, and from its best
// places by Nelder and Mead's method, because the sum has kinks and more than one minimum. The
// search is deterministic. Low is at least least, and High is at most most. Both limits are
// infinite if there are none; rows must then have no Far and be in order of Near. converged is
// false if the search ended at its iteration limit.
func FitTwoStage(rows []Row, least, most float64) (law dist.TwoStageUniform, iterations int, converged bool) {
	rows = thinRows(rows, stageRows)
	coarse := thinRows(rows, stageGridRows)
	lo, hi := least, most
	if math.IsInf(lo, 0) {
		first, last := rows[0].Near, rows[len(rows)-1].Near
		lo, hi = first-(last-first)*stageMargin, last+(last-first)*stageMargin
	}
	if !(hi > lo) {
		return law, 0, false
	}
	at := func(i int) float64 { return lo + (hi-lo)*float64(i)/(stageGrid-1) }
	type place struct {
		x   [3]float64
		sum float64
	}
	var best []place
	for l := range stageGrid {
		for m := l + 1; m < stageGrid; m++ {
			for h := m + 1; h < stageGrid; h++ {
				x := [3]float64{at(l), at(m), at(h)}
				_, sum := bestShare(coarse, x[:])
				best = append(best, place{x, sum})
			}
		}
	}
	slices.SortStableFunc(best, func(a, b place) int { return cmp.Compare(a.sum, b.sum) })
	lowest := math.Inf(1)
	for _, start := range best[:min(stageStarts, len(best))] {
		r, err := optimize.Minimize(
			optimize.Problem{Func: func(x []float64) float64 {
				if x[0] < least || x[2] > most {
					return math.Inf(1)
				}
				_, sum := bestShare(rows, x)
				return sum
			}},
			start.x[:],
			&optimize.Settings{Converger: &optimize.FunctionConverge{Relative: 1e-10, Iterations: 60}, MajorIterations: 5000},
			&optimize.NelderMead{SimplexSize: (hi - lo) / stageGrid},
		)
		if r == nil {
			continue
		}
		iterations += r.MajorIterations
		if r.F < lowest {
			lowest = r.F
			p, _ := bestShare(rows, r.X)
			law = dist.TwoStageUniform{Low: r.X[0], Mid: r.X[1], High: r.X[2], P: p}
			converged = err == nil && r.Status != optimize.IterationLimit
		}
	}
	return law, iterations, converged
}

// bestShare returns the P that minimizes the sum of squares for given Low, Mid and High, and that
// sum divided by the sum of the weights. The sum is infinite if the three are not in order. The
// distribution function is P below + (1-P) above, where below and above run from 0 to 1 along the
// two stages.
func bestShare(rows []Row, x []float64) (p, sum float64) {
	low, mid, high := x[0], x[1], x[2]
	if !(low < mid && mid < high) {
		return 0, math.Inf(1)
	}
	stages := func(x float64) (below, above float64) {
		return clamp((x - low) / (mid - low)), clamp((x - mid) / (high - mid))
	}
	var aa, ay, yy, total float64
	for _, r := range rows {
		below, above := stages(r.Near)
		if r.FarShare > 0 {
			b, a := stages(r.Far)
			below += r.FarShare * (b - below)
			above += r.FarShare * (a - above)
		}
		a, y := below-above, r.Target-above
		aa += r.Weight * a * a
		ay += r.Weight * a * y
		yy += r.Weight * y * y
		total += r.Weight
	}
	if aa > 0 {
		p = clamp(ay / aa)
	}
	return p, max(0, yy-2*p*ay+p*p*aa) / total
}

func clamp(p float64) float64 { return min(1, max(0, p)) }
