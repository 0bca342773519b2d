package stats

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestCardinality(t *testing.T) {
	var few Cardinality
	for i := range int64(1000) {
		few.Add(i % 7)
		few.Add(-5)
		few.Add(math.MinInt64)
	}
	if few.Count() != 9 || !few.Exact() || few.Method() != "exact" {
		t.Errorf("%d, %s", few.Count(), few.Method())
	}
	if new(Cardinality).Count() != 0 {
		t.Error("nothing is something")
	}
	atBound := Cardinality{Most: 100}
	for i := range int64(300) {
		atBound.Add(i % 100)
	}
	if atBound.Count() != 100 || !atBound.Exact() {
		t.Errorf("%d, %s", atBound.Count(), atBound.Method())
	}
	// A value may recur at any time, and the order does not matter.
	for _, n := range []int64{101, 5000, 1 << 20} {
		var up, again Cardinality
		up.Most, again.Most = 100, 100
		for i := range n {
			up.Add(i)
		}
		for _, i := range rand.New(rand.NewPCG(1, 2)).Perm(int(n)) {
			again.Add(int64(i))
			again.Add(0)
		}
		if up.Exact() || up.Count() != again.Count() && n < 200 {
			t.Errorf("%d values: %d upwards, %d in another order", n, up.Count(), again.Count())
		}
	}
}

// The estimate is unbiased and has the stated error, over 400 unrelated streams of values.
func TestCardinalityError(t *testing.T) {
	const n, most, streams = 20000, 256, 400
	rng := rand.New(rand.NewPCG(3, 4))
	var errs Moments
	within := 0
	for range streams {
		c := Cardinality{Most: most}
		for range n {
			x := int64(rng.Uint64())
			c.Add(x)
			if rng.IntN(2) == 0 {
				c.Add(x)
			}
		}
		// Halving keeps each of 257 places with probability 1/2: 128 with a standard deviation of
		// 8.
		if len(c.places) < most/2-5*8 || len(c.places) > most {
			t.Fatalf("%d places kept", len(c.places))
		}
		off := float64(c.Count())/n - 1
		errs.Add(off)
		if math.Abs(off) < 1/math.Sqrt(float64(len(c.places))) {
			within++
		}
	}
	// The mean of 400 errors of at most 1/sqrt(128) = 8.8 % has an error of 0.44 %.
	if m := errs.Mean(); math.Abs(m) > 4*0.0044 {
		t.Errorf("mean error %.4f", m)
	}
	// 68 % for a normal law, with a standard error of 2.3 %, of which four are allowed.
	if share := float64(within) / streams; share < 0.59 || share > 0.78 {
		t.Errorf("%.2f within one standard error", share)
	}
}
