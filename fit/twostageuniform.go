package fit

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/optimize"

	"github.com/loadstone-hpc/loadstone/dist"
)

// fitTwoStageUniform fits a two-stage uniform law to the transformed
// attribute by least squares of its distribution function: at every distinct
// value, weighted by its jobs, against the middle of the sample's jump there.
// Lublin and Feitelson (2003), section 3.1.
func fitTwoStageUniform(t task) (outcome, error) {
	if err := t.need(5, 3); err != nil {
		return outcome{}, err
	}
	p := t.points().press()
	rows := make([]stageRow, p.len())
	before := 0.0
	for i, x := range p.x {
		rows[i] = stageRow{near: x, target: (before + p.w[i]/2) / p.total(), weight: p.w[i]}
		before += p.w[i]
	}
	return t.stages(rows)
}

// stages is the outcome of the search over rows.
func (t task) stages(rows []stageRow) (outcome, error) {
	law, iterations, status := fitStages(rows, math.Inf(-1), math.Inf(1))
	if dist.Validate(law) != nil {
		return outcome{}, t.degenerate("no two stages fit")
	}
	return outcome{law: law, free: 4, status: status, iterations: iterations}, nil
}

// stageRow is one point of the least squares: the share farShare of the
// model's distribution function at far, and the rest of it at near, is to be
// target. Both may be infinite: nothing and everything is below them.
type stageRow struct {
	near, far, farShare float64
	target, weight      float64
}

// stageGrid is how many values each of Low, Mid and High may take in the
// coarse search, stageMargin how far the grid goes beyond the sample, as a
// share of its range, and stageStarts how many of the best places on the grid
// are refined.
const (
	stageGrid   = 26
	stageMargin = 0.15
	stageStarts = 6
	// stageRows is how many points the sum is over, and stageGridRows how many
	// that of the coarse search: where there are more, neighbours are taken
	// together. Few logs have as many different values.
	stageRows     = 1 << 16
	stageGridRows = 1 << 12
)

// thinRows takes neighbouring rows together until at most most are left: the
// middle row of each run stands for it, with the weight of all.
func thinRows(rows []stageRow, most int) []stageRow {
	if len(rows) <= most {
		return rows
	}
	thin := make([]stageRow, most)
	for k := range thin {
		from, to := k*len(rows)/most, (k+1)*len(rows)/most
		thin[k] = rows[(from+to)/2]
		thin[k].weight = 0
		for _, r := range rows[from:to] {
			thin[k].weight += r.weight
		}
	}
	return thin
}

// fitStages finds the two-stage uniform law with the least sum of squares. At
// given Low, Mid and High the best P has a closed form; these three are
// searched on a grid, and from its best places by Nelder and Mead's method,
// since the sum has kinks and more than one minimum. Nothing of it is random.
// Low is kept at or above least, and High at or below most; both are infinite
// where there is no limit, and rows then are by increasing near alone.
func fitStages(rows []stageRow, least, most float64) (law dist.TwoStageUniform, iterations int, status Status) {
	rows = thinRows(rows, stageRows)
	coarse := thinRows(rows, stageGridRows)
	lo, hi := least, most
	if math.IsInf(lo, 0) {
		first, last := rows[0].near, rows[len(rows)-1].near
		lo, hi = first-(last-first)*stageMargin, last+(last-first)*stageMargin
	}
	if !(hi > lo) {
		return law, 0, IterationLimit
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
			status = Converged
			if err != nil || r.Status == optimize.IterationLimit {
				status = IterationLimit
			}
		}
	}
	return law, iterations, status
}

// bestShare returns the P that makes the sum of squares least at Low, Mid and
// High, and that sum, relative to the weights; an infinite sum where they are
// not in order. The distribution function is P below + (1-P) above, where
// below and above run from 0 to 1 along the two stages.
func bestShare(rows []stageRow, x []float64) (p, sum float64) {
	low, mid, high := x[0], x[1], x[2]
	if !(low < mid && mid < high) {
		return 0, math.Inf(1)
	}
	stages := func(x float64) (below, above float64) {
		return clamp((x - low) / (mid - low)), clamp((x - mid) / (high - mid))
	}
	var aa, ay, yy, total float64
	for _, r := range rows {
		below, above := stages(r.near)
		if r.farShare > 0 {
			b, a := stages(r.far)
			below += r.farShare * (b - below)
			above += r.farShare * (a - above)
		}
		a, y := below-above, r.target-above
		aa += r.weight * a * a
		ay += r.weight * a * y
		yy += r.weight * y * y
		total += r.weight
	}
	if aa > 0 {
		p = clamp(ay / aa)
	}
	return p, max(0, yy-2*p*ay+p*p*aa) / total
}

func clamp(p float64) float64 { return min(1, max(0, p)) }
