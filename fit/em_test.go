package fit

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/loadstone-hpc/loadstone/dist"
)

// seconds draws n run times: whole seconds of a law of ln t.
func seconds(law dist.Law, n int, seed uint64, round bool) []float64 {
	rng := rand.New(rand.NewPCG(seed, 1))
	t := make([]float64, n)
	for i := range t {
		t[i] = math.Exp(law.Rand(rng))
		if round {
			t[i] = math.Floor(t[i])
		}
	}
	return t
}

// batch is the run time law of the preset lublin1999-batch at one size.
func batch(p float64) dist.HyperGamma {
	return dist.HyperGamma{First: dist.Gamma{Shape: 6.57, Scale: 0.823}, Second: dist.Gamma{Shape: 639.1, Scale: 0.0156}, P: p}
}

func emTask(t testing.TB, s Sample, o Options) task {
	t.Helper()
	for _, f := range families() {
		if f.name == "hyper-gamma" {
			return newTask(f, RunTime, s, o.filled(f, RunTime, s))
		}
	}
	t.Fatal("no hyper-gamma")
	return task{}
}

// TestEMIsMonotone: from any start, with any number of components, given or
// estimated shares, on samples with ties and spikes, no step of EM lowers the
// log-likelihood by more than its rounding error, and no component passes its
// bound. At the highest shape, 1e5, a log-density is the difference of numbers
// of 1e6, whose rounding error is 1e-10.
func TestEMIsMonotone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(20, 300).Draw(t, "n")
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 2))
		spike := rapid.Float64Range(0, 0.9).Draw(t, "spike")
		law := dist.HyperGamma{
			First:  dist.Gamma{Shape: rapid.Float64Range(0.5, 20).Draw(t, "a1"), Scale: 0.5},
			Second: dist.Gamma{Shape: rapid.Float64Range(1, 900).Draw(t, "a2"), Scale: 0.02}, P: 0.4,
		}
		values := make([]float64, n)
		for i := range values {
			values[i] = math.Ceil(math.Exp(min(law.Rand(rng), 14)))
			if rng.Float64() < spike {
				values[i] = 3600
			}
		}
		values = append(values, 2, 7, 1e4) // at least three distinct
		k := rapid.IntRange(2, 4).Draw(t, "components")
		var task task
		for _, f := range families() {
			if s := NewSample(RunTime, values); f.name == "hyper-gamma" {
				task = newTask(f, RunTime, s, Options{Components: k}.filled(f, RunTime, s))
			}
		}
		m := task.mixture(task.points(), 1)
		m.fixed = rapid.Bool().Draw(t, "fixed")
		starts, _ := m.starts(k)
		for _, start := range starts {
			last := math.Inf(-1)
			r := m.run(start, emLimits{iterations: 200, tolerance: 1e-9}, func(l float64) {
				if !(l >= last-1e-9*m.jobs) {
					t.Fatalf("log-likelihood falls from %.15g to %.15g", last, l)
				}
				last = l
			})
			sum := 0.0
			for _, c := range r.components {
				sum += c.weight
				if err := c.law.Validate(); err != nil {
					t.Fatal(err)
				}
				if c.law.Shape > m.maxShape(c.law.Mean())*(1+1e-9) {
					t.Fatalf("shape %g is above its bound %g", c.law.Shape, m.maxShape(c.law.Mean()))
				}
			}
			if math.Abs(sum-1) > 1e-9 {
				t.Fatalf("weights sum to %g", sum)
			}
		}
	})
}

// TestSquaremEndsWhereEMEnds: the accelerated run and a plain one reach the
// same likelihood, the first in less than half of the steps.
func TestSquaremEndsWhereEMEnds(t *testing.T) {
	law := dist.HyperGamma{First: dist.Gamma{Shape: 4.2, Scale: 0.94}, Second: dist.Gamma{Shape: 40, Scale: 0.22}, P: 0.6}
	s := NewSample(RunTime, seconds(law, 5000, 3, true))
	task := emTask(t, s, Options{})
	m := task.mixture(task.points(), 1)
	starts, byModes := m.starts(2)
	if !byModes {
		t.Error("the histogram of a sample with two clear modes shows none")
	}
	fast := m.run(starts[0], fineLimits(), nil)
	plain, next := slices.Clone(starts[0]), make([]component, 2)
	l, steps := 0.0, 0
	for steps < 5000 {
		l = m.step(plain, next)
		steps++
		moved := distance(plain, next, true)
		plain, next = next, plain
		if moved <= fineLimits().tolerance {
			break
		}
	}
	near(t, "log-likelihood", fast.logLikelihood, l, 1e-6)
	if 2*fast.iterations >= steps {
		t.Errorf("%d E steps, where plain EM takes %d", fast.iterations, steps)
	}
}

// TestChunksLoseNothing: the shares of an E step over several chunks add up
// to the sample's sums.
func TestChunksLoseNothing(t *testing.T) {
	for _, components := range []int{2, 3} {
		x := make([]float64, 3*chunk+17)
		w := make([]float64, len(x))
		for i := range x {
			x[i], w[i] = 1+float64(i)/1e4, float64(1+i%3)
		}
		p := newPoints(x, w)
		m := newMixture(p, components, func(float64) float64 { return 0 }, 2)
		starts, _ := m.starts(components)
		parts, _ := m.expect(starts[0])
		var got, want GammaSums
		for _, s := range parts {
			got.Merge(s)
		}
		for i := range x {
			want.Add(x[i], w[i])
		}
		relative(t, "jobs", got.W, want.W, 1e-12)
		relative(t, "sum", got.X, want.X, 1e-12)
		relative(t, "sum of ln", got.LnX, want.LnX, 1e-12)
	}
}

