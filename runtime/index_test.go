package runtime

import (
	"testing"
)

// TestIndexCollisions: keys of one hash are told apart, also across a growth.
func TestIndexCollisions(t *testing.T) {
	x := newIndex()
	for i := range int64(8) {
		k := Key{i}
		at, number := x.look(k, 15) // the table's last place: the search wraps
		if number != -1 {
			t.Fatalf("key %d is known as %d", i, number)
		}
		x.keys = append(x.keys, k)
		x.table[at] = slot{15, uint32(len(x.keys))}
		if i == 5 {
			x.grow()
		}
	}
	for i := range int64(8) {
		if _, number := x.look(Key{i}, 15); int64(number) != i {
			t.Errorf("key %d is known as %d", i, number)
		}
	}
}
