package inspect

import "math"

// spans holds a value for each stretch of time of one width, for no more than
// limit stretches: where a log is longer, neighbours are joined and the width
// doubles. Times come in any order. The limit is 2 or more, because stretches
// on both sides of second 0 never meet.
type spans[T any] struct {
	width  float64 // s
	limit  int
	join   func(a, b T) T // the zero T, of an empty stretch, changes nothing
	first  float64        // number of values[0]; stretch k is [k width, (k+1) width)
	values []T
}

// at is the place of the stretch that a finite time is in.
func (s *spans[T]) at(t float64) *T {
	for {
		k := math.Floor(t / s.width)
		if len(s.values) == 0 {
			s.first = k
		}
		last := max(k, s.first+float64(len(s.values)-1))
		if low := min(k, s.first); last-low < float64(s.limit) {
			s.cover(low, last)
			return &s.values[int(k-s.first)]
		}
		s.double()
	}
}

// cover makes room for the stretches from low to last.
func (s *spans[T]) cover(low, last float64) {
	if short := int(s.first - low); short > 0 {
		s.values = append(make([]T, short), s.values...)
		s.first = low
	}
	if short := int(last-s.first) + 1 - len(s.values); short > 0 {
		s.values = append(s.values, make([]T, short)...)
	}
}

// double joins each even stretch with the odd one after it.
func (s *spans[T]) double() {
	half := math.Floor(s.first / 2)
	odd := int(s.first - 2*half)
	joined := make([]T, (odd+len(s.values)+1)/2)
	for i, v := range s.values {
		to := &joined[(odd+i)/2]
		*to = s.join(*to, v)
	}
	s.first, s.values = half, joined
	s.width *= 2
}
