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
	if err := validateLaws(laws); err != nil {
		return dist.HyperGamma{}, err
	}
	var mean [5]float64
	for _, law := range laws {
		for i, v := range parametersOf(law) {
			mean[i] += math.Log(v) / float64(len(laws))
		}
	}
	for i := range mean {
		mean[i] = math.Exp(mean[i])
	}
	mean[4] = min(1, mean[4]) // above it by rounding alone
	return hyperGammaOf(mean), nil
}

// LawSearch is the result of SearchLaw.
type LawSearch struct {
	Law      dist.HyperGamma
	Tried    int // combinations of parameters
	Kept     int // of these, with two modes and a valley in the right places
	Distance float64
	// Modes are the two maxima of Law's density, and Valley the minimum
	// between them.
	Modes  [2]float64
	Valley float64
}

// searchSteps is how many values of a parameter are tried, at equal parts of
// its range.
const searchSteps = 3

// SearchLaw returns the search model of Lublin and Feitelson (2003), section
// 5.2. Of the 243 combinations of three values for each parameter it keeps
// those whose density has two modes, with a valley between them, in the right
// places. Of these it returns the one whose density is closest to the middle of
// the laws' densities.
//
// The paper leaves details open. Here the three values divide the range of the
// parameter's logarithm into four equal parts. With parts of the parameter's
// own range, the product of the second component's shape and scale would never
// be near the logs' upper modes (in table 2 it is at least 434 times 0.038). A
// place is right if it is between the smallest and the largest of those of the
// laws with two modes. The middle of the densities is their median at each
// point, and the distance the integral of the absolute difference from it, at
// most 2.
//
// It is an error if there is no law, if one is not valid or has a p of 0, and
// if no combination is kept.
func SearchLaw(laws []dist.HyperGamma) (LawSearch, error) {
	if err := validateLaws(laws); err != nil {
		return LawSearch{}, err
	}
	grid := newDensityGrid(laws)
	middle := grid.middle(laws)
	places, ok := grid.places(laws)
	if !ok {
		return LawSearch{}, errors.New("search for a representative law: no law has two modes, and so nothing says where they belong")
	}
	values := searchValues(laws)
	best := LawSearch{Distance: math.Inf(1)}
	for c := range combinations(len(values)) {
		var p [5]float64
		for i, rest := 0, c; i < len(p); i, rest = i+1, rest/searchSteps {
			p[i] = values[i][rest%searchSteps]
		}
		law := hyperGammaOf(p)
		best.Tried++
		density := grid.density(law)
		m, ok := grid.modes(density)
		if !ok || !places.hold(m) {
			continue
		}
		best.Kept++
		if d := grid.distance(density, middle); d < best.Distance {
			best.Law, best.Distance = law, d
			best.Modes, best.Valley = [2]float64{m[0], m[2]}, m[1]
		}
	}
	if best.Kept == 0 {
		return best, fmt.Errorf("search for a representative law: none of %d combinations has two modes where the logs have them", best.Tried)
	}
	return best, nil
}

func combinations(parameters int) int {
	n := 1
	for range parameters {
		n *= searchSteps
	}
	return n
}

// searchValues are the values of each parameter that are tried.
func searchValues(laws []dist.HyperGamma) (values [5][searchSteps]float64) {
	for i := range values {
		lo, hi := math.Inf(1), math.Inf(-1)
		for _, law := range laws {
			ln := math.Log(parametersOf(law)[i])
			lo, hi = min(lo, ln), max(hi, ln)
		}
		for k := range values[i] {
			values[i][k] = math.Exp(lo + (hi-lo)*float64(k+1)/(searchSteps+1))
		}
	}
	return values
}

func validateLaws(laws []dist.HyperGamma) error {
	if len(laws) == 0 {
		return errors.New("representative distribution of no distributions, want at least one")
	}
	for i, law := range laws {
		if err := dist.Validate(law); err != nil {
			return fmt.Errorf("representative law: law %d: %w", i, err)
		}
		if law.P == 0 {
			return fmt.Errorf("representative law: law %d has p 0, want more: it has no logarithm", i)
		}
	}
	return nil
}

// parametersOf are a law's parameters in the order of the paper's tables.
func parametersOf(h dist.HyperGamma) [5]float64 {
	return [5]float64{h.First.Shape, h.First.Scale, h.Second.Shape, h.Second.Scale, h.P}
}

func hyperGammaOf(p [5]float64) dist.HyperGamma {
	return dist.HyperGamma{
		First:  dist.Gamma{Shape: p[0], Scale: p[1]},
		Second: dist.Gamma{Shape: p[2], Scale: p[3]},
		P:      p[4],
	}
}

// densityGrid is where densities are compared.
type densityGrid struct {
	x    []float64
	step float64
}

const gridPoints = 2001

// newDensityGrid goes from 0 to where every law has all but 1e-4.
func newDensityGrid(laws []dist.HyperGamma) densityGrid {
	end := 0.0
	for _, law := range laws {
		end = max(end, dist.InverseSurvival(law, 1e-4))
	}
	g := densityGrid{make([]float64, gridPoints), end / gridPoints}
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

// middle is the median of the laws' densities at each point.
func (g densityGrid) middle(laws []dist.HyperGamma) []float64 {
	var all [][]float64
	for _, law := range laws {
		all = append(all, g.density(law))
	}
	middle, here := make([]float64, len(g.x)), make([]float64, len(all))
	for i := range middle {
		for k, f := range all {
			here[k] = f[i]
		}
		slices.Sort(here)
		n := len(here)
		middle[i] = (here[(n-1)/2] + here[n/2]) / 2
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

// twoModes are the places of the lower mode, the valley and the upper mode.
type twoModes [3]float64

// modes is false unless the density rises and falls twice.
func (g densityGrid) modes(f []float64) (m twoModes, ok bool) {
	var turns []float64
	rising := true // from 0, whatever the density there
	for i := 1; i < len(f); i++ {
		if f[i] == f[i-1] || f[i] > f[i-1] == rising {
			continue
		}
		turns = append(turns, g.x[i-1])
		rising = !rising
	}
	if rising || len(turns) != len(m) {
		return m, false
	}
	return twoModes(turns), true
}

// modePlaces are the ranges in which modes and valley are right.
type modePlaces [3]struct{ lo, hi float64 }

// places is false where no law has two modes.
func (g densityGrid) places(laws []dist.HyperGamma) (p modePlaces, ok bool) {
	for i := range p {
		p[i].lo, p[i].hi = math.Inf(1), math.Inf(-1)
	}
	for _, law := range laws {
		m, two := g.modes(g.density(law))
		if !two {
			continue
		}
		ok = true
		for i := range p {
			p[i].lo, p[i].hi = min(p[i].lo, m[i]), max(p[i].hi, m[i])
		}
	}
	return p, ok
}

func (p modePlaces) hold(m twoModes) bool {
	for i := range p {
		if m[i] < p[i].lo || m[i] > p[i].hi {
			return false
		}
	}
	return true
}
