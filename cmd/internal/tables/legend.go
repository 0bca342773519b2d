package tables

import "github.com/loadstone-hpc/loadstone/cmd/internal/present"

// writeLegend writes what the headings of the table above mean, a line each.
func writeLegend(w *present.Screen, lines ...string) {
	w.Printf("\n")
	for _, line := range lines {
		w.Printf("%s\n", line)
	}
}
