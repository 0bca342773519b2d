package stats

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize"
)

// Point is a place on a map; only the order of the distances between points has
// a meaning.
type Point struct{ X, Y float64 }

func distance(a, b Point) float64 { return math.Hypot(a.X-b.X, a.Y-b.Y) }

// Alienation returns the coefficient of alienation of a map: how badly the
// order of its distances d is that of the dissimilarities s,
//
//	sqrt(1 - µ²),  µ = Σ (s_a - s_b)(d_a - d_b) / Σ |s_a - s_b| |d_a - d_b|,
//
// summed over all pairs a, b of pairs of points. It is 0 where the order is
// kept, ties aside, and 1 where it is not at all; maps below 0.15 are taken as
// good. Raveh (1986), "On measures of monotone association"; Talby, Feitelson
// and Raveh (1999). It is 0 where the dissimilarities, or the distances, have no
// order. It is an error if s is not a symmetric matrix of finite numbers of 0
// or more with a row for each point.
func Alienation(s [][]float64, points []Point) (float64, error) {
	flat, err := flatten(s)
	if err != nil {
		return 0, err
	}
	if len(points) != len(s) {
		return 0, fmt.Errorf("stats: alienation of %d points with dissimilarities of %d", len(points), len(s))
	}
	return alienation(flat, distances(points)), nil
}

func alienation(s, d []float64) float64 {
	var num, den float64
	for a := range s {
		for b := range a {
			p := (s[a] - s[b]) * (d[a] - d[b])
			num += p
			den += math.Abs(p)
		}
	}
	if den == 0 {
		return 0
	}
	mu := num / den
	if mu <= 0 {
		return 1
	}
	return math.Sqrt(max(0, (1-mu)*(1+mu)))
}

// flatten is the lower triangle of a matrix of dissimilarities, row by row.
func flatten(s [][]float64) ([]float64, error) {
	var flat []float64
	for i, row := range s {
		if len(row) != len(s) {
			return nil, fmt.Errorf("stats: dissimilarities: row %d has %d numbers, want %d", i, len(row), len(s))
		}
		for k := range i {
			if v := row[k]; !(v >= 0) || math.IsInf(v, 1) || v != s[k][i] {
				return nil, fmt.Errorf("stats: dissimilarities of %d and %d are %g and %g, want one finite number of 0 or more", i, k, v, s[k][i])
			}
			flat = append(flat, row[k])
		}
	}
	return flat, nil
}

func distances(points []Point) []float64 {
	var d []float64
	for i := range points {
		for k := range i {
			d = append(d, distance(points[i], points[k]))
		}
	}
	return d
}

// Map is points whose distances have, as far as two dimensions allow, the
// order of dissimilarities.
type Map struct {
	Points     []Point // mean 0, mean square distance from it 1; the X axis is where they spread most
	Alienation float64 // the coefficient of alienation
}

// smallestSpaceStarts is how many random starts there are beside the classical one.
const smallestSpaceStarts = 24

// SmallestSpace makes a map of dissimilarities: Guttman's smallest space
// analysis, that is nonmetric multidimensional scaling into two dimensions,
// here by the least Alienation itself. It starts from Torgerson's classical
// scaling and from random points by the seed, goes downhill by L-BFGS on the
// coefficient with |d_a - d_b| rounded off less and less, and keeps the best
// end. The coefficient has many local minima; on the maps tried the best
// was reached from several starts. Rotation, reflection and scale mean nothing;
// they are fixed so that one seed gives one map.
//
// It is an error if there are fewer than two points or s is not symmetric, with
// finite numbers of 0 or more. Time goes by the fourth power of the number of
// points.
func SmallestSpace(s [][]float64, seed uint64) (Map, error) {
	if len(s) < 2 {
		return Map{}, fmt.Errorf("stats: map of %d points, want at least 2", len(s))
	}
	flat, err := flatten(s)
	if err != nil {
		return Map{}, err
	}
	n := len(s)
	best := Map{Points: standard(classical(s))}
	best.Alienation = alienation(flat, distances(best.Points))
	rng := rand.New(rand.NewPCG(seed, uint64(n)))
	for start := range 1 + smallestSpaceStarts {
		points := best.Points
		if start > 0 {
			points = make([]Point, n)
			for i := range points {
				points[i] = Point{rng.NormFloat64(), rng.NormFloat64()}
			}
		}
		m := descend(flat, standard(points))
		// A hair better is the same map from another side: keep the first.
		if m.Alienation < best.Alienation-1e-9 {
			best = m
		}
		if best.Alienation < 1e-9 {
			break
		}
	}
	return best, nil
}

// descend goes downhill from points.
func descend(s []float64, points []Point) Map {
	n := len(points)
	best := Map{points, alienation(s, distances(points))}
	x := make([]float64, 2*n)
	for _, round := range []float64{0.3, 0.03, 0.003, 3e-4, 3e-5} {
		f := rounded{s: s, n: n, round: round}
		for i, p := range points {
			x[2*i], x[2*i+1] = p.X, p.Y
		}
		problem := optimize.Problem{Func: f.value, Grad: f.gradient}
		// An error is a line search that found no way down: its place is as
		// good as any.
		r, _ := optimize.Minimize(problem, x, &optimize.Settings{MajorIterations: 150, GradientThreshold: 1e-9}, &optimize.LBFGS{})
		if r == nil {
			break
		}
		next := make([]Point, n)
		for i := range next {
			next[i] = Point{r.X[2*i], r.X[2*i+1]}
		}
		points = standard(next)
		if a := alienation(s, distances(points)); a < best.Alienation {
			best = Map{points, a}
		}
	}
	return best
}

