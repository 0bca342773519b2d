package stats

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// Point is a position on a Map.
type Point struct{ X, Y float64 }

func distance(a, b Point) float64 { return math.Hypot(a.X-b.X, a.Y-b.Y) }

// Map is a set of points in two dimensions whose distances approximate given
// dissimilarities.
type Map struct {
	Points     []Point // mean 0, mean square distance from it 1; the X axis is where they spread most
	Alienation float64 // the coefficient of alienation, in [0, 1]
}

// classicalMap makes a map of a symmetric matrix of dissimilarities by Torgerson's
// classical scaling (1952, "Multidimensional scaling: I. Theory and method").
// Guttman's smallest space analysis, of which Raveh's co-plot takes its map, looks for
// the least alienation itself. On eleven logs and parts of them its coefficient is up
// to 0.09 lower, both below the 0.15 of a good map, for a search from 25 starts, and
// one workload far from the others makes those fall together.
func classicalMap(s [][]float64) Map {
	points := standard(classical(s))
	var flat []float64 // the lower triangle, row by row
	for i, row := range s {
		flat = append(flat, row[:i]...)
	}
	return Map{points, alienation(flat, distances(points))}
}

// alienation returns the coefficient of alienation of a map: how badly the order of
// its distances d is that of the dissimilarities s,
//
//	sqrt(1 - µ²),  µ = Σ (s_a - s_b)(d_a - d_b) / Σ |s_a - s_b| |d_a - d_b|,
//
// summed over all pairs a, b of pairs of points. It is 0 where the order is
// kept, ties aside, and 1 where it is not at all; maps below 0.15 are taken as
// good. Raveh (1986), "On measures of monotone association"; Talby, Feitelson
// and Raveh (1999). It is 0 where the dissimilarities, or the distances, have no
// order.
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

func distances(points []Point) []float64 {
	var d []float64
	for i := range points {
		for k := range i {
			d = append(d, distance(points[i], points[k]))
		}
	}
	return d
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
