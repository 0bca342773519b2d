package fit

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// A third of the jobs end at a limit of one hour, and the others are spread over
// days: the second component of a mixture stands on that one value, and the
// report says so.
func TestMixtureOnOneRepeatedValue(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 16))
	values := make([]float64, 3000)
	for i := range values {
		if values[i] = math.Ceil(math.Exp(4 + 1.5*rng.NormFloat64())); i%3 == 0 {
			values[i] = 3600
		}
	}
	s := NewSample(RunTime, values)
	r := mustFit(t, "hyper-gamma", RunTime, s, Options{})
	spike := false
	for _, a := range r.Atoms {
		spike = spike || a.Value == 3600 && a.Jobs >= 1000 && math.Abs(a.Share-1.0/3) < 0.05
	}
	if !spike || !strings.Contains(r.Atoms[0].String(), "covers a single repeated value, 3600, of") {
		t.Errorf("atoms %v of %v", r.Atoms, r.Parameters)
	}
	if r := mustFit(t, "hyper-gamma", RunTime, NewSample(RunTime, seconds(batch(0.6), 3000, 31, true)), Options{}); len(r.Atoms) > 0 {
		t.Errorf("a mixture without repeated values has atoms %v", r.Atoms)
	}
}