// TestAnyNumberOfWorkers: the same bytes, on a sample of several chunks.
func TestAnyNumberOfWorkers(t *testing.T) {
	s := NewSample(RunTime, seconds(batch(0.6), 26000, 4, false))
	if len(s.Values) < 3*chunk {
		t.Fatalf("%d distinct values are too few for this test", len(s.Values))
	}
	for _, o := range []Options{{}, {Components: 3}, {P: 0.5}, {Replicates: 3, Seed: 9}} {
		small := s
		if o.Replicates > 0 || o.Components > 0 {
			small = Sample{Values: s.Values[:3000], Counts: s.Counts[:3000]}
		}
		var reports []Report
		for _, workers := range []int{1, 2, 5} {
			o.Workers = workers
			reports = append(reports, mustFit(t, "hyper-gamma", RunTime, small, o))
		}
		for _, r := range reports[1:] {
			if d := cmp.Diff(reports[0], r, cmpopts.EquateNaNs()); d != "" {
				t.Errorf("%+v: workers change the result:\n%s", o, d)
			}
		}
	}
}

// TestSpikeIsNoMode: a fifth of the jobs end at the same second, a wall clock
// limit. The likelihood of a component on that second alone has no bound but
// the fit's own; the fit is to leave it for a mode, and to say so.
func TestSpikeIsNoMode(t *testing.T) {
	values := seconds(dist.Gamma{Shape: 9, Scale: 0.8}, 4000, 5, true)
	for i := range 800 {
		values[i] = 1800
	}
	s := NewSample(RunTime, values)
	r := mustFit(t, "hyper-gamma", RunTime, s, Options{})
	task := emTask(t, s, Options{})
	m := task.mixture(task.points(), 1)
	if c := componentsOf(r.Law); m.atBound(c) {
		t.Errorf("a component is at its bound: %+v", c)
	}
	if w := strings.Join(r.Warnings, "\n"); !strings.Contains(w, "a likelier fit was left") {
		t.Errorf("warnings are %q", w)
	}
	// Three values: wherever the components go, one stands on a value.
	few := NewSample(RunTime, []float64{100, 100, 100, 100, 5000, 5000, 5000, 90000, 90000})
	r = mustFit(t, "hyper-gamma", RunTime, few, Options{})
	if w := strings.Join(r.Warnings, "\n"); !strings.Contains(w, "as narrow as is allowed") {
		t.Errorf("warnings are %q", w)
	}
}

func TestMaxShape(t *testing.T) {
	s := NewSample(RunTime, []float64{2, 3, 1000})
	m := emTask(t, s, Options{})
	mix := m.mixture(m.points(), 1)
	// Run times around 2 s are rounded to 1 s: their ln to 1/2, whose
	// uniform law has a standard deviation of 0.5/sqrt(12).
	mean := math.Log(2)
	sd := 0.5 / math.Sqrt(12)
	relative(t, "bound at 2 s", mix.maxShape(mean), mean/sd*mean/sd, 1e-12)
	near(t, "bound at 1 h", mix.maxShape(math.Log(3600)), highestShape, 0)
	m = emTask(t, s, Options{Resolution: -1})
	near(t, "bound without rounding", m.mixture(m.points(), 1).maxShape(mean), highestShape, 0)
}

func TestModeCuts(t *testing.T) {
	// Two triangles of jobs with the valley at 5.
	var x, w []float64
	for i := range 101 {
		v := float64(i) / 10
		x = append(x, 1+v)
		w = append(w, 10+100*math.Max(0, 2-math.Abs(v-2.5))+100*math.Max(0, 2-math.Abs(v-7.5)))
	}
	cuts := newPoints(x, w).modeCuts(2)
	if len(cuts) != 1 {
		t.Fatalf("cuts are %v, want one", cuts)
	}
	near(t, "cut", cuts[0], 6, 0.6)
	if cuts := newPoints([]float64{1, 2, 3}, []float64{1, 5, 1}).modeCuts(3); cuts != nil && len(cuts) != 2 {
		t.Errorf("cuts are %v", cuts)
	}
	if cuts := newPoints([]float64{3}, []float64{1}).modeCuts(2); cuts != nil {
		t.Errorf("cuts of one value are %v", cuts)
	}
}

func TestPressKeepsSums(t *testing.T) {
	p := newTask(families()[1], RunTime, NewSample(RunTime, seconds(batch(0.5), 5000, 6, false)), Options{Transform: Ln}).points()
	q := p.press()
	if q.len() > cells || q.len() < cells/4 {
		t.Errorf("%d points", q.len())
	}
	var a, b GammaSums
	for i, x := range p.x {
		a.add(x, p.lnX[i], p.w[i])
	}
	for i, x := range q.x {
		b.add(x, q.lnX[i], q.w[i])
	}
	relative(t, "jobs", b.W, a.W, 1e-12)
	relative(t, "sum", b.X, a.X, 1e-12)
	relative(t, "sum of ln", b.LnX, a.LnX, 1e-12)
}
