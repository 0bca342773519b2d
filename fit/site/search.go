package site

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/dist"
)

// The methods of combining several sites into one model. Lublin and Feitelson
// (2003), section 5.2.
const (
	MethodAverage = "average" // the geometric mean of each parameter
	MethodSearch  = "search"  // the best of a grid of parameters (see SearchLaw)
)

// AverageLaw returns the average model of Lublin and Feitelson (2003), section
// 5.2: the geometric mean of each parameter, including p (the paper says that
// the mean of p is arithmetic, but its 0.685 and 0.577 are geometric). So the
// mean of a component, shape times scale, is the geometric mean of the laws'
// component means.
//
// It is an error if there is no law, if one is not valid, or has a p of 0.
func AverageLaw(laws []dist.HyperGamma) (dist.HyperGamma, error) {
	columns, err := columnsOf(laws)
	if err != nil {
		return dist.HyperGamma{}, err
	}
	var mean [5]float64
	for i := range mean {
		mean[i] = geometric(columns[i])
	}
	mean[4] = min(1, mean[4]) // rounding may lift it above 1
	return hyperGammaOf(mean), nil
}

// columnsOf returns the values of each parameter, in the order of the paper's tables.
func columnsOf(laws []dist.HyperGamma) (columns [5][]float64, err error) {
	if len(laws) == 0 {
		return columns, errors.New("representative distribution of no distributions, want at least one")
	}
	for i, law := range laws {
		if err := dist.Validate(law); err != nil {
			return columns, fmt.Errorf("representative law: law %d: %w", i, err)
		}
		if law.P == 0 {
			return columns, fmt.Errorf("representative law: law %d has p 0, want more: it has no logarithm", i)
		}
		for k, p := range dist.Parameters(law) {
			columns[k] = append(columns[k], p.Value)
		}
	}
	return columns, nil
}

// hyperGammaOf returns the law of parameters in the order of the paper's tables, which is that of
// dist.Parameters.
func hyperGammaOf(p [5]float64) dist.HyperGamma {
	return dist.HyperGamma{First: dist.Gamma{Shape: p[0], Scale: p[1]}, Second: dist.Gamma{Shape: p[2], Scale: p[3]}, P: p[4]}
}

// LawSearch is the result of SearchLaw.
type LawSearch struct {
	Law      dist.HyperGamma
	Tried    int // number of combinations of parameters tried
	Kept     int // number of these with two modes and a valley in the right places
	Distance float64
	Turns    [3]float64 // of Law's density: the lower mode, the valley, the upper mode
}

// SearchLaw returns the search model of Lublin and Feitelson (2003), section
// 5.2. Of the 243 combinations of three values for each parameter it keeps
// those whose density has two modes, with a valley between them, in the right
// places. Of these it returns the one whose density is closest to the middle of
// the laws' densities.
//
// The paper leaves details open. Here the three values divide the range of the parameter's
// logarithm into four equal parts. With equal parts of the range of the parameter itself, the
// product of the second component's shape and scale would never be near the logs' upper modes (in
// table 2 it is at least 434 times 0.038). A place is right if it is between the smallest and the
// largest place in the laws with two modes. The middle of the densities is their median at each
// point, and the distance the integral of the absolute difference from it, at most 2.
//
// It is an error if there is no law, if one is not valid or has a p of 0, and
// if no combination is kept.
func SearchLaw(laws []dist.HyperGamma) (LawSearch, error) {
	columns, err := columnsOf(laws)
	if err != nil {
		return LawSearch{}, err
	}
	const steps = 3 // values of a parameter that are tried
	var values [5][steps]float64
	for i, of := range columns {
		lo, hi := math.Log(slices.Min(of)), math.Log(slices.Max(of))
		for k := range values[i] {
			values[i][k] = math.Exp(lo + (hi-lo)*float64(k+1)/(steps+1))
		}
	}
	grid := newDensityGrid(laws)
	middle := grid.middle(laws)
	// The ranges in which modes and valley are right.
	from, to := [3]float64{math.Inf(1), math.Inf(1), math.Inf(1)}, [3]float64{}
	for _, law := range laws {
		if turns, ok := grid.turns(grid.density(law)); ok {
			for i, at := range turns {
				from[i], to[i] = min(from[i], at), max(to[i], at)
			}
		}
	}
	if to[0] == 0 {
		return LawSearch{}, errors.New("search for a representative law: no law has two modes, so the places of the modes are unknown")
	}
	best := LawSearch{Tried: 243, Distance: math.Inf(1)} // steps to the power of 5
	for c := range best.Tried {
		var p [5]float64
		for i := range p {
			p[i] = values[i][c%steps]
			c /= steps
		}
		law := hyperGammaOf(p)
		density := grid.density(law)
		turns, ok := grid.turns(density)
		for i, at := range turns {
			ok = ok && at >= from[i] && at <= to[i]
		}
		if !ok {
			continue
		}
		best.Kept++
		if d := grid.distance(density, middle); d < best.Distance {
			best.Law, best.Distance, best.Turns = law, d, turns
		}
	}
	if best.Kept == 0 {
		return best, fmt.Errorf("search for a representative law: none of %d combinations has two modes where the logs have them", best.Tried)
	}
	return best, nil
}

// densityGrid is the grid of points at which densities are compared.
type densityGrid struct {
	x    []float64
	step float64
}

// newDensityGrid returns a grid from 0 to where the survival of every law is at most 1e-4.
func newDensityGrid(laws []dist.HyperGamma) densityGrid {
	const points = 2001
	end := 0.0
	for _, law := range laws {
		end = max(end, dist.InverseSurvival(law, 1e-4))
	}
	g := densityGrid{make([]float64, points), end / points}
	for i := range g.x {
		g.x[i] = (float64(i) + 0.5) * g.step
	}
	return g
}

func (g densityGrid) density(law dist.HyperGamma) []float64 {
	f, at := make([]float64, len(g.x)), dist.LogDensity(law)
	for i, x := range g.x {
		f[i] = math.Exp(at(x))
	}
	return f
}

// middle returns the median of the laws' densities at each point.
func (g densityGrid) middle(laws []dist.HyperGamma) []float64 {
	at := make([][]float64, len(g.x))
	for _, law := range laws {
		for i, f := range g.density(law) {
			at[i] = append(at[i], f)
		}
	}
	middle := make([]float64, len(g.x))
	for i, of := range at {
		slices.Sort(of)
		n := len(of)
		middle[i] = (of[(n-1)/2] + of[n/2]) / 2
	}
	return middle
}

func (g densityGrid) distance(a, b []float64) float64 {
	sum := 0.0
	for i := range a {
		sum += math.Abs(a[i]-b[i]) * g.step
	}
	return sum
}

// turns returns the places of the lower mode, the valley and the upper mode; false unless the
// density rises and falls twice.
func (g densityGrid) turns(f []float64) (turns [3]float64, ok bool) {
	var all []float64
	rising := true // from 0, whatever the density there
	for i := 1; i < len(f); i++ {
		if f[i] != f[i-1] && f[i] > f[i-1] != rising {
			all = append(all, g.x[i-1])
			rising = !rising
		}
	}
	if rising || len(all) != len(turns) {
		return turns, false
	}
	return [3]float64(all), true
}
