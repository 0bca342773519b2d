package num

import (
	"errors"
	"math"
	"testing"
)

func TestRoot(t *testing.T) {
	for _, c := range []struct {
		name   string
		f      func(float64) float64
		lo, hi float64
		want   float64
	}{
		{"line", func(x float64) float64 { return x - 3 }, 0, 10, 3},
		{"backwards", func(x float64) float64 { return 3 - x }, 10, 0, 3},
		{"flat cube", func(x float64) float64 { return (x - 1) * (x - 1) * (x - 1) }, -4, 5, 1},
		{"cosine", math.Cos, 1, 2, math.Pi / 2},
		{"step", func(x float64) float64 { return math.Copysign(1, x-0.7) }, 0, 1, 0.7},
		{"at an end", func(x float64) float64 { return x }, 0, 1, 0},
		{"steep", func(x float64) float64 { return math.Log(x) + 500 }, 1e-300, 1, math.Exp(-500)},
	} {
		got, err := Root(c.f, c.lo, c.hi, 1e-15*math.Abs(c.want))
		tol := 1e-12 * math.Abs(c.want)
		if c.name == "flat cube" {
			tol = 1e-5 // f is below the smallest number near its zero
		}
		if err != nil || math.Abs(got-c.want) > tol {
			t.Errorf("%s: root %.17g, %v; want %.17g", c.name, got, err, c.want)
		}
	}
	if _, err := Root(math.Exp, 0, 1, 0); !errors.Is(err, ErrNoBracket) {
		t.Errorf("no sign change: error %v", err)
	}
	if _, err := Root(math.Sqrt, -1, 1, 0); err == nil {
		t.Error("NaN at an end: no error")
	}
	if _, err := Root(func(x float64) float64 {
		if x > 0.2 && x < 0.8 {
			return math.NaN()
		}
		return x - 0.5
	}, 0, 1, 0); err == nil {
		t.Error("NaN inside: no error")
	}
}
