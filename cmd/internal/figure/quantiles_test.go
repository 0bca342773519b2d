package figure

import (
	"math"
	"testing"
)

func TestQQRange(t *testing.T) {
	from, to, err := qqRange([]Pairs{{Name: "a", Model: []float64{0, 2, 400, 5000, 1e300}, Log: []float64{1, 10, 100, 200, 300}}, {Name: "b", Model: []float64{0.2}, Log: []float64{math.NaN()}}})
	// The data are from 1 to 300; up to ten times outside of it the laws
	// count: 0.2, and 400 but not 5000.
	if err != nil || !agree(from, 0.2/1.1) || !agree(to, 400*1.1) {
		t.Errorf("%v to %v, %v", from, to, err)
	}
	for _, bad := range [][]Pairs{nil, {{Name: "x", Model: []float64{1}}}, {{Name: "x", Model: []float64{1}, Log: []float64{0}}}} {
		if _, _, err := qqRange(bad); err == nil {
			t.Errorf("%v: no error", bad)
		}
	}
}
