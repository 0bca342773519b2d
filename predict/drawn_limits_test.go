package predict

import (
	"math"
	"strings"
	"testing"
)

// So many draws as do not fit into memory are an error, and no panic.
func TestDrawnOfTooMany(t *testing.T) {
	for _, n := range []int{-1, 1_000_001, math.MaxInt} {
		if _, err := (Drawn{Draws: n}).Waits(&Snapshot{}, nil); err == nil || !strings.Contains(err.Error(), "want 1 to 1000000") {
			t.Errorf("%d draws: %v", n, err)
		}
	}
}
