package lifetimes

import (
	"math"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/state"
)

// Digits that no collector has are an error when they are read: merging would not end.
func TestCheckState(t *testing.T) {
	for digits, good := range map[int]bool{math.MinInt32: false, fewestDigits - 1: false, fewestDigits: true, exactDigits: true, exactDigits + 1: false} {
		c, err := NewCollector(Options{})
		if err != nil {
			t.Fatal(err)
		}
		c.digits = digits
		if err := state.Decode(state.Append(nil, c), c); (err == nil) != good {
			t.Errorf("%d digits: %v", digits, err)
		}
	}
}
