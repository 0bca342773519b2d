package tables

import "github.com/loadstone-hpc/loadstone/cmd/internal/view"

// writeLegend writes what the headings of the table above mean, a line each.
func writeLegend(w *view.Screen, lines ...string) {
	w.Printf("\n")
	for _, line := range lines {
		w.Printf("%s\n", line)
	}
}
