package tables

import "github.com/loadstone-hpc/loadstone/cmd/internal/present"

// ksLegend explains the distance that many tables have.
const ksLegend = "KS distance: largest difference of two cumulative distributions, 0 (equal) to 1"

// writeLegend writes what the headings of the table above mean, a line each.
func writeLegend(w *present.Screen, lines ...string) {
	w.Printf("\n")
	for _, line := range lines {
		w.Printf("%s\n", line)
	}
}
