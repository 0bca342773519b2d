package forest

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// made returns a table of n rows whose answer depends on the first three of its
// columns; the last but one is missing in a third of the rows, and the last is the same
// in all.
func made(n, columns int, seed uint64) Table {
	r := rand.New(rand.NewPCG(seed, 1))
	t := Table{Columns: make([][]float64, columns), Answers: make([]float64, n), Weights: slices.Repeat([]float64{1}, n)}
	for c := range t.Columns {
		t.Columns[c] = make([]float64, n)
		for i := range n {
			switch {
			case c == columns-1:
				t.Columns[c][i] = 7
			case c == columns-2 && r.IntN(3) == 0:
				t.Columns[c][i] = math.NaN()
			default:
				t.Columns[c][i] = math.Log(1 / (1 - r.Float64()))
			}
		}
	}
	for i := range n {
		if t.Columns[2][i] > 0.5 {
			t.Answers[i] = t.Columns[0][i] + 2*t.Columns[1][i] + r.NormFloat64()
		}
	}
	return t
}

func (t *Table) row(i int) []float64 {
	var row []float64
	for _, c := range t.Columns {
		row = append(row, c[i])
	}
	return row
}

// The quantiles of one leaf are those of the weighted answers, by hand.
func TestQuantilesByHand(t *testing.T) {
	table := Table{Columns: [][]float64{{1, 2, 3, 4, 5}}, Answers: []float64{30, 10, 20, 10, 40}, Weights: []float64{1, 1, 2, 3, 1}}
	f := Train(table, Options{Trees: 3, Leaf: 3}) // five rows make no two leaves of three
	var s Sample
	if !math.IsNaN(s.Quantile(0.5)) {
		t.Errorf("an empty sample: %g, want NaN", s.Quantile(0.5))
	}
	f.At([]float64{9}, &s)
	// Of a weight of 8, 10 has 4, 20 has 2, 30 and 40 have 1 each.
	for p, want := range map[float64]float64{0: 10, 0.25: 10, 0.5: 10, 0.51: 20, 0.75: 20, 0.76: 30, 0.875: 30, 0.88: 40, 1: 40} {
		if got := s.Quantile(p); got != want {
			t.Errorf("quantile %g: %g, want %g", p, got, want)
		}
	}
	for _, p := range []float64{-0.1, 1.1, math.NaN()} {
		if got := s.Quantile(p); !math.IsNaN(got) {
			t.Errorf("quantile %g: %g, want NaN", p, got)
		}
	}
}

// Properties of any forest: a quantile is an answer of the table, rises with p, holds
// the share p of the sample, and does not depend on a strictly rising map of the
// answers where one leaf holds all.
func TestProperties(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 0))
	for trial := range 30 {
		table := made(200+r.IntN(800), 5, uint64(trial))
		for i := range table.Weights {
			table.Weights[i] = max(float64(r.IntN(3)), float64(1-trial%2))
			if i < 30 && trial%3 == 0 { // extreme values
				table.Columns[0][i] = math.Inf(1 - i%2*2)
				table.Columns[1][i] = 1e300 * float64(i%3-1)
			}
		}
		o := Options{Trees: 1 + r.IntN(9), Leaf: 1 + r.IntN(20), Share: 0.2 + 0.8*r.Float64(), Seed: uint64(trial)}
		f := Train(table, o)
		var s Sample
		for i := range 20 {
			f.At(table.row(i), &s)
			last := math.Inf(-1)
			for p := 0.0; p <= 1; p += 0.0625 {
				q := s.Quantile(p)
				if q < last || !slices.Contains(table.Answers, q) {
					t.Fatalf("trial %d: quantile %g is %g, after %g", trial, p, q, last)
				}
				below, through := 0.0, 0.0
				for _, a := range s.found {
					if a.value < q {
						below += a.weight
					}
					if a.value <= q {
						through += a.weight
					}
				}
				if through/s.total < p-1e-9 || p > 0 && below/s.total > p+1e-9 {
					t.Fatalf("trial %d: quantile %g is %g, with %g below and %g through it", trial, p, q, below/s.total, through/s.total)
				}
				last = q
			}
			if math.Abs(s.total-float64(o.Trees)) > 1e-4 {
				t.Fatalf("trial %d: a weight of %g of %d trees", trial, s.total, o.Trees)
			}
		}
	}
}

// A tree of some of the rows has these alone; a forest is renewed from its youngest trees.
func TestRowsAndRenewed(t *testing.T) {
	table := made(1000, 5, 4)
	f := Train(table, Options{Trees: 3, Rows: 100, Leaf: 1, Share: 0.4})
	for _, tree := range f.trees {
		if n := len(tree.members); n > 100 {
			t.Errorf("a tree of 100 rows has %d answers in its leaves", n)
		}
	}
	newer := Train(table, Options{Trees: 2, Leaf: 10, Share: 0.4, Seed: 1})
	both := f.Renewed(newer, 4)
	if len(both.trees) != 4 || &both.trees[0].nodes[0] != &newer.trees[0].nodes[0] || &both.trees[3].nodes[0] != &f.trees[1].nodes[0] {
		t.Errorf("%d trees, or others than the two new ones and the first two of the old", len(both.trees))
	}
	if len(f.trees) != 3 || len((*Forest)(nil).Renewed(newer, 4).trees) != 2 {
		t.Error("the forest has changed, or none is renewed to another than the newer")
	}
}
