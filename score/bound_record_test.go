package score

import (
	"math"
	"testing"
)

func TestBoundRecordBetter(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		name         string
		better, than BoundRecord
	}{
		{"kept before a smaller loss", BoundRecord{0.95, 0.96, 9}, BoundRecord{0.95, 0.93, 1}},
		{"a percentage point is forgiven", BoundRecord{0.95, 0.9401, 9}, BoundRecord{0.95, 0.9399, 1}},
		{"both kept: the smaller loss", BoundRecord{0.95, 0.945, 1}, BoundRecord{0.95, 0.999, 2}},
		{"neither kept: the larger coverage", BoundRecord{0.95, 0.9, 9}, BoundRecord{0.95, 0.8, 1}},
		{"an unknown coverage is not kept", BoundRecord{0.95, 0.95, 9}, BoundRecord{0.95, nan, 1}},
	} {
		if !c.better.Better(c.than) || c.than.Better(c.better) {
			t.Errorf("%s: %+v is not better than %+v", c.name, c.better, c.than)
		}
	}
	if same := (BoundRecord{0.95, 0.96, 1}); same.Better(same) {
		t.Error("better than itself")
	}
}

// From tables of the binomial distribution: of 20 waits missed with probability 0.05 each, 3 or
// more are missed with probability 0.0755 and 4 or more with 0.0159; of 100, 9 or more with
// 0.0631 and 10 or more with 0.0282.
func TestBoundRecordClearlyBelow(t *testing.T) {
	for _, c := range []struct {
		missed, waits int
		want          bool
	}{
		{0, 20, false}, {3, 20, false}, {4, 20, true}, {20, 20, true},
		{9, 100, false}, {10, 100, true}, {0, 0, false},
	} {
		r := BoundRecord{Quantile: 0.95, Coverage: float64(c.waits-c.missed) / float64(c.waits)}
		if got := r.ClearlyBelow(c.waits); got != c.want {
			t.Errorf("%d of %d missed: %t", c.missed, c.waits, got)
		}
	}
}
