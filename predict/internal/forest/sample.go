package forest

import (
	"cmp"
	"math"
	"slices"
)

// Sample is the predictive distribution of one row: the answers of the leaves
// into which it falls, with their weights. The zero value is ready for
// Forest.At; reusing a Sample avoids allocation. It is not safe for concurrent use.
type Sample struct {
	found []answer // in ascending order
	total float64  // sum of the weights
}

type answer struct {
	value, weight float64
	through       float64 // cumulative weight, up to and including this answer
}

// At sets s to the distribution of the answer for a row of values with the given offset.
func (f *Forest) At(row []float64, offset float64, s *Sample) {
	s.found, s.total = s.found[:0], 0
	for i := range f.trees {
		t := &f.trees[i]
		leaf := t.leaf(row)
		for _, m := range t.members[t.leaves[leaf]:t.leaves[leaf+1]] {
			value := t.values[m.value]
			if t.relative {
				value = max(t.least, min(value+offset, t.most))
			}
			s.found = append(s.found, answer{value: value, weight: float64(m.weight)})
		}
	}
	slices.SortFunc(s.found, func(a, b answer) int { return cmp.Compare(a.value, b.value) })
	for i := range s.found {
		s.total += s.found[i].weight
		s.found[i].through = s.total
	}
}

// leaf returns the number of the leaf into which a row falls.
func (t *tree) leaf(row []float64) int32 {
	for i := int32(0); ; {
		n := &t.nodes[i]
		if n.column < 0 {
			return n.right
		}
		if x := single(row[n.column]); x < n.cut || n.missing && x != x {
			i++
		} else {
			i = n.right
		}
	}
}

// Quantile returns the smallest answer that has at least the share p of the
// weight at or below it. It returns the smallest answer for p = 0, and NaN for p
// outside [0, 1] and for an empty sample.
func (s *Sample) Quantile(p float64) float64 {
	if !(p >= 0 && p <= 1) || len(s.found) == 0 {
		return math.NaN()
	}
	want := p * s.total * (1 - 1e-12) // tolerates rounding of the sums
	i, _ := slices.BinarySearchFunc(s.found, want, func(a answer, want float64) int { return cmp.Compare(a.through, want) })
	return s.found[min(i, len(s.found)-1)].value
}
