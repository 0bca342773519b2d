package stats

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/loadstone-hpc/loadstone/dist"
)

func TestSubsamples(t *testing.T) {
	law := dist.Exponential{Mean: 3}
	rng := rand.New(rand.NewPCG(1, 2))
	x := make([]float64, 200_000)
	for i := range x {
		x[i] = law.Rand(rng)
	}
	values, counts := Distinct(x)
	s := Subsamples{Size: 500, Samples: 1000, Level: 0.05, Seed: 1, Workers: 1}
	one, err := KolmogorovSmirnovSubsamples(values, counts, law, s)
	if err != nil {
		t.Fatal(err)
	}
	// Of a true law 95 % pass, and a little more at this size, as the p-value
	// is the limit's: six standard errors (false-alarm rate 2e-9) and 0.01.
	if tol := 6*math.Sqrt(0.05*0.95/1000) + 0.01; math.Abs(one.Passed-0.95) > tol {
		t.Errorf("%g pass, want 0.95 within %.3f", one.Passed, tol)
	}
	if one.Law != law || one.N != 200_000 || one.Subsamples != s {
		t.Errorf("the result does not repeat its inputs: %+v", one)
	}
	s.Workers = 5
	if many, err := KolmogorovSmirnovSubsamples(values, counts, law, s); err != nil || many.Passed != one.Passed {
		t.Errorf("5 workers: %g, %v; one worker: %g", many.Passed, err, one.Passed)
	}
	if bad, err := KolmogorovSmirnovSubsamples(values, counts, dist.Exponential{Mean: 6}, s); err != nil || bad.Passed != 0 {
		t.Errorf("a law with twice the mean: %g pass, %v", bad.Passed, err)
	}
	// More than there are: the whole sample, without replacement, each time.
	s = Subsamples{Size: 10, Samples: 5, Level: 0.05}
	if ks, err := KolmogorovSmirnovSubsamples([]float64{1, 2}, []float64{2, 2}, law, s); err != nil || ks.Passed != 1 {
		t.Errorf("four values: %+v, %v", ks, err)
	}
	for _, bad := range []Subsamples{{Samples: 1, Level: 0.05}, {Size: 1, Level: 0.05}, {Size: 1, Samples: 1}, {Size: 1, Samples: 1, Level: math.NaN()}} {
		if _, err := KolmogorovSmirnovSubsamples(values, counts, law, bad); err == nil {
			t.Errorf("%+v: no error", bad)
		}
	}
	if _, err := KolmogorovSmirnovSubsamples(nil, nil, law, s); err == nil {
		t.Error("no values: no error")
	}
}

func TestChooseWithoutReplacement(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	const n, k, trials = 7, 4, 70_000
	var drawn [n]float64
	for range trials {
		seen := map[int]bool{}
		for _, x := range choose(rng, n, k) {
			if x < 0 || x >= n || seen[x] {
				t.Fatalf("%d is drawn twice or out of range", x)
			}
			seen[x] = true
			drawn[x]++
		}
	}
	// Each is drawn with probability k/n: six standard errors.
	p := float64(k) / n
	for x, c := range drawn {
		if math.Abs(c/trials-p) > 6*math.Sqrt(p*(1-p)/trials) {
			t.Errorf("%d is drawn with frequency %g, want %g", x, c/trials, p)
		}
	}
}
