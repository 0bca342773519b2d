package forest

import (
	"math"
	"slices"
)

// Sample is the predictive distribution of one row: the answers of the leaves
// into which it falls, with their weights. The zero value is ready for
// Forest.At; reusing a Sample avoids allocation. It is used by one goroutine.
//
// The answers are put into bins of equal width; only the bin that contains a
// requested quantile is sorted.
type Sample struct {
	least, largest float64
	total          float64
	found          []answer // by leaf
	binned         []answer // by bin
	ends           [bins]int32
	weights        [bins]float64
	sorted         [bins]bool
}

const bins = 128

type answer struct {
	value, weight float64
}

// At puts the distribution of the answer for a row of values into s.
func (f *Forest) At(row []float64, s *Sample) {
	s.found = s.found[:0]
	s.least, s.largest = math.Inf(1), math.Inf(-1)
	for i := range f.trees {
		t := &f.trees[i]
		leaf := t.leaf(row)
		members := t.members[t.leaves[leaf]:t.leaves[leaf+1]]
		s.least = min(s.least, t.values[members[0].value])
		s.largest = max(s.largest, t.values[members[len(members)-1].value])
		for _, m := range members {
			s.found = append(s.found, answer{t.values[m.value], float64(m.weight)})
		}
	}
	s.bin()
}

// leaf returns the number of the leaf that a row falls into.
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

// at returns the bin of a value; it never falls as the value rises.
func (s *Sample) at(value float64) int {
	width := s.largest - s.least
	if !(width > 0 && width <= math.MaxFloat64) {
		return 0
	}
	return int((value - s.least) / width * (bins - 1))
}

// bin sorts the answers into bins.
func (s *Sample) bin() {
	s.ends, s.weights, s.sorted = [bins]int32{}, [bins]float64{}, [bins]bool{}
	s.total = 0
	for _, a := range s.found {
		b := s.at(a.value)
		s.ends[b]++
		s.weights[b] += a.weight
		s.total += a.weight
	}
	begin := int32(0)
	for b, n := range s.ends { // where each begins, until its answers come
		s.ends[b] = begin
		begin += n
	}
	s.binned = slices.Grow(s.binned[:0], len(s.found))[:len(s.found)]
	for _, a := range s.found {
		b := s.at(a.value)
		s.binned[s.ends[b]] = a
		s.ends[b]++
	}
}

// Quantile returns the smallest answer that has at least the share p of the
// weight at or below it; the smallest for p = 0, NaN for p outside [0, 1] and
// for a sample that was never filled.
func (s *Sample) Quantile(p float64) float64 {
	if !(p >= 0 && p <= 1) || len(s.found) == 0 {
		return math.NaN()
	}
	want := p * s.total * (1 - 1e-12) // sums are rounded
	sum, begin := 0.0, int32(0)
	for b, w := range s.weights {
		if sum+w >= want && w > 0 {
			at := sum
			for _, a := range s.rising(b, begin) {
				if at += a.weight; at >= want {
					return a.value
				}
			}
		}
		sum, begin = sum+w, s.ends[b]
	}
	return s.largest
}

// rising returns the answers of a bin, which begins there, in rising order.
func (s *Sample) rising(b int, begin int32) []answer {
	in := s.binned[begin:s.ends[b]]
	if !s.sorted[b] {
		s.sorted[b] = true
		slices.SortFunc(in, func(x, y answer) int {
			switch {
			case x.value < y.value:
				return -1
			case x.value > y.value:
				return 1
			}
			return 0
		})
	}
	return in
}
