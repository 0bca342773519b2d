package columnar

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// Values of any size and number come back from DELTA_BINARY_PACKED, with what
// stands behind them. That other programs read it is tested with theirs.
func TestDeltaRoundTrip(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for n := range 700 {
		values := make([]uint64, n)
		for i := range values {
			values[i] = rng.Uint64() >> rng.IntN(64)
			if n%3 == 0 {
				values[i] = uint64(60_000_000 * (i - 20))
			}
		}
		got, rest, err := decodeDelta(append(appendDelta(nil, values), 7), 64, n)
		if err != nil || len(rest) != 1 || !slices.Equal(got, values) {
			t.Fatalf("%d values: %v, %d bytes behind them", n, err, len(rest))
		}
	}
}
