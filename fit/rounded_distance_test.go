package fit

import (
	"math"
	"math/rand/v2"
	"testing"
)

// roundedExponential are n draws of an exponential law of that mean, rounded
// down to whole seconds.
func roundedExponential(n int, mean float64) []float64 {
	rng := rand.New(rand.NewPCG(11, 16))
	values := make([]float64, n)
	for i := range values {
		values[i] = math.Floor(mean * rng.ExpFloat64())
	}
	return values
}

// D of a law fitted to rounded values is its distance from the law after the
// same rounding. An exponential law rounded down is geometric: it has
// 1 - exp(-(k+1)/mean) up to k.
func TestDistanceIsOfTheRoundedLaw(t *testing.T) {
	const n, mean = 2000, 3.0
	values := roundedExponential(n, mean)
	counts := map[int]float64{}
	for _, v := range values {
		counts[int(v)]++
	}
	for _, replicates := range []int{0, 99} {
		r, err := Fit("exponential", RunTime, NewSample(RunTime, values), Options{Rounding: RoundedDown, Replicates: replicates, Subsamples: 200})
		if err != nil {
			t.Fatal(err)
		}
		fitted := r.Parameters[0].Value
		want, upTo := 0.0, 0.0
		for k := 0; upTo < n; k++ {
			upTo += counts[k]
			want = max(want, math.Abs(upTo/n+math.Expm1(-float64(k+1)/fitted)))
		}
		if math.Abs(r.KS.D-want) > 1e-12 {
			t.Errorf("%d replicates: D is %.4f, want %.4f", replicates, r.KS.D, want)
		}
		// Parts of 500 to 1000 jobs of a law that is true, at 5 %: with their
		// steps they pass more often than 95 times in a hundred.
		if share := r.Subsamples.Share; share < 0.9 {
			t.Errorf("%d replicates: %.0f %% of the parts pass", replicates, 100*share)
		}
	}
}

// Of censored jobs D is from the Kaplan-Meier curve, which is the sample's
// distribution function where no job was killed before the last one ended.
func TestDistanceOfCensoredJobsIsOfTheRoundedLaw(t *testing.T) {
	const n, mean = 2000, 3.0
	s := NewSample(RunTime, roundedExponential(n, mean))
	s.Censored = make([]float64, len(s.Values))
	s.Censored[len(s.Values)-1] = 1
	r, err := Fit("exponential", RunTime, s, Options{Rounding: RoundedDown, Censored: true})
	if err != nil {
		t.Fatal(err)
	}
	// 1.36/sqrt(n) is passed once in twenty samples of a true law that is
	// continuous, less often by one with steps.
	if most := 1.36 / math.Sqrt(n); r.KS.D > most {
		t.Errorf("D is %.4f, want at most %.4f", r.KS.D, most)
	}
}
