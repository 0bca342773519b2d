package points

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
	cuts := New(x, w).ModeCuts(2)
	if len(cuts) != 1 {
		t.Fatalf("cuts are %v, want one", cuts)
	}
	fittest.Near(t, "cut", cuts[0], 6, 0.6)
	if cuts := New([]float64{1, 2, 3}, []float64{1, 5, 1}).ModeCuts(3); cuts != nil && len(cuts) != 2 {
		t.Errorf("cuts are %v", cuts)
	}
	if cuts := New([]float64{3}, []float64{1}).ModeCuts(2); cuts != nil {
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
	p := New(x, w)
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

// seconds is a sample of whole seconds known to half a second, of their
// logarithms if linear. Every seventh value also has jobs that were killed, and
// 7200 has many.
func seconds(linear bool) Set {
	s := Set{Linear: linear, Cells: &Cells{}}
	at := func(v float64) float64 { return v }
	if linear {
		at = math.Log
	}
	for v := 1.0; v < 9000; v++ {
		w := 1.0
		if v == 7200 {
			w = 400
		}
		s.Add(at(v-0.5), at(v+0.5), w)
		if math.Mod(v, 7) == 0 {
			s.AddCensored(at(v), math.Inf(1), 0.3)
		}
	}
	s.Sort()
	return s
}

// TestPressKeepsCells: the cells of a pressed sample hold all jobs, cover the
// values, stand in order with the values that stand for them, and keep common
// values apart.
func TestPressKeepsCells(t *testing.T) {
	for _, linear := range []bool{false, true} {
		p := seconds(linear)
		q := p.Press()
		if q.Len() > 3*Pressed || q.Len() < Pressed/8 {
			t.Errorf("%d points", q.Len())
		}
		fittest.Near(t, "jobs", q.Total(), p.Total(), 1e-12*p.Total())
		if !slices.IsSorted(q.X) {
			t.Errorf("linear %t: the pressed values are not in ascending order", linear)
		}
		alone := false
		for i, x := range q.X {
			if !(q.Lo[i] < q.Hi[i] && q.Lo[i] <= x && x < q.Hi[i]) {
				t.Fatalf("linear %t: %g stands for the cell from %g to %g", linear, x, q.Lo[i], q.Hi[i])
			}
			alone = alone || !q.Censored(i) && q.W[i] == 400
		}
		for i := range p.X {
			covered := false
			for j := range q.X {
				covered = covered || p.Censored(i) == q.Censored(j) && (p.Censored(i) || q.Lo[j] <= p.Lo[i] && p.Hi[i] <= q.Hi[j])
			}
			if !covered {
				t.Fatalf("no cell covers that from %g to %g", p.Lo[i], p.Hi[i])
			}
		}
		if !alone {
			t.Error("the jobs of 7200 s have no cell of their own")
		}
	}
}
