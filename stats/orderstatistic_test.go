package stats

import (
	"math"
	"testing"
)

func TestUpperOrderStatistic(t *testing.T) {
	for _, want := range readReference(t).Ranks {
		got, ok := UpperOrderStatistic(want.N, want.Quantile, want.Confidence)
		if ok != (want.Rank > 0) || got.Rank != want.Rank || !near(got.Achieved, want.Achieved, 1e-11) {
			t.Errorf("got %+v, %t; want %+v", got, ok, want)
		}
		if ok && (got.N != want.N || got.Quantile != want.Quantile || got.Confidence != want.Confidence) {
			t.Errorf("the result does not repeat its inputs: %+v", got)
		}
	}
}

// So many values that adjacent float64s are more than 1 apart: ln(0.05)/ln(1-2^-53) is
// 2.9957322735539909 times 2^53.
func TestMinimumHistoryOfExtremes(t *testing.T) {
	got, want := float64(MinimumHistory(1-0x1p-53, 0.95)), 2.9957322735539909*0x1p53
	if math.Abs(got/want-1) > 1e-12 {
		t.Errorf("%g, want %g", got, want)
	}
}

func TestMinimumHistory(t *testing.T) {
	for _, c := range []struct {
		q, c float64
		want int
	}{
		{0.95, 0.95, 59}, {0.95, 0.99, 90}, // WAIT-BOUNDS, section 1
		{0.5, 0.5, 1}, {0.5, 0.75, 2}, {0.99, 0.95, 299},
		{0.9, 0.19, 2}, {0.3, 0.91, 3}, // q² is 1-c up to rounding: below it, and above, as float64s
		{0, 0.5, 0}, {1, 0.5, 0}, {0.5, 1, 0}, {math.NaN(), 0.5, 0}, {0.5, math.NaN(), 0},
	} {
		if got := MinimumHistory(c.q, c.c); got != c.want {
			t.Errorf("MinimumHistory(%g, %g) = %d, want %d", c.q, c.c, got, c.want)
		}
	}
}

func TestUpperRanksAgreeWithDirect(t *testing.T) {
	for _, c := range []struct{ q, c float64 }{{0.95, 0.95}, {0.95, 0.99}, {0.5, 0.9}, {0.75, 0.5}, {0.9, 0.05}, {0.999, 0.95}, {0.99, 0.999}, {0.1, 0.02}, {0.1, 0.999}} {
		r, err := NewUpperRanks(c.q, c.c)
		if err != nil {
			t.Fatal(err)
		}
		if r.Minimum() != MinimumHistory(c.q, c.c) {
			t.Errorf("minimum %d, want %d", r.Minimum(), MinimumHistory(c.q, c.c))
		}
		for n := 1; n < 20000; n += 1 + n/50 {
			got, gotOK := r.At(n)
			want, wantOK := UpperOrderStatistic(n, c.q, c.c)
			if gotOK != wantOK || got.Rank != want.Rank || !near(got.Achieved, want.Achieved, 1e-9) {
				t.Fatalf("table %+v, %t; direct %+v, %t", got, gotOK, want, wantOK)
			}
		}
	}
	for _, x := range []float64{0, 1, -1, math.NaN()} {
		if _, err := NewUpperRanks(x, 0.95); err == nil {
			t.Errorf("quantile %g: no error", x)
		}
		if _, err := NewUpperRanks(0.95, x); err == nil {
			t.Errorf("confidence %g: no error", x)
		}
	}
}

func TestChebyshev(t *testing.T) {
	var m Moments
	for _, x := range []float64{1, 2, 3, 4, 5} { // mean 3, variance 2.5
		m.Add(x)
	}
	two := Chebyshev(m, 0.95, false)
	if !near(two.Factor, 2*math.Sqrt(5), 1e-14) || !near(two.Value, 3+2*math.Sqrt(5)*math.Sqrt(2.5), 1e-14) || two.N != 5 || two.Quantile != 0.95 {
		t.Errorf("two-sided: %+v", two)
	}
	if one := Chebyshev(m, 0.95, true); !near(one.Factor, math.Sqrt(19), 1e-13) {
		t.Errorf("one-sided: %+v", one)
	}
	if b := Chebyshev(Moments{}, 0.95, false); !math.IsNaN(b.Value) {
		t.Errorf("without values: %+v", b)
	}
	if b := Chebyshev(m, 1, false); !math.IsNaN(b.Value) {
		t.Errorf("at quantile 1: %+v", b)
	}
}
