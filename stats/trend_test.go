package stats

import (
	"encoding/json"
	"math"
	"os"
	"testing"
)

// The p-values and slopes are SciPy's, by testdata/trend.py.
func TestMannKendallIsSciPys(t *testing.T) {
	text, err := os.ReadFile("testdata/trend.json")
	if err != nil {
		t.Fatal(err)
	}
	var reference struct {
		Trends []struct {
			Series []float64
			PValue float64 `json:"p_value"`
			Slope  float64
		}
	}
	if err := json.Unmarshal(text, &reference); err != nil {
		t.Fatal(err)
	}
	if len(reference.Trends) < 5 {
		t.Fatalf("%d series", len(reference.Trends))
	}
	for i, want := range reference.Trends {
		got := MannKendall(want.Series)
		if math.Abs(float64(got.PValue)-want.PValue) > 1e-12 || math.Abs(float64(got.Slope)-want.Slope) > 1e-12 {
			t.Errorf("series %d: p %v and slope %v, want %v and %v", i, got.PValue, got.Slope, want.PValue, want.Slope)
		}
	}
}

func TestMannKendallByHand(t *testing.T) {
	nan := math.NaN()
	// Unknown places count in the distance: the slopes are 2/2, 4/4 and 2/2.
	if got := MannKendall([]float64{1, nan, 3, nan, 5}); got.N != 3 || got.S != 3 || got.Slope != 1 {
		t.Errorf("with gaps: %+v", got)
	}
	// Of the 24 orders of four values one falls in all six pairs and one in none.
	if got := MannKendall([]float64{4, 3, 2, 1}); math.Abs(float64(got.PValue)-2./24) > 1e-15 || got.S != -6 {
		t.Errorf("falling: %+v", got)
	}
	if got := MannKendall([]float64{2, 2, 2, 2}); got.PValue != 1 || got.Slope != 0 {
		t.Errorf("a constant: %+v", got)
	}
	for _, few := range [][]float64{nil, {1}, {nan, nan}} {
		if got := MannKendall(few); !math.IsNaN(float64(got.PValue)) || !math.IsNaN(float64(got.Slope)) {
			t.Errorf("%v: %+v", few, got)
		}
	}
}