// rounded is 1-µ with |x| as sqrt(x² + round²) - round in place of |d_a - d_b|.
type rounded struct {
	s     []float64
	n     int
	round float64

	d, byD []float64
}

// value returns 1-µ and leaves its derivatives by the distances in byD.
func (f *rounded) value(x []float64) float64 {
	f.d = f.d[:0]
	for i := range f.n {
		for k := range i {
			f.d = append(f.d, math.Hypot(x[2*i]-x[2*k], x[2*i+1]-x[2*k+1]))
		}
	}
	// The coefficient does not depend on the scale; rounding should not either.
	mean := 0.0
	for _, d := range f.d {
		mean += d / float64(len(f.d))
	}
	if !(mean > 0) || math.IsInf(mean, 1) {
		f.byD = make([]float64, len(f.d))
		return 2
	}
	r := f.round * mean
	var num, den float64
	byNum, byDen := make([]float64, len(f.d)), make([]float64, len(f.d))
	byRound := 0.0
	for a := range f.d {
		for b := range a {
			s, d := f.s[a]-f.s[b], f.d[a]-f.d[b]
			root := math.Sqrt(d*d + r*r)
			size := math.Abs(s)
			num += s * d
			den += size * (root - r)
			byNum[a] += s
			byNum[b] -= s
			byDen[a] += size * d / root
			byDen[b] -= size * d / root
			byRound += size * (r/root - 1)
		}
	}
	f.byD = byNum
	if den == 0 {
		clear(f.byD)
		return 0
	}
	for a := range byNum {
		f.byD[a] = -(byNum[a] - num/den*(byDen[a]+byRound*f.round/float64(len(f.d)))) / den
	}
	return 1 - num/den
}

func (f *rounded) gradient(grad, x []float64) {
	f.value(x)
	clear(grad)
	a := 0
	for i := range f.n {
		for k := range i {
			if d := f.d[a]; d > 0 {
				gx, gy := f.byD[a]*(x[2*i]-x[2*k])/d, f.byD[a]*(x[2*i+1]-x[2*k+1])/d
				grad[2*i] += gx
				grad[2*i+1] += gy
				grad[2*k] -= gx
				grad[2*k+1] -= gy
			}
			a++
		}
	}
}

// classical is Torgerson's scaling: the two widest directions of the points
// whose distances the dissimilarities would be.
func classical(s [][]float64) []Point {
	n := len(s)
	points := make([]Point, n)
	largest := 0.0
	for i := range s {
		for _, v := range s[i] {
			largest = max(largest, v)
		}
	}
	if largest == 0 {
		return points
	}
	mean, all := make([]float64, n), 0.0
	square := func(i, k int) float64 { v := s[i][k] / largest; return v * v }
	for i := range n {
		for k := range n {
			if i != k {
				mean[i] += square(i, k) / float64(n)
			}
		}
		all += mean[i] / float64(n)
	}
	b := mat.NewSymDense(n, nil)
	for i := range n {
		for k := i; k < n; k++ {
			v := 0.0
			if i != k {
				v = square(i, k)
			}
			b.SetSym(i, k, -(v-mean[i]-mean[k]+all)/2)
		}
	}
	var eigen mat.EigenSym
	if !eigen.Factorize(b, true) {
		return points
	}
	values := eigen.Values(nil) // ascending
	var vectors mat.Dense
	eigen.VectorsTo(&vectors)
	for i := range points {
		points[i].X = vectors.At(i, n-1) * math.Sqrt(max(0, values[n-1]))
		points[i].Y = vectors.At(i, n-2) * math.Sqrt(max(0, values[n-2]))
	}
	return points
}

// standard moves, turns and scales points to the form that Map documents; of
// each axis the largest coordinate is positive.
func standard(points []Point) []Point {
	n := float64(len(points))
	var mx, my, xx, xy, yy float64
	for _, p := range points {
		mx += p.X / n
		my += p.Y / n
	}
	for _, p := range points {
		x, y := p.X-mx, p.Y-my
		xx += x * x / n
		xy += x * y / n
		yy += y * y / n
	}
	out := make([]Point, len(points))
	if !(xx+yy > 0) {
		return out
	}
	sin, cos := math.Sincos(math.Atan2(2*xy, xx-yy) / 2)
	scale := 1 / math.Sqrt(xx+yy)
	var farX, farY float64
	for i, p := range points {
		x, y := scale*(p.X-mx), scale*(p.Y-my)
		out[i] = Point{x*cos + y*sin, y*cos - x*sin}
		if math.Abs(out[i].X) > math.Abs(farX)+1e-9 {
			farX = out[i].X
		}
		if math.Abs(out[i].Y) > math.Abs(farY)+1e-9 {
			farY = out[i].Y
		}
	}
	for i := range out {
		if farX < 0 {
			out[i].X = 0 - out[i].X
		}
		if farY < 0 {
			out[i].Y = 0 - out[i].Y
		}
	}
	return out
}

// errNoVariables is for a table without columns.
var errNoVariables = errors.New("stats: co-plot of no variables, want at least one")
