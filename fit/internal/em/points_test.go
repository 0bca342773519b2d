package em

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/loadstone-hpc/loadstone/fit/internal/fittest"
)

// TestPressKeepsSums checks that a pressed sample keeps the number of jobs, and the sums of x and
// of ln x.
func TestPressKeepsSums(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 1))
	x, w := make([]float64, 5000), make([]float64, 5000)
	for i := range x {
		x[i], w[i] = 1+9*rng.Float64()*rng.Float64(), float64(1+i%4)
	}
	slices.Sort(x)
	p := NewPoints(x, w)
	q := p.Press()
	if q.Len() > Pressed || q.Len() < Pressed/4 {
		t.Errorf("%d points", q.Len())
	}
	var a, b GammaSums
	for i := range p.X {
		a.add(p.X[i], p.LnX[i], p.W[i])
	}
	for i := range q.X {
		b.add(q.X[i], q.LnX[i], q.W[i])
	}
	fittest.Near(t, "jobs", b.W, a.W, 1e-12*a.W)
	fittest.Near(t, "sum", b.X, a.X, 1e-12*a.X)
	fittest.Near(t, "sum of ln", b.LnX, a.LnX, 1e-12*a.LnX)
}
