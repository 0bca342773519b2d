package stats

import (
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/state"
)

// What no values have is an error when it is read: merging it would not end, or take all memory.
func TestCheckState(t *testing.T) {
	for _, bad := range []any{
		&Cardinality{Most: -1}, &Cardinality{Most: 1, places: map[uint64]struct{}{1: {}, 2: {}}}, &Cardinality{bound: 3},
		&Cardinality{bound: 1 << 62, places: map[uint64]struct{}{1 << 63: {}}},
		&buckets{first: -1 << 30, counts: []int{1}, total: 1}, &buckets{counts: []int{1}, total: 2}, &buckets{counts: []int{2, -1}, total: 1},
	} {
		if err := state.Decode(state.Append(nil, bad), bad); err == nil {
			t.Errorf("%+v is read", bad)
		}
	}
	c := &Cardinality{Most: 100}
	s := &sketch{}
	for i := range 1000 {
		c.Add(int64(i))
		s.add(float64(500-i)*1e300, 3)
		for _, good := range []any{c, s} {
			if err := state.Decode(state.Append(nil, good), good); err != nil {
				t.Fatalf("%+v: %v", good, err)
			}
		}
	}
}
