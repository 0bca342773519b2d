package em

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/loadstone-hpc/loadstone/fit/internal/fittest"
)

func TestModeCuts(t *testing.T) {
	// Two triangles of jobs with the valley at 5.
	var x, w []float64
	for i := range 101 {
		v := float64(i) / 10
		x = append(x, 1+v)
		w = append(w, 10+100*math.Max(0, 2-math.Abs(v-2.5))+100*math.Max(0, 2-math.Abs(v-7.5)))
	}
	cuts := NewPoints(x, w).ModeCuts(2)
	if len(cuts) != 1 {
		t.Fatalf("cuts are %v, want one", cuts)
	}
	fittest.Near(t, "cut", cuts[0], 6, 0.6)
	if cuts := NewPoints([]float64{1, 2, 3}, []float64{1, 5, 1}).ModeCuts(3); cuts != nil && len(cuts) != 2 {
		t.Errorf("cuts are %v", cuts)
	}
	if cuts := NewPoints([]float64{3}, []float64{1}).ModeCuts(2); cuts != nil {
		t.Errorf("cuts of one value are %v", cuts)
	}
}

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
