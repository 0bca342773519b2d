package fit

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/fit/internal/em"
)

// cellSample is a sample of testdata/em_cells.json and what SciPy makes of it.
type cellSample struct {
	Family        string    `json:"family"`
	Rounding      Rounding  `json:"rounding"`
	Max           float64   `json:"max"`
	Seconds       []float64 `json:"seconds"`
	Censored      []bool    `json:"censored"`
	N             int64     `json:"n"`
	Parameters    []float64 `json:"parameters"`
	LogLikelihood float64   `json:"log_likelihood_of_cells"`
}

// sample is as a Collector would make it.
func (c cellSample) sample() Sample {
	s := NewSample(RunTime, c.Seconds)
	s.Censored = make([]float64, len(s.Values))
	for i, killed := range c.Censored {
		if killed {
			s.Censored[slices.Index(s.Values, c.Seconds[i])]++
		}
	}
	return s
}

// TestCellsAgreeWithSciPy: direct maximisation of the same likelihood, written
// with SciPy's incomplete Gamma functions, finds nothing better than EM, and
// the same law. Where a likelihood is flat to the last 1e-7 its parameters are
// free to move by 1e-3 or so.
func TestCellsAgreeWithSciPy(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("testdata", "em_cells.json"))
	if err != nil {
		t.Fatal(err)
	}
	var reference struct {
		Samples []cellSample `json:"samples"`
	}
	if err := json.Unmarshal(data, &reference); err != nil {
		t.Fatal(err)
	}
	for i, c := range reference.Samples {
		o := Options{Rounding: c.Rounding, Censored: true, Max: c.Max}
		if c.Rounding == NoRounding {
			o.Resolution = -1
		}
		s := c.sample()
		r := mustFit(t, c.Family, RunTime, s, o)
		if r.N != c.N || r.Status != Converged || r.Family != c.Family {
			t.Errorf("sample %d: %s of %d jobs is %s, want %s of %d converged", i, r.Family, r.N, r.Status, c.Family, c.N)
		}
		f := families()[slices.IndexFunc(families(), func(f family) bool { return f.name == c.Family })]
		got := float64(r.LogLikelihood) - newTask(f, RunTime, s, o.filled(f, RunTime, s)).perAttribute()
		if !(got >= c.LogLikelihood-1e-6) {
			t.Errorf("sample %d: log-likelihood is %.9f, want at least %.9f", i, got, c.LogLikelihood)
		}
		near(t, "log-likelihood", got, c.LogLikelihood, 1e-5)
		for j, p := range r.Parameters {
			relative(t, p.Name, p.Value, c.Parameters[j], 2e-3)
		}
	}
}

// TestEMOfCellsIsMonotone: rounded, censored and cut, with shapes or shares
// given, no step of EM lowers the log-likelihood by more than rounding error.
func TestEMOfCellsIsMonotone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(20, 120).Draw(t, "n")
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 3))
		law := dist.HyperGamma{
			First:  dist.Gamma{Shape: rapid.Float64Range(0.5, 20).Draw(t, "a1"), Scale: 0.5},
			Second: dist.Gamma{Shape: rapid.Float64Range(1, 900).Draw(t, "a2"), Scale: 0.02}, P: 0.4,
		}
		spike := rapid.Float64Range(0, 0.9).Draw(t, "spike")
		o := Options{
			Components: rapid.IntRange(1, 4).Draw(t, "components"),
			Rounding:   rapid.SampledFrom([]Rounding{NoRounding, RoundedNearest, RoundedDown}).Draw(t, "rounding"),
			Censored:   rapid.Bool().Draw(t, "censored"),
			Max:        rapid.SampledFrom([]float64{0, 3e6, 5000.5}).Draw(t, "max"),
			Transform:  rapid.SampledFrom([]Transform{Ln, Log2, None}).Draw(t, "transform"),
			Resolution: 1,
		}
		values := []float64{2, 7, 1000}
		for range n {
			v := math.Ceil(math.Exp(min(law.Rand(rng), 14)))
			if rng.Float64() < spike {
				v = 3600
			}
			values = append(values, v)
		}
		s := NewSample(RunTime, values)
		for _, c := range s.Counts {
			s.Censored = append(s.Censored, math.Floor(rng.Float64()*c+0.3))
		}
		task := newTask(family{name: "hyper-gamma", positive: true, cells: true}, RunTime, s, o)
		if rapid.Bool().Draw(t, "shaped") {
			task.family.shape = float64(rapid.IntRange(1, 5).Draw(t, "shape"))
		}
		m := task.mixture(task.points())
		if o.Components == 2 && rapid.Bool().Draw(t, "fixed") {
			m.Share = 0.3
		}
		starts, _ := m.Starts(o.Components)
		for _, start := range starts {
			last := math.Inf(-1)
			m.Observe = func(l float64) {
				if !(l >= last-1e-9*m.Jobs()) {
					t.Fatalf("log-likelihood falls from %.15g to %.15g", last, l)
				}
				last = l
			}
			r := m.Run(start, em.Limits{Iterations: 20, Tolerance: 1e-9})
			for _, c := range r.Components {
				if err := c.Law.Validate(); err != nil {
					t.Fatal(err)
				}
			}
		}
	})
}

