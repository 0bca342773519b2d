package predict

import (
	"slices"
	"strings"
	"testing"
)

// Every predictor of bounds is made by its name.
func TestBoundsByName(t *testing.T) {
	for _, name := range slices.Concat(BoundNames(), BoundVariants()) {
		if p, err := NewBound(name, 0.95, 0.9, BoundOptions{}); err != nil || p.Name() != name {
			t.Errorf("%s: %v, %v", name, p, err)
		}
	}
	if _, err := NewBound("oracle", 0.95, 0.9, BoundOptions{}); err == nil || !strings.Contains(err.Error(), "want one of bmbp, chebyshev, qbets, bmbp-authors") {
		t.Errorf("error %v", err)
	}
	point := BoundMethod{"scribe", func(_, _ float64, _ BoundOptions) (BoundPredictor, error) { return new(scribe), nil }, true}
	o := BoundOptions{Methods: append(BoundMethods(), point)}
	if all, err := NewBounds([]string{"scribe", "bmbp", ConformalPoint}, []float64{0.5, 0.9}, 0.9, o); err != nil || len(all) != 4 {
		t.Errorf("%d predictors, error %v, want one of points, two of bounds, one of points", len(all), err)
	}
	if _, err := NewBound("bmbp", 1, 0.9, BoundOptions{}); err == nil {
		t.Error("a quantile of 1 is taken")
	}
}
