package stats

import (
	"errors"
	"fmt"
	"math"
)

// CoPlot shows observations of several variables on one map (Raveh, 2000, "Co-plot: a
// graphic display method for geometrical representations of MCDM"; Talby, Feitelson and
// Raveh, 1999, apply it to workloads). Similar observations are close to each other, and
// each variable is an arrow that points towards observations with large values. Arrows of
// positively correlated variables point the same way, arrows of negatively correlated ones
// in opposite ways.
type CoPlot struct {
	Means, StdDevs  []float64   // by variable, StdDevs with divisor n-1
	Normalised      [][]float64 // by observation and variable: less the mean, over the standard deviation
	Dissimilarities [][]float64 // of two observations: the sum of the |differences| of normalised variables
	Map             Map         // of the observations
	Arrows          []Arrow     // by variable
}

// Arrow is the direction of a variable on a Map.
type Arrow struct {
	// X and Y are the direction, a vector of length 1, along which the points' positions
	// correlate most with the variable.
	X, Y float64
	// Correlation is that correlation, in [0, 1]. The map does not represent variables with
	// a low one; they are better left out.
	Correlation float64
}

// NewCoPlot makes a co-plot of a table of observations (rows) and variables (columns). The
// map is computed by classical scaling; Raveh's preserves only the order of the
// dissimilarities.
//
// It is an error if there are fewer than three observations or no variable, if rows differ
// in length, if a number is not finite, or if a variable is constant.
func NewCoPlot(table [][]float64) (CoPlot, error) {
	if len(table) < 3 {
		return CoPlot{}, fmt.Errorf("stats: co-plot of %d observations, want at least 3", len(table))
	}
	variables := len(table[0])
	if variables == 0 {
		return CoPlot{}, errors.New("stats: co-plot of no variables, want at least one")
	}
	c := CoPlot{Normalised: make([][]float64, len(table)), Dissimilarities: make([][]float64, len(table))}
	moments := make([]Moments, variables)
	for i, row := range table {
		if len(row) != variables {
			return CoPlot{}, fmt.Errorf("stats: co-plot: observation %d has %d variables, want %d", i, len(row), variables)
		}
		for j, v := range row {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return CoPlot{}, fmt.Errorf("stats: co-plot: variable %d of observation %d is %g, want a finite number", j, i, v)
			}
			moments[j].Add(v)
		}
	}
	for j, m := range moments {
		// A spread that is rounding alone is none.
		if math.IsInf(m.StdDev(), 0) || math.IsNaN(m.StdDev()) {
			return CoPlot{}, fmt.Errorf("stats: co-plot: variable %d has a standard deviation beyond 1.8e308, want a finite one", j)
		}
		if !(m.StdDev() > 1e-12*math.Abs(m.Mean())) {
			return CoPlot{}, fmt.Errorf("stats: co-plot: variable %d has standard deviation %g, want one that varies", j, m.StdDev())
		}
		c.Means, c.StdDevs = append(c.Means, m.Mean()), append(c.StdDevs, m.StdDev())
	}
	for i, row := range table {
		c.Normalised[i] = make([]float64, variables)
		for j, v := range row {
			c.Normalised[i][j] = (v - c.Means[j]) / c.StdDevs[j]
		}
	}
	for i, a := range c.Normalised {
		c.Dissimilarities[i] = make([]float64, len(table))
		for k := range i {
			sum := 0.0
			for j, v := range c.Normalised[k] {
				sum += math.Abs(a[j] - v)
			}
			c.Dissimilarities[i][k], c.Dissimilarities[k][i] = sum, sum
		}
	}
	c.Map = classicalMap(c.Dissimilarities)
	for j := range variables {
		column := make([]float64, len(table))
		for i := range table {
			column[i] = c.Normalised[i][j]
		}
		c.Arrows = append(c.Arrows, arrowOf(c.Map.Points, column))
	}
	return c, nil
}

// arrowOf is the direction of the least-squares plane of v over the map: of all
// directions the one whose places correlate most with v.
func arrowOf(points []Point, v []float64) Arrow {
	var xx, yy, xy, xv, yv, vv, mean float64
	n := float64(len(points))
	for _, z := range v {
		mean += z / n
	}
	for i, p := range points { // whose means are 0
		z := v[i] - mean
		xx += p.X * p.X
		yy += p.Y * p.Y
		xy += p.X * p.Y
		xv += p.X * z
		yv += p.Y * z
		vv += z * z
	}
	// Across a map that is a line there is rounding alone: a spread of 10^-6 of
	// the one along it or less.
	if det := xx*yy - xy*xy; det > 1e-12*(xx+yy)*(xx+yy) {
		bx, by := (yy*xv-xy*yv)/det, (xx*yv-xy*xv)/det
		if length := math.Hypot(bx, by); length > 0 {
			return Arrow{bx / length, by / length, math.Sqrt(max(0, min(1, (bx*xv+by*yv)/vv)))}
		}
		return Arrow{X: 1}
	}
	// All points on the X axis, which is where they spread most.
	r := xv / math.Sqrt(xx*vv)
	return Arrow{math.Copysign(1, r), 0, min(1, math.Abs(r))}
}
