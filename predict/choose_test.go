package predict

import (
	"errors"
	"math"
	"strings"
	"testing"
)

// A = 4, sigma = 0, L = 1000 s: S(n) = n up to 4, then 4, so that R is 1000,
// 500, 250 and 250 s. With waits of 0, 100, 300 and 300 s the turnarounds are
// 1000, 600, 550 and 550 s: 4 processors, the smaller of two alike.
func TestLeastTurnaroundByHand(t *testing.T) {
	run := func(n int64) float64 { return 1000 / min(float64(n), 4) }
	waits := map[int64]float64{1: 0, 2: 100, 4: 300, 8: 300, 16: math.NaN()}
	wait := func(n int64) float64 { return waits[n] }
	choices, best, err := LeastTurnaround([]int64{8, 1, 2, 4, 16}, wait, run)
	if err != nil || best != 3 || choices[best] != (SizeChoice{4, 300, 250, 550}) {
		t.Fatalf("%v, %d of %v, want the fourth: 4 processors in 550 s", err, best, choices)
	}
	for i, want := range []float64{550, 1000, 600, 550} {
		if choices[i].Turnaround != want {
			t.Errorf("%d processors: %g s, want %g", choices[i].Size, choices[i].Turnaround, want)
		}
	}
	if !math.IsNaN(choices[4].Turnaround) {
		t.Errorf("a size without a prediction has a turnaround of %g", choices[4].Turnaround)
	}
	// sigma 1, by the second equation: S(n) = 2nA/(2A - 1 + n), for n = 4, A = 4:
	// 32/11, so R = 343.75 s; for n = 2 16/9, 562.5 s. 643.75 s in all against 662.5.
	run = func(n int64) float64 { return 1000 / (2 * float64(n) * 4 / (7 + float64(n))) }
	choices, best, _ = LeastTurnaround([]int64{1, 2, 4}, wait, run)
	if best != 2 || math.Abs(choices[2].Turnaround-643.75) > 1e-9 || math.Abs(choices[1].Turnaround-662.5) > 1e-9 {
		t.Errorf("%d of %v, want the last, in 643.75 s", best, choices)
	}
	// A table: 2 processors are not in it, and are not chosen.
	table, err := RunByTable(map[int64]float64{1: 50, 4: 10})
	if err != nil {
		t.Fatal(err)
	}
	if choices, best, err = LeastTurnaround([]int64{2, 4, 1}, wait, table); err != nil || best != 2 || !math.IsNaN(choices[0].Turnaround) {
		t.Errorf("%v: %d of %v, want the last", err, best, choices)
	}
}

func TestLeastTurnaroundFaults(t *testing.T) {
	one := func(int64) float64 { return 1 }
	for _, c := range []struct {
		sizes []int64
		wait  float64
		run   RunBySize
		want  string
	}{
		{nil, 0, one, "no sizes"},
		{[]int64{4, 0}, 0, one, "size of 0"},
		{[]int64{4, 2, 4}, 0, one, "4 twice"},
		{[]int64{4}, -1, one, "wait of -1"},
		{[]int64{4}, 0, func(int64) float64 { return -2 }, "run time of -2"},
		{[]int64{4}, math.NaN(), one, ErrNoChoice.Error()},
		{[]int64{4}, math.Inf(1), one, ErrNoChoice.Error()},
		{[]int64{4}, 0, func(int64) float64 { return math.NaN() }, ErrNoChoice.Error()},
	} {
		_, best, err := LeastTurnaround(c.sizes, func(int64) float64 { return c.wait }, c.run)
		if err == nil || !strings.Contains(err.Error(), c.want) || best != -1 {
			t.Errorf("%v: %d, %v, want %q", c.sizes, best, err, c.want)
		}
	}
	if choices, _, err := LeastTurnaround([]int64{4}, func(int64) float64 { return math.NaN() }, one); !errors.Is(err, ErrNoChoice) || len(choices) != 1 {
		t.Errorf("%v with %v, want ErrNoChoice with the choices", err, choices)
	}
	nan, inf := math.NaN(), math.Inf(1)
	for _, table := range []map[int64]float64{nil, {0: 1}, {1: 0}, {1: -1}, {1: nan}, {1: inf}} {
		if _, err := RunByTable(table); err == nil {
			t.Errorf("table %v: no error", table)
		}
	}
}
