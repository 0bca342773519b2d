package feedback

import (
	"math"
	"slices"
	"testing"
)

func TestNumberSet(t *testing.T) {
	var s numberSet
	all := []int64{0, 1, 63, 64, 5, 129, -1, -64, -65, 64, math.MaxInt64, math.MinInt64 + 1, 65}
	for i, n := range all {
		if s.has(n) != slices.Contains(all[:i], n) {
			t.Errorf("before %d is added: %t", n, s.has(n))
		}
		s.add(n)
	}
	for _, n := range all {
		if !s.has(n) || !slices.Contains(all, n^1) && s.has(n^1) {
			t.Errorf("%d: %t, %d: %t", n, s.has(n), n^1, s.has(n^1))
		}
	}
}
