package stages

import (
	"testing"
)

// TestKeptRanks checks that the ranks kept are those whose position lies in [trim, 1-trim], ends
// included.
func TestKeptRanks(t *testing.T) {
	for n := 1; n <= 120; n++ {
		for _, trim := range []float64{0, 0.05, 0.1, 0.125, 0.15, 0.25, 0.3, 0.45, 0.499} {
			first, last := keptRanks(float64(n), trim)
			for rank := 1; rank <= n; rank++ {
				y := (float64(rank) - 0.5) / float64(n)
				want := y >= trim && y <= 1-trim
				if got := float64(rank) >= first && float64(rank) <= last; got != want {
					t.Errorf("n %d, trim %g: rank %d is kept: %v, want %v", n, trim, rank, got, want)
				}
			}
		}
	}
}
