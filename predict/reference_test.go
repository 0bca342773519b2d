package predict

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/loadstone-hpc/loadstone/workload"
)

// reference is testdata/reference.json, made by reference.py with SciPy.
type reference struct {
	Ranks []struct {
		N                              int
		Quantile, Confidence, Achieved float64
		Rank                           int
	}
	Autocorrelation []struct {
		Name  string
		Waits []float64
		Lag1  float64 `json:"lag_1"`
	}
}

func readReference(t *testing.T) (r reference) {
	t.Helper()
	readJSON(t, "testdata/reference.json", &r)
	if len(r.Ranks) == 0 || len(r.Autocorrelation) == 0 {
		t.Fatal("testdata/reference.json is empty")
	}
	return r
}

func TestAutocorrelation(t *testing.T) {
	a := new(autocorrelation) // one for all: it keeps nothing from call to call
	for _, c := range readReference(t).Autocorrelation {
		if got := a.of(c.Waits); math.Abs(got-c.Lag1) > 1e-12 {
			t.Errorf("%s: %.15g, want %.15g", c.Name, got, c.Lag1)
		}
	}
	for _, short := range [][]float64{nil, {1}, {1, 2}} {
		if got := a.of(short); got != 0 {
			t.Errorf("of %v: %g, want 0", short, got)
		}
	}
}

// With the waits 1 to n as history, in any order, the bound is its own rank.
func TestBMBPRank(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, c := range readReference(t).Ranks {
		b, err := NewBMBP(c.Quantile, c.Confidence, BoundOptions{})
		if err != nil {
			t.Fatal(err)
		}
		j := workload.UnknownJob()
		j.Processors = 8
		for _, w := range rng.Perm(c.N) {
			j.Wait = float64(w + 1)
			b.Observe(j, NoBound())
		}
		got, ok := b.Predict(j.Request)
		if !ok || got.Seconds != float64(c.Rank) || got.Rank != c.Rank || math.Abs(got.Achieved-c.Achieved) > 1e-9 {
			t.Errorf("n %d, quantile %g, confidence %g: %+v (%v), want rank %d achieving %g", c.N, c.Quantile, c.Confidence, got, ok, c.Rank, c.Achieved)
		}
		if got.Observations != c.N || got.Quantile != c.Quantile || got.Confidence != c.Confidence || got.Group != "5-16" {
			t.Errorf("%+v does not repeat what it rests on", got)
		}
		j.Processors = 1
		if got, ok := b.Predict(j.Request); ok || !math.IsNaN(got.Seconds) || got.Observations != 0 {
			t.Errorf("a bound for a group without history: %+v", got)
		}
	}
}
