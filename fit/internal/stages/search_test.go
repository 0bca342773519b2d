package stages

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// leastSquares returns the least mean square of the broken lines with the given knots, by QR
// decomposition of the points' rows; bit l-1 of level makes segment l level.
func leastSquares(c *Curve, knots []int, level int) (sum float64, heights []float64) {
	k := len(knots) - 1
	column := make([]int, k+1)
	for l := 1; l <= k; l++ {
		column[l] = column[l-1] + 1 - level>>(l-1)&1
	}
	a, y := mat.NewDense(len(c.X), column[k]+1, nil), mat.NewDense(len(c.X), 1, nil)
	for i, x := range c.X {
		l := 1
		for l < k && x > c.X[knots[l]] {
			l++
		}
		u := (x - c.X[knots[l-1]]) / (c.X[knots[l]] - c.X[knots[l-1]])
		r := math.Sqrt(c.w[i])
		a.Set(i, column[l-1], r*(1-u))
		a.Set(i, column[l], a.At(i, column[l])+r*u)
		y.Set(i, 0, r*c.y[i])
	}
	var h, e mat.Dense
	if h.Solve(a, y) != nil {
		return math.Inf(1), make([]float64, k+1)
	}
	e.Mul(a, &h)
	e.Sub(&e, y)
	n := mat.Norm(&e, 2)
	for l := range column {
		heights = append(heights, h.At(column[l], 0))
	}
	return n * n, heights
}

// bruteForce tries all breaks of k stages among candidates, with every choice of level segments.
// best is the least sum of squares over lines that rise in the first and the last segment, do not
// fall between, and have their breaks between 0 and 1; bound is the least over all lines that do
// not fall. If bound is less than best, the infimum may only be approached.
func bruteForce(c *Curve, candidates []int, k int) (best, bound float64, knots []int) {
	best, bound = math.Inf(1), math.Inf(1)
	chosen := make([]int, k+1)
	chosen[0], chosen[k] = 0, len(c.X)-1
	line := func() {
		for level := range 1 << k {
			sum, h := leastSquares(c, chosen, level)
			if level == 0 && sum >= best {
				return // level segments only increase it
			}
			inside := level&1 == 0 && level>>(k-1)&1 == 0
			falls := false
			for l := 1; l <= k; l++ {
				falls = falls || h[l] < h[l-1]
				inside = inside && (l == k || h[l] > 0 && h[l] < 1)
			}
			if falls {
				continue
			}
			bound = min(bound, sum)
			if inside && sum < best {
				best, knots = sum, slices.Clone(chosen)
			}
			if level == 0 {
				return
			}
		}
	}
	var try func(l, from int)
	try = func(l, from int) {
		if l == k {
			line()
			return
		}
		for i := from; i < len(candidates)-1; i++ {
			chosen[l] = candidates[i]
			try(l+1, i+1)
		}
	}
	try(1, 1)
	return best, bound, knots
}

// randomCurve returns n values with counts, of one of a few kinds. One kind has points that rise,
// fall and rise, because the best line seldom has level segments for samples.
func randomCurve(rng *rand.Rand, n int) Curve {
	values, counts := make([]float64, n), make([]float64, n)
	kind := rng.IntN(5)
	v := 1.0
	for i := range values {
		switch kind {
		case 0: // rounded, wide
			v += math.Floor(1 + v*rng.ExpFloat64())
		case 1: // two speeds
			v *= 1 + 0.4*rng.Float64()*float64(1+20*(i*2/n))
		default:
			v *= 1 + rng.ExpFloat64()
		}
		values[i], counts[i] = v, math.Floor(1+3*rng.Float64())
		if kind == 2 && rng.IntN(6) == 0 {
			counts[i] *= 40 // atoms
		}
		if kind == 3 { // a step between two plains
			counts[i] = 1 + 100*math.Floor(math.Exp(-math.Abs(float64(i-n/2))))
		}
	}
	c := Trimmed(values, counts, 0)
	if kind == 4 {
		for i := range c.y {
			u := 3 * float64(i) / float64(n)
			c.y[i] = 0.1 + 0.5*min(u, 1) - 0.3*min(max(u-1, 0), 1) + 0.6*max(u-2, 0) + 0.05*rng.NormFloat64()
		}
	}
	return c
}

// TestBreaksAreTheBest compares with all possible breaks, on small samples.
func TestBreaksAreTheBest(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	level, approached, lasting := 0, 0, 0
	for _, size := range []struct{ n, most, runs int }{{40, 2, 40}, {40, 3, 8}, {18, 4, 8}, {12, 6, 6}, {10, 8, 20}} {
		for range size.runs {
			c := randomCurve(rng, size.n)
			lines := bestBreaks(&c, size.most, candidateBreaks, 1)
			all := c.grid(size.n)
			for k := 1; k <= size.most; k++ {
				want, bound, knots := bruteForce(&c, all, k)
				got := lines[k].Sum
				if bound < want {
					if got < bound*(1-1e-9)-1e-13 {
						t.Fatalf("%d values, %d stages: sum %.12g is below %.12g", size.n, k, got, bound)
					}
					approached++
					continue
				}
				lasting++
				if !(math.Abs(got-want) <= 1e-9*want+1e-13) {
					t.Fatalf("%d values, %d stages: sum %.12g at %v, want %.12g at %v", size.n, k, got, lines[k].Knots, want, knots)
				}
				if slices.Contains(lines[k].Flat, true) {
					level++
				}
				// The reported line has this sum.
				at := make([]float64, k+1)
				for l, i := range lines[k].Knots {
					at[l] = c.X[i]
				}
				if got := c.MeanSquare(at, c.Heights(lines[k].Knots, lines[k].Flat)); !(math.Abs(got-want-c.within) <= 1e-9*want+1e-13) {
					t.Errorf("sum of the line is %.12g, want %.12g", got, want+c.within)
				}
			}
		}
	}
	t.Logf("%d lines, %d with level segments; %d more are only approached", lasting, level, approached)
	if level < 5 || approached > lasting/5 {
		t.Errorf("%d lines, %d with level segments, and %d only approached: too few for this test", lasting, level, approached)
	}
}