// TestNoComponentCollapsesOnATie: a third of the jobs end at one second. Under
// the likelihood of densities a component there gains the more the narrower it
// may be; under that of cells its gain is bounded by the jobs' share, so that
// a bound ten times wider or narrower hardly matters.
func TestNoComponentCollapsesOnATie(t *testing.T) {
	values := seconds(dist.Gamma{Shape: 9, Scale: 0.8}, 2000, 5, true)
	for i := range 700 {
		values[i] = 9
	}
	s := NewSample(RunTime, values)
	r := mustFit(t, "hyper-gamma", RunTime, s, Options{Rounding: RoundedNearest})
	task := emTask(t, s, Options{Rounding: RoundedNearest})
	m := task.mixture(task.points())
	at := componentsOf(r.Law)
	k := slices.IndexFunc(at, func(c dist.WeightedGamma) bool { return math.Abs(c.Law.Mean()-math.Log(9)) < 0.05 })
	if k < 0 {
		t.Fatalf("no component at 9 s: %+v", at)
	}
	l := m.LogLikelihood(at)
	mean, shape := at[k].Law.Mean(), at[k].Law.Shape
	at[k].Law = dist.Gamma{Shape: 1e6 * shape, Scale: mean / (1e6 * shape)}
	gain := m.LogLikelihood(at) - l
	// All that is left to gain is the part of the component outside the cell.
	hi, lo := math.Log(9.5), math.Log(8.5)
	inside := math.Exp(em.GammaCell(dist.Gamma{Shape: shape, Scale: mean / shape}, lo, hi).LnMass)
	if most := -1.1 * at[k].Weight * m.Jobs() * math.Log(inside); !(gain < most) {
		t.Errorf("a component a thousand times narrower gains %g, want less than %g", gain, most)
	}
	if w := strings.Join(r.Warnings, "\n"); !strings.Contains(w, "at the minimum width") {
		t.Errorf("warnings are %q", w)
	}
}

// TestZerosAreLessThanHalfASecond: jobs of 0 s count as cells where the law is
// of the attribute itself, and are left out of its logarithm, whose support
// begins at 1 s. Of an exponential law, whose cells have a closed form.
func TestZerosAreLessThanHalfASecond(t *testing.T) {
	s := NewSample(RunTime, []float64{0, 0, 0, 1, 1, 2, 5})
	r := mustFit(t, "exponential", RunTime, s, Options{Rounding: RoundedNearest})
	if r.N != 7 || len(r.LeftOut) != 0 {
		t.Errorf("%d jobs, left out %v, want 7 and none", r.N, r.LeftOut)
	}
	mean := parameter(t, r, "mean")
	l := func(m float64) float64 {
		f := func(v float64) float64 { return -math.Expm1(-v / m) }
		return 3*math.Log(f(0.5)) + 2*math.Log(f(1.5)-f(0.5)) + math.Log(f(2.5)-f(1.5)) + math.Log(f(5.5)-f(4.5))
	}
	near(t, "log-likelihood", float64(r.LogLikelihood), l(mean), 1e-12)
	for _, m := range []float64{0.99 * mean, 1.01 * mean} {
		if l(m) >= l(mean) {
			t.Errorf("a mean of %g is as likely as %g", m, mean)
		}
	}
	g := mustFit(t, "gamma", RunTime, s, Options{Rounding: RoundedNearest})
	if g.N != 4 {
		t.Errorf("%d jobs in a distribution of ln, want 4: those of 1 s and more", g.N)
	}
}

func TestBadIntervalOptions(t *testing.T) {
	s := NewSample(RunTime, seconds(batch(0.5), 100, 1, true))
	for _, tt := range []struct {
		family  string
		sample  Sample
		options Options
		err     string
	}{
		{"hyper-gamma", s, Options{Rounding: "up"}, "rounding: up"},
		{"hyper-gamma", s, Options{Max: math.NaN()}, "max: NaN"},
		{"hyper-gamma", s, Options{Max: 1}, "max: 1"},
		{"hyper-gamma", s, Options{Rounding: RoundedNearest, Resolution: -1}, "no resolution"},
		{"hyper-gamma", s, Options{Rounding: RoundedNearest, Resolution: 60}, "multiples of 60"},
		{"uniform-log", s, Options{Rounding: RoundedNearest}, "exact and complete values only, since it follows the distribution function"},
		{"bounded-pareto", s, Options{Max: 1000}, "its bounds are the smallest and the largest value"},
		{"pareto", s, Options{Rounding: RoundedNearest}, "its lower bound is the smallest value"},
		{"hyper-gamma", s, Options{ChooseComponents: true, Components: 3}, "to be chosen"},
		{"hyper-gamma", s, Options{MaxComponents: 9}, "max-components: 9"},
		{"hyper-gamma", Sample{Values: []float64{2}, Counts: []float64{1}, Censored: []float64{2}}, Options{}, "censored jobs 0 is 2"},
		{"hyper-gamma", Sample{Values: []float64{2}, Counts: []float64{1}, Censored: []float64{1, 1}}, Options{}, "2 counts of censored"},
	} {
		_, err := Fit(tt.family, RunTime, tt.sample, tt.options)
		if err == nil || !strings.Contains(err.Error(), tt.err) {
			t.Errorf("%s with %+v: error is %v, want one with %q", tt.family, tt.options, err, tt.err)
		}
	}
}
