package em

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/loadstone-hpc/loadstone/fit/internal/fittest"
)

// TestPressKeepsSums: the points of a pressed sample have its jobs, and its
// sums of x and of ln x.
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
	var a, b means
	for i := range p.X {
		a.add(&p, i)
	}
	for i := range q.X {
		b.add(&q, i)
	}
	fittest.Near(t, "jobs", b.w, a.w, 1e-12*a.w)
	fittest.Near(t, "sum", b.x, a.x, 1e-12*a.x)
	fittest.Near(t, "sum of ln", b.lnX, a.lnX, 1e-12*a.lnX)
}
