package stats

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

func TestCorrelationAgainstSciPy(t *testing.T) {
	r := readReference(t).Line
	var c Correlation
	for i := range r.X {
		c.Add(r.X[i], r.Y[i])
	}
	if !near(c.R(), r.R, 1e-12) || !near(c.Slope(), r.Slope, 1e-12) || !near(c.Intercept(), r.Intercept, 1e-12) || !near(c.RSquared(), r.R*r.R, 1e-12) {
		t.Errorf("r %g, line %g + %g x; want %g, %g + %g x", c.R(), c.Intercept(), c.Slope(), r.R, r.Intercept, r.Slope)
	}
	var flat Correlation
	flat.Add(1, 2)
	flat.Add(2, 2)
	if !math.IsNaN(flat.R()) || flat.Slope() != 0 || flat.Intercept() != 2 {
		t.Errorf("y constant: r %g, line %g + %g x", flat.R(), flat.Intercept(), flat.Slope())
	}
	var none Correlation
	if !math.IsNaN(none.R()) || !math.IsNaN(none.Slope()) || !math.IsNaN(none.Intercept()) {
		t.Error("of nothing: numbers")
	}
}

func TestCorrelationMerge(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all, parts := batches(t, rapid.Float64Range(-100, 100))
		add := func(c *Correlation, x float64) { c.Add(x, math.Sin(x)*10+x/3) }
		var whole, merged Correlation
		for _, x := range all {
			add(&whole, x)
		}
		for _, p := range parts {
			var c Correlation
			for _, x := range p {
				add(&c, x)
			}
			merged.Merge(c)
		}
		if merged.N() != whole.N() {
			t.Fatalf("%d pairs, want %d", merged.N(), whole.N())
		}
		for _, v := range [][2]float64{
			{merged.meanX, whole.meanX}, {merged.meanY, whole.meanY}, {merged.xx, whole.xx}, {merged.yy, whole.yy}, {merged.xy, whole.xy},
		} {
			if math.Abs(v[0]-v[1]) > 1e-9*(1+whole.xx+whole.yy) {
				t.Fatalf("merged %+v, one by one %+v", merged, whole)
			}
		}
	})
}
