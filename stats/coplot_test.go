package stats

import (
	"encoding/json"
	"math"
	"os"
	"strings"
	"testing"
)

// coPlotReference is testdata/coplot.json: values of NumPy and SciPy, by
// coplot.py.
type coPlotReference struct {
	Wasserstein []struct {
		X, Y     []float64
		Distance float64
	}
	CoPlots []struct {
		Table           [][]float64
		Dissimilarities []float64
		Points          [][]float64
		Alienation      float64
		Distances       []float64
		Correlations    []float64
	}
	Given struct {
		S          []float64
		Points     [][]float64
		Alienation float64
	}
}

func readCoPlotReference(t *testing.T) coPlotReference {
	t.Helper()
	data, err := os.ReadFile("testdata/coplot.json")
	if err != nil {
		t.Fatal(err)
	}
	var r coPlotReference
	if err := json.Unmarshal(data, &r); err != nil {
		t.Fatal(err)
	}
	if len(r.Wasserstein) != 5 || len(r.CoPlots) != 2 {
		t.Fatal("testdata/coplot.json is not whole")
	}
	return r
}

func pointsOf(rows [][]float64) []Point {
	var points []Point
	for _, p := range rows {
		points = append(points, Point{p[0], p[1]})
	}
	return points
}

// The maps are the same up to rotation, reflection and scale, which is to say that
// their distances are proportional.
func TestCoPlotAgreesWithNumPy(t *testing.T) {
	for _, r := range readCoPlotReference(t).CoPlots {
		c, err := NewCoPlot(r.Table)
		if err != nil {
			t.Fatal(err)
		}
		var flat []float64
		for i, row := range c.Dissimilarities {
			flat = append(flat, row[:i]...)
		}
		for i, want := range r.Dissimilarities {
			if !near(flat[i], want, 1e-12) {
				t.Errorf("dissimilarity %d is %.15g, want %.15g", i, flat[i], want)
			}
		}
		if got := alienation(flat, distances(pointsOf(r.Points))); !near(got, r.Alienation, 1e-9) {
			t.Errorf("alienation of the other program's map is %.12g, want %.12g", got, r.Alienation)
		}
		if !near(c.Map.Alienation, r.Alienation, 1e-9) {
			t.Errorf("alienation %.12g, want %.12g", c.Map.Alienation, r.Alienation)
		}
		ours := distances(c.Map.Points)
		scale, off := rms(r.Distances)/rms(ours), 0.0
		for i, want := range r.Distances {
			off = max(off, math.Abs(scale*ours[i]-want)/rms(r.Distances))
		}
		t.Logf("alienation %.6f against %.6f; largest difference of distances %.4f of their root mean square", c.Map.Alienation, r.Alienation, off)
		if off > 1e-9 {
			t.Errorf("distances differ by up to %.3f of their root mean square", off)
		}
		for j, want := range r.Correlations {
			if a := c.Arrows[j]; math.Abs(a.Correlation-want) > 1e-6 || !near(math.Hypot(a.X, a.Y), 1, 1e-12) {
				t.Errorf("arrow %d: %+v, want correlation %.4f", j, a, want)
			}
		}
	}
}

func rms(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v * v
	}
	return math.Sqrt(sum / float64(len(x)))
}

func TestAlienation(t *testing.T) {
	r := readCoPlotReference(t).Given
	if got := alienation(r.S, distances(pointsOf(r.Points))); !near(got, r.Alienation, 1e-12) {
		t.Errorf("%.15g, want %.15g", got, r.Alienation)
	}
	// Dissimilarities 1, 2, 3 and distances 1, 3, 2: of the differences 1, 2, 1
	// and 2, 1, -1 the products are 2, 2, -1, so µ = 3/5.
	s := []float64{1, 2, 3}
	if got := alienation(s, []float64{1, 3, 2}); !near(got, 0.8, 1e-15) {
		t.Errorf("%g, want 0.8", got)
	}
	// Distances in the opposite order are as bad as it gets, in order perfect.
	if got := alienation(s, []float64{1, 2, 3}); got != 0 {
		t.Errorf("in order: %g", got)
	}
	if got := alienation(s, []float64{9, 8, 1}); got != 1 {
		t.Errorf("in the wrong order: %g", got)
	}
}

