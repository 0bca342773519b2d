package population

import (
	"math"
	"testing"

	"github.com/loadstone-hpc/loadstone/model/population"
)

// The table is the law at its places and ends, near it between them, and as flat as
// it where one value has much of the probability.
func TestSampler(t *testing.T) {
	q := population.Quantiles{P: []float64{0, .001, .2, .7, .999, 1}, X: []float64{0, 3, 60, 60, 9000, 86400}}
	s := newSampler(&q)
	for i := range 100_001 {
		p := float64(i) / 100_000
		want, got := q.At(p), s.at(p)
		if i%1000 != 0 && p > .008 && p < .992 {
			if math.Abs(got-want) > .01*want {
				t.Fatalf("%g at %g, want %g", got, p, want)
			}
			continue
		}
		if (p <= .007 || p >= .993) && got != want {
			t.Fatalf("%g at %g, want %g", got, p, want)
		}
		if p > .202 && p < .698 && got != 60 {
			t.Fatalf("%g at %g, want 60", got, p)
		}
	}
	if none := newSampler(&population.Quantiles{}); none.at(.5) != 0 {
		t.Error("no distribution, but a quantile")
	}
}
