package model

import (
	"math"
	"testing"
)

// Every cell ends at its stated end, and the next begins there.
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
	if accuracyEnd(0) != 1./1024 || accuracyEnd(10) != 1 || accuracyEnd(11) != 2 || accuracyEnd(AccuracyCells-1) != 20 { // twentieths
		t.Error("other ends than documented")
	}
	if accuracyCell(0) != 0 || accuracyCell(5e-324) != 0 {
		t.Error("0 is not in the first cell")
	}
}
