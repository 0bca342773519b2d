package generate

import (
	"crypto/sha256"
	"fmt"
	"testing"
)

// The estimates of a seed stay what they are from one version to the next.
func TestEstimatesGolden(t *testing.T) {
	onAMD64(t)
	const n = 10_000
	runs := logUniformRuns(n, 4*hour)
	bins := drawnBins(t, TsafrirModel{Jobs: n, Max: 4 * hour})
	counts := mustCount(t, bins, runs)
	law, err := NewConditional(bins, counts, 1, "batch")
	if err != nil {
		t.Fatal(err)
	}
	logged, err := NewLogLaw(twoEstimates(), 1, "batch")
	if err != nil {
		t.Fatal(err)
	}
	uniform, err := NewUniformEstimates(5, false, 1, "batch")
	if err != nil {
		t.Fatal(err)
	}
	hash := func(x any) string { return fmt.Sprintf("%x", sha256.Sum256(fmt.Append(nil, x)))[:16] }
	for name, c := range map[string]struct{ got, want string }{
		"bins":        {hash(bins), "23d54bc99bbc8474"},
		"conditional": {hash(inBatches(t, law, runs, n)), "0cc606df5a537646"},
		"log":         {hash(inBatches(t, logged, runs, n)), "af68e104cfe7612a"},
		"uniform":     {hash(inBatches(t, uniform, runs, n)), "46bf10245630c410"},
	} {
		if c.got != c.want {
			t.Errorf("%s: %s, want %s", name, c.got, c.want)
		}
	}
}