// Points of a plane are found again, and variables that are their coordinates have arrows at right angles with
// correlation 1.
func TestMapOfAPlane(t *testing.T) {
	plane := []Point{{0, 0}, {4, 0.3}, {1, 2}, {3, 1.2}, {0.4, 1.1}, {2.2, 0.1}, {5, 2.1}, {3.7, 2.6}, {1.2, 0.7}}
	s := make([][]float64, len(plane))
	for i, a := range plane {
		s[i] = make([]float64, len(plane))
		for k, b := range plane {
			s[i][k] = distance(a, b)
		}
	}
	m := classicalMap(s)
	if m.Alienation > 1e-6 {
		t.Fatalf("%+v", m)
	}
	var xs, ys []float64
	for _, p := range plane {
		xs, ys = append(xs, p.X), append(ys, p.Y)
	}
	x, y := arrowOf(m.Points, xs), arrowOf(m.Points, ys)
	if x.Correlation < 1-1e-9 || y.Correlation < 1-1e-9 || math.Abs(x.X*y.X+x.Y*y.Y) > 1e-9 {
		t.Errorf("arrows %+v and %+v", x, y)
	}
}

func TestCoPlotOfFewAndOfTwins(t *testing.T) {
	// Two observations alike lie on one place; one variable makes a line.
	c, err := NewCoPlot([][]float64{{1}, {1}, {2}, {4}})
	if err != nil || c.Map.Points[0] != c.Map.Points[1] && distance(c.Map.Points[0], c.Map.Points[1]) > 1e-6 || c.Map.Alienation > 1e-6 || !near(c.Arrows[0].Correlation, 1, 1e-3) {
		t.Errorf("%+v, %v", c, err)
	}
	again, _ := NewCoPlot([][]float64{{1}, {1}, {2}, {4}})
	for i, p := range c.Map.Points {
		if again.Map.Points[i] != p {
			t.Errorf("point %d is %v, then %v", i, p, again.Map.Points[i])
		}
	}
	nan := math.NaN()
	for _, bad := range []struct {
		table [][]float64
		want  string
	}{
		{[][]float64{{1}, {2}}, "2 observations"},
		{[][]float64{{}, {}, {}}, "no variables"},
		{[][]float64{{1, 2}, {2}, {3, 1}}, "observation 1 has 1 variables"},
		{[][]float64{{1, 2}, {2, nan}, {3, 1}}, "variable 1 of observation 1"},
		{[][]float64{{1, 2}, {2, 2}, {3, 2}}, "variable 1 has standard deviation 0"},
		{[][]float64{{1, 2}, {2, 1e300}, {3, -1e300}}, "variable 1 has a standard deviation beyond 1.8e308"},
	} {
		if _, err := NewCoPlot(bad.table); err == nil || !strings.Contains(err.Error(), bad.want) {
			t.Errorf("%v: %v, want %q", bad.table, err, bad.want)
		}
	}
}

// Of v = 2x - y the direction is (2, -1) over sqrt 5, also where x and y go
// together.
func TestArrowOfAPlane(t *testing.T) {
	points := []Point{{2, 1}, {-2, -1}, {1, 1}, {-1, -1}, {0.5, -0.5}, {-0.5, 0.5}}
	var v []float64
	for _, p := range points {
		v = append(v, 2*p.X-p.Y+7)
	}
	if a := arrowOf(points, v); !near(a.X, 2/math.Sqrt(5), 1e-12) || !near(a.Y, -1/math.Sqrt(5), 1e-12) || !near(a.Correlation, 1, 1e-12) {
		t.Errorf("%+v", a)
	}
	// Points on a line but for rounding.
	line := []Point{{-1, -9e-9}, {-0.3, 1.3e-8}, {1.3, -4e-9}}
	if a := arrowOf(line, []float64{3, 2, 1}); a.X != -1 || a.Y != 0 || a.Correlation > 0.999 {
		t.Errorf("of a line: %+v", a)
	}
}
