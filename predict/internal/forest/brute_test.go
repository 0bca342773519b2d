package forest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// brute grows a tree from the definition: it uses random numbers as the forest does, and for each
// cut divides the rows and computes both sides' sums of squares anew. It returns the tree as
// text.
type brute struct {
	Table
	Options
	random *rand.Rand
	order  []int
	out    strings.Builder
}

func (b *brute) squares(rows []int) float64 {
	weight, sum, squares := 0.0, 0.0, 0.0
	for _, i := range rows {
		weight += b.Weights[i]
		sum += b.Weights[i] * b.Answers[i]
		squares += b.Weights[i] * b.Answers[i] * b.Answers[i]
	}
	return squares - sum*sum/weight
}

func (b *brute) divide(rows []int, column int, cut float64, missing bool) (left, right []int) {
	for _, i := range rows {
		if x := b.Columns[column][i]; x < cut || missing && math.IsNaN(x) {
			left = append(left, i)
		} else {
			right = append(right, i)
		}
	}
	return left, right
}

func (b *brute) grow(rows []int) {
	answers := map[float64]bool{}
	for _, i := range rows {
		answers[b.Answers[i]] = true
	}
	if len(rows) < 2*b.Leaf || len(answers) == 1 {
		b.end(rows)
		return
	}
	least := math.Inf(1)
	var left, right []int
	var cutAt string
	tries := int(math.Ceil(b.Share * float64(len(b.Columns))))
	for i := 0; i < len(b.order) && tries > 0; i++ {
		j := i + b.random.IntN(len(b.order)-i)
		b.order[i], b.order[j] = b.order[j], b.order[i]
		c := b.order[i]
		var known []float64
		for _, i := range rows {
			if x := b.Columns[c][i]; !math.IsNaN(x) {
				known = append(known, x)
			}
		}
		if len(known) == 0 || slices.Min(known) == slices.Max(known) && len(known) == len(rows) {
			continue
		}
		tries--
		lo, hi := float32(slices.Min(known)), float32(slices.Max(known))
		cut := math.Nextafter32(hi, math.MaxFloat32)
		if lo < hi {
			cut = lo + float32(1-b.random.Float64())*(hi-lo)
		}
		for _, missing := range []bool{false, true} {
			if missing && len(known) == len(rows) {
				continue
			}
			l, r := b.divide(rows, c, float64(cut), missing)
			if len(l) < b.Leaf || len(r) < b.Leaf {
				continue
			}
			if s := b.squares(l) + b.squares(r); s < least-1e-9 {
				least, left, right = s, l, r
				cutAt = fmt.Sprintf("(%d %g %v ", c, cut, missing)
			}
		}
	}
	if left == nil {
		b.end(rows)
		return
	}
	b.out.WriteString(cutAt)
	b.grow(left)
	b.grow(right)
	b.out.WriteString(")")
}

func (b *brute) end(rows []int) {
	total := 0.0
	shares := map[float64]float64{}
	for _, i := range rows {
		total += b.Weights[i]
		shares[b.Answers[i]] += b.Weights[i]
	}
	b.out.WriteString("[")
	var answers []float64
	for a := range shares {
		answers = append(answers, a)
	}
	slices.Sort(answers)
	for _, a := range answers {
		fmt.Fprintf(&b.out, "%g:%.5f ", a, shares[a]/total)
	}
	b.out.WriteString("]")
}

// text returns the tree in brute's format.
func (t *tree) text(i int32) string {
	n := t.nodes[i]
	if n.column >= 0 {
		return fmt.Sprintf("(%d %g %v ", n.column, n.cut, n.missing) + t.text(i+1) + t.text(n.right) + ")"
	}
	s := "["
	for _, m := range t.members[t.leaves[n.right]:t.leaves[n.right+1]] {
		s += fmt.Sprintf("%g:%.5f ", t.values[m.value], m.weight)
	}
	return s + "]"
}

// Trees equal those of brute, on answers and weights whose sums are exact and whose cuts have no
// ties.
func TestTreesAreThoseOfTheDefinition(t *testing.T) {
	for trial := range uint64(20) {
		r := rand.New(rand.NewPCG(trial, 7))
		n := 50 + r.IntN(300)
		table := Table{Columns: make([][]float64, 6), Answers: make([]float64, n), Weights: make([]float64, n)}
		for c := range table.Columns {
			table.Columns[c] = make([]float64, n)
			for i := range n {
				table.Columns[c][i] = float64(r.IntN(1 + 10*c))
				if c > 3 && r.IntN(4) == 0 {
					table.Columns[c][i] = math.NaN()
				}
			}
		}
		table.Columns[0][0] = 1 // otherwise the column is constant, which draws no random number
		for i := range n {
			table.Answers[i], table.Weights[i] = float64(r.IntN(20<<20))/(1<<20)+table.Columns[2][i], float64(1+r.IntN(3))
		}
		o := Options{Trees: 3, Leaf: 1 + r.IntN(8), Share: 0.5, Seed: trial}
		f := Train(table, o)
		for i := range f.trees {
			b := brute{Table: table, Options: o, random: rand.New(rand.NewPCG(trial, uint64(i)))}
			var rows []int
			for i := range n {
				rows = append(rows, i)
			}
			for c := range table.Columns {
				b.order = append(b.order, c)
			}
			b.grow(rows)
			if got, want := f.trees[i].text(0), b.out.String(); got != want {
				t.Fatalf("trial %d, tree %d:\n%s\nwant\n%s", trial, i, got, want)
			}
		}
	}
}
