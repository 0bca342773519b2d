package runtime

import (
	"testing"

	"pgregory.net/rapid"
)

// TestIndexLikeMap: keys are numbered in the order in which they are met,
// through several growths of the table.
func TestIndexLikeMap(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		x := newIndex()
		numbers := map[Key]int32{}
		small := rapid.Int64Range(-2, 3)
		for range rapid.IntRange(0, 300).Draw(rt, "n") {
			k := Key{small.Draw(rt, "a"), small.Draw(rt, "b"), small.Draw(rt, "c"), small.Draw(rt, "d")}
			want, met := numbers[k]
			if !met {
				want = -1
			}
			if got := x.find(k); got != want {
				rt.Fatalf("find(%v) is %d, want %d", k, got, want)
			}
			if !met {
				want = int32(len(numbers))
				numbers[k] = want
			}
			if got, isNew := number(&x, k); got != want || isNew == met {
				rt.Fatalf("number(%v) is %d, new %v; want %d, %v", k, got, isNew, want, !met)
			}
		}
	})
}

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

func number(x *index, k Key) (int32, bool) { return x.number(k, x.hash(&k)) }
