package slots

import (
	"math/rand/v2"
	"testing"
)

// After any sequence of Put and Free, a table holds the same records as a map by slot, and no
// record moves.
func TestTableAgainstAMap(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var table Table[int]
	held, at := map[int32]int{}, map[int32]*int{}
	for i := range 20000 {
		if len(held) > 0 && rng.IntN(5) < 2 {
			for slot := range held {
				delete(held, slot)
				table.Free(slot)
				break
			}
			continue
		}
		slot := table.Put(&i)
		if _, used := held[slot]; used {
			t.Fatalf("slot %d given out twice", slot)
		}
		held[slot] = i
		if p := table.At(slot); at[slot] == nil {
			at[slot] = p
		} else if at[slot] != p {
			t.Fatalf("slot %d has moved", slot)
		}
	}
	if table.Len() != len(held) {
		t.Errorf("%d in use, want %d", table.Len(), len(held))
	}
	for slot, x := range held {
		if *table.At(slot) != x {
			t.Errorf("slot %d holds %d, want %d", slot, *table.At(slot), x)
		}
	}
}
