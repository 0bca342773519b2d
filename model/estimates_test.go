package model

import (
	"math"
	"testing"
)

// Every cell ends where it says, and the next begins there.
func TestAccuracyCells(t *testing.T) {
	for cell := range AccuracyCells {
		end := accuracyEnd(cell)
		if got := accuracyCell(end); got != cell {
			t.Errorf("%g is in cell %d, want %d", end, got, cell)
		}
		if got := accuracyCell(math.Nextafter(end, 100)); got != min(cell+1, AccuracyCells-1) {
			t.Errorf("just above %g is in cell %d", end, got)
		}
	}
	if AccuracyEnd(0) != 1./20480 || AccuracyEnd(10) != 0.05 || AccuracyEnd(11) != 0.1 || AccuracyEnd(AccuracyCells-1) != 1 {
		t.Error("other ends than documented")
	}
	if accuracyCell(0) != 0 || accuracyCell(5e-324) != 0 {
		t.Error("0 is not in the first cell")
	}
}
