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

// TestAddByHand: what stands for a cell, in x and in ln x, and how wide it is. From 1
// to e² the middle of ln x is 1, half of the width 1, and the width in x of the cell
// at its middle 2 e.
func TestAddByHand(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		linear                bool
		lo, hi                float64
		x, lnX, half, lnWidth float64
		censored              bool // of Add; AddCensored makes it so but for a cell without a beginning
	}{
		{false, 1, math.Exp(2), math.E, 1, 1, 1 + math.Ln2, false},
		{false, 3, 3, 3, math.Log(3), 0, 0, false},
		{false, 0, 8, 4, math.Log(4), inf, 0, false},
		{false, 0, inf, 1, 0, inf, 0, false},
		{false, 5, inf, 5, math.Log(5), inf, 0, true},
		{true, -1, 3, 1, 0, 2, math.Log(4), false},
		{true, -2, -2, -2, 0, 0, 0, false},
		{true, math.Inf(-1), 3, 3 - math.Ln2, 0, inf, 0, false},
		{true, math.Inf(-1), inf, 0, 0, inf, 0, false},
		{true, -4, inf, -4, 0, inf, 0, true},
	} {
		s := Set{Linear: c.linear, Cells: &Cells{}}
		s.Add(c.lo, c.hi, 7)
		near := func(got, want float64) bool { return got == want || math.Abs(got-want) < 1e-14 }
		lo, hi := s.Ends(0)
		if !near(s.X[0], c.x) || !c.linear && !near(s.LnX[0], c.lnX) || !near(s.HalfWidth(0), c.half) || !near(s.LnWidth[0], c.lnWidth) ||
			lo != c.lo || hi != c.hi || s.W[0] != 7 || s.Censored(0) != c.censored || c.linear && s.LnX != nil {
			t.Errorf("%+v: %+v, %+v", c, s, *s.Cells)
		}
		s.AddCensored(c.lo, c.hi, 2)
		begins := c.lo > s.Bottom()
		if s.Censored(1) != begins || begins && (s.X[1] != c.lo || !c.linear && s.LnX[1] != math.Log(c.lo)) || !begins && s.X[1] != s.X[0] || s.LnWidth[1] != 0 || s.Total() != 9 {
			t.Errorf("killed, %+v: %+v, %+v", c, s, *s.Cells)
		}
		want := 2
		for _, killed := range []bool{c.censored, begins} {
			if killed {
				want--
			}
		}
		if s.Closed() != want {
			t.Errorf("%+v: %d closed, want %d", c, s.Closed(), want)
		}
	}
	exact := New([]float64{2, 4}, []float64{1, 3})
	if lo, hi := exact.Ends(1); lo != 4 || hi != 4 || exact.HalfWidth(1) != 0 || exact.Censored(1) || exact.Closed() != 2 || exact.Quantile(.25) != 2 || exact.Quantile(.26) != 4 {
		t.Errorf("%+v", exact)
	}
}
