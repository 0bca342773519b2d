package stages

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// leastSquares is the least mean square of the broken lines with those knots,
// by QR of the points' rows; bit l-1 of level makes segment l level.
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

// bruteForce tries all breaks of k stages among candidates, with every choice
// of level segments. best is the least sum of lines that rise in the first
// and the last segment, do not fall between and have their breaks between 0
// and 1; bound is that of lines that do not fall. Where bound is less, best
// may be only approached.
func bruteForce(c *Curve, candidates []int, k int) (best, bound float64, knots []int) {
	best, bound = math.Inf(1), math.Inf(1)
	chosen := make([]int, k+1)
	chosen[0], chosen[k] = 0, len(c.X)-1
	line := func() {
		for level := range 1 << k {
			sum, h := leastSquares(c, chosen, level)
			if level == 0 && sum >= best {
				return // level segments only add to it
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

// randomCurve has n values with counts, of one of a few kinds, or, so that
// the best line has level segments, which samples hardly ever ask for, points
// that rise, fall and rise.
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

// TestBreaksAreTheBest: on small samples all breaks are tried.
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
				// The line as it is reported has that sum.
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
		t.Errorf("%d lines, %d with level segments, and %d only approached: that shows too little", lasting, level, approached)
	}
}

// TestGridOfCandidates measures what a grid can lose, with 16 candidates for
// 60 values: the search on it is no worse than the line that bestBreaks's
// comment makes of the best one, and, with the breaks improved, it is the
// best but for few samples.
func TestGridOfCandidates(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	runs, missed, worst := 0, 0, 1.0
	for range 60 {
		c := randomCurve(rng, 60)
		grid := c.grid(16)
		for k := 2; k <= 3; k++ {
			best := bestBreaks(&c, k, len(c.X), 1)[k]
			if math.IsInf(best.Sum, 1) {
				continue
			}
			known := []float64{-1, -1, -1, math.Inf(1)}[:k+1]
			known[k] = math.Inf(1)
			onGrid := newSearch(&c, grid, allWindows(len(grid), k), 1).run(known)[k]
			if bound, ok := onGridBound(&c, best, grid); ok && math.Sqrt(onGrid.Sum) > bound+1e-9 {
				t.Errorf("%d stages: root mean square %g on the grid, want at most %g", k, math.Sqrt(onGrid.Sum), bound)
			}
			improved := bestBreaks(&c, k, 16, 1)[k]
			if improved.Sum > onGrid.Sum*(1+1e-9)+1e-13 {
				t.Errorf("%d stages: sum %g is above that on the grid, %g", k, improved.Sum, onGrid.Sum)
			}
			runs++
			if ratio := improved.Sum / best.Sum; ratio > 1+1e-9 {
				missed++
				worst = max(worst, ratio)
			}
		}
	}
	t.Logf("%d of %d not the best; the worst is %.4f times the best sum", missed, runs, worst)
	if runs < 100 || missed > runs/10 || worst > 1.5 {
		t.Errorf("%d of %d not the best, the worst %g times the best sum: want at most a tenth and 1.5", missed, runs, worst)
	}
}

// onGridBound is the bound on the root mean square of the best line on the
// grid that bestBreaks's comment proves; false where two breaks move to one
// candidate.
func onGridBound(c *Curve, f Broken, grid []int) (float64, bool) {
	h := c.Heights(f.Knots, f.Flat)
	at := func(x float64) float64 {
		l := 1
		for l < len(h)-1 && x > c.X[f.Knots[l]] {
			l++
		}
		x0, x1 := c.X[f.Knots[l-1]], c.X[f.Knots[l]]
		return h[l-1] + (h[l]-h[l-1])*(x-x0)/(x1-x0)
	}
	knots := []int{0}
	bound := 0.0
	for _, i := range f.Knots[1 : len(f.Knots)-1] {
		k, _ := slices.BinarySearch(grid, i)
		if k == len(grid)-1 || grid[k] == knots[len(knots)-1] {
			return 0, false
		}
		x0, x1, from := c.X[grid[k-1]], c.X[grid[k]], c.X[knots[len(knots)-1]]
		if grid[k] != i {
			slope := (at(x1) - at(from)) / (x1 - from)
			bound = max(bound, at(x1)-at(x0), slope*(x1-x0))
		}
		knots = append(knots, grid[k])
	}
	return math.Sqrt(f.Sum) + bound, true
}

// TestEnvelope holds the envelope against the least of its pieces, height by
// height.
func TestEnvelope(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range 300 {
		var e, scratch envelope
		var all []piece
		for i := range 12 {
			lo := rng.Float64()
			p := piece{lo: lo, hi: lo + rng.Float64()*(1-lo), a: 4 * rng.Float64(), from: int32(i)}
			if i%5 == 0 {
				p.a = 0
			}
			v := rng.Float64()
			p.b, p.c = -2*p.a*v+0.1*rng.NormFloat64(), p.a*v*v+rng.Float64()
			all = append(all, p)
			scratch = e.add(p, scratch)
		}
		for range 100 {
			v, want, got := rng.Float64(), math.Inf(1), math.Inf(1)
			for _, p := range all {
				if p.lo <= v && v < p.hi {
					want = min(want, p.at(v))
				}
			}
			for i, p := range e {
				if i > 0 && e[i-1].hi > p.lo || !(p.lo < p.hi) {
					t.Fatalf("pieces overlap: %+v", e)
				}
				if p.lo <= v && v < p.hi {
					got = p.at(v)
				}
			}
			if got != want && !(math.Abs(got-want) < 1e-12) {
				t.Fatalf("at %g the envelope is %g, want %g", v, got, want)
			}
		}
	}
}
