package figure

import (
	"math"

	"gonum.org/v1/plot/plotter"
)

const (
	// mostPoints is how many points a line has that is drawn as it is.
	mostPoints = 2000
	// lineColumns is how many columns a longer one is cut down by: about one a
	// point of the figure's width.
	lineColumns = 400
	// mostStroked is how many points a line has that is drawn in one stroke; a
	// longer one is drawn in parts: the time to stroke noise in a PNG grows with
	// the square of its points, and more.
	mostStroked, partStroked = 800, 10
)

// decimated is a line cut down to what can be seen of it: of the points in a row
// that fall into one column of the figure the first, the lowest, the highest and
// the last. Points without a place on the axes stay, for they break the line.
func (s *sheet) decimated(points plotter.XYs) plotter.XYs {
	if len(points) <= mostPoints {
		return points
	}
	var kept plotter.XYs
	for from := 0; from < len(points); {
		if !onAxis(s.X, points[from].X) || !onAxis(s.Y, points[from].Y) {
			if k := len(kept); k == 0 || !math.IsNaN(kept[k-1].Y) {
				kept = append(kept, plotter.XY{X: points[from].X, Y: math.NaN()})
			}
			from++
			continue
		}
		column := math.Floor(lineColumns * s.X.Norm(points[from].X))
		low, high, to := from, from, from+1
		for ; to < len(points) && onAxis(s.X, points[to].X) && onAxis(s.Y, points[to].Y) && math.Floor(lineColumns*s.X.Norm(points[to].X)) == column; to++ {
			if points[to].Y < points[low].Y {
				low = to
			}
			if points[to].Y > points[high].Y {
				high = to
			}
		}
		last := -1
		for _, i := range []int{from, min(low, high), max(low, high), to - 1} {
			if i != last {
				kept = append(kept, points[i])
			}
			last = i
		}
		from = to
	}
	return kept
}
