package forest

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// made returns a table of n rows whose answer depends on the first column; the second is missing
// in a third of the rows, and some values are extreme.
func made(n int, seed uint64) Table {
	r := rand.New(rand.NewPCG(seed, 1))
	t := Table{Columns: [][]float64{make([]float64, n), make([]float64, n), make([]float64, n)}}
	for i := range n {
		x, y := r.ExpFloat64(), r.ExpFloat64()
		if r.IntN(3) == 0 {
			y = math.NaN()
		}
		t.Columns[0][i], t.Columns[1][i], t.Columns[2][i] = x, y, []float64{0, 1e300, math.Inf(1), math.Inf(-1)}[r.IntN(4)]
		t.Answers, t.Weights = append(t.Answers, 2*x+r.NormFloat64()), append(t.Weights, float64(1+r.IntN(3)))
	}
	return t
}

// The quantiles of a single leaf are those of the weighted answers, by hand.
func TestQuantilesByHand(t *testing.T) {
	table := Table{Columns: [][]float64{{1, 2, 3, 4, 5}}, Answers: []float64{30, 10, 20, 10, 40}, Weights: []float64{1, 1, 2, 3, 1}}
	f := Train(table, Options{Trees: 3, Leaf: 3}) // five rows are too few for two leaves of three
	var s Sample
	if !math.IsNaN(s.Quantile(0.5)) {
		t.Errorf("an empty sample: %g, want NaN", s.Quantile(0.5))
	}
	f.At([]float64{9}, 0, &s)
	// Of a total weight of 8, 10 has 4, 20 has 2, 30 and 40 have 1 each.
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

// Every other tree uses its own offset of a row: 1.5 above it, by hand, limited to between the
// least answer and ln 2 above the largest.
func TestOffsetsByHand(t *testing.T) {
	f := Train(Table{Columns: [][]float64{{1}}, Answers: []float64{2}, Weights: []float64{1}, Offsets: []float64{0.5}}, Options{Trees: 2, Leaf: 1})
	var s Sample
	for offset, want := range map[float64]float64{0.6: 2.1, 0.1: 2, 5: 2 + math.Ln2} {
		f.At([]float64{1}, offset, &s)
		if plain, relative := s.Quantile(0), s.Quantile(1); plain != 2 || math.Abs(relative-want) > 1e-12 {
			t.Errorf("offset %g: %g and %g, want 2 and %g", offset, plain, relative, want)
		}
	}
}

// Properties of any forest: a quantile is an answer in the table, rises with p, and has at least
// the share p of the weight of a row's leaves at or below it, and no more than p below it.
func TestProperties(t *testing.T) {
	for trial := range 30 {
		table := made(200+20*trial, uint64(trial))
		o := Options{Trees: 1 + trial%9, Leaf: 1 + trial%20, Share: 0.5, Seed: uint64(trial)}
		f := Train(table, o)
		var s Sample
		for i := range 20 {
			row := []float64{table.Columns[0][i], table.Columns[1][i], table.Columns[2][i]}
			f.At(row, 0, &s)
			last := math.Inf(-1)
			for p := 0.0; p <= 1; p += 0.0625 {
				q := s.Quantile(p)
				below, through := 0.0, 0.0
				for k := range f.trees {
					tree := &f.trees[k]
					leaf := tree.leaf(row)
					for _, m := range tree.members[tree.leaves[leaf]:tree.leaves[leaf+1]] {
						if tree.values[m.value] < q {
							below += float64(m.weight)
						}
						if tree.values[m.value] <= q {
							through += float64(m.weight)
						}
					}
				}
				want := p * float64(o.Trees)
				if q < last || !slices.Contains(table.Answers, q) || through < want-1e-4 || p > 0 && below > want+1e-4 {
					t.Fatalf("trial %d: quantile %g is %g, after %g, with %g below and %g through it of %d", trial, p, q, last, below, through, o.Trees)
				}
				last = q
			}
		}
	}
}

// A tree grown from some of the rows has only these; a forest is renewed from its youngest trees.
func TestRowsAndRenewed(t *testing.T) {
	table := made(1000, 4)
	f := Train(table, Options{Trees: 3, Rows: 100, Leaf: 1, Share: 0.4})
	for _, tree := range f.trees {
		if n := len(tree.members); n > 100 {
			t.Errorf("a tree of 100 rows has %d answers in its leaves", n)
		}
	}
	newer := Train(table, Options{Trees: 2, Leaf: 10, Share: 0.4, Seed: 1})
	both := f.Renewed(newer, 4).trees
	if len(both) != 4 || &both[0].nodes[0] != &newer.trees[0].nodes[0] || &both[3].nodes[0] != &f.trees[1].nodes[0] || len((*Forest)(nil).Renewed(newer, 4).trees) != 2 {
		t.Errorf("%d trees, or not the two new trees and the first two old ones", len(both))
	}
}
