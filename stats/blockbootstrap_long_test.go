//go:build long

package stats

import (
	"math"
	"testing"
)

// TestBlocksKeepTheirSizeLong: of pairs of series with one law, tested at 5 %,
// no more than 7.5 % are rejected, however alike neighbours are; the asymptotic
// test rejects at least 15 and 45 %. The bands add 4.9 standard errors, a
// false-alarm rate of 1e-6 for all six together.
func TestBlocksKeepTheirSizeLong(t *testing.T) {
	const pairs, n = 1000, 2000
	for _, tt := range []struct{ phi, least float64 }{{0, 0}, {0.5, 0.15}, {0.8, 0.45}} {
		blocks, asymptotic := rejections(t, pairs, n, 199, tt.phi)
		blocks, asymptotic = blocks/pairs, asymptotic/pairs
		t.Logf("phi %g: %.3f rejected by blocks, %.3f by the asymptotic p", tt.phi, blocks, asymptotic)
		slack := func(p float64) float64 { return 4.9 * math.Sqrt(p*(1-p)/pairs) }
		if blocks > 0.075+slack(0.075) || blocks < 0.04-slack(0.04) {
			t.Errorf("phi %g: blocks reject %.3f of %d pairs at 5 %%, want 0.04 to 0.075", tt.phi, blocks, pairs)
		}
		if asymptotic < tt.least-slack(tt.least) {
			t.Errorf("phi %g: the asymptotic p rejects %.3f, want at least %g", tt.phi, asymptotic, tt.least)
		}
	}
}
