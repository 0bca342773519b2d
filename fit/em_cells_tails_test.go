package fit

import (
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/fit/internal/em"
)

// TestTailCellsAgreeWithSciPy: direct maximisation with SciPy's distribution
// functions finds nothing better, and the same law. Where a likelihood is flat
// to the last 1e-7 its parameters are free to move by 1e-3 or so.
func TestTailCellsAgreeWithSciPy(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("testdata", "tail_cells.json"))
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
		s.Zeros = zerosOf(c.Seconds)
		r := mustFit(t, c.Family, RunTime, s, o)
		if r.N != c.N || r.Status != Converged || r.Family != c.Family {
			t.Errorf("sample %d: %s of %d jobs is %s, want %s of %d converged", i, r.Family, r.N, r.Status, c.Family, c.N)
		}
		// Whole seconds: cells of width 1, so that nothing is to be divided by.
		near(t, c.Family+": log-likelihood", float64(r.LogLikelihood), c.LogLikelihood, 1e-5)
		if !(float64(r.LogLikelihood) >= c.LogLikelihood-1e-6) {
			t.Errorf("sample %d: log-likelihood is %.9f, want at least %.9f", i, r.LogLikelihood, c.LogLikelihood)
		}
		for j, p := range r.Parameters {
			relative(t, c.Family+": "+p.Name, p.Value, c.Parameters[j], 2e-3)
		}
	}
}

func zerosOf(values []float64) (zeros float64) {
	for _, v := range values {
		if v == 0 {
			zeros++
		}
	}
	return zeros
}

// TestEMOfLogNormalCellsIsMonotone: rounded, censored and cut, no step of EM
// lowers the log-likelihood by more than rounding error.
func TestEMOfLogNormalCellsIsMonotone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, o := drawnSample(t)
		o.Components = rapid.IntRange(1, 3).Draw(t, "components")
		task := newTask(family{name: "log-normal-mixture", positive: true, cells: true}, RunTime, s, o)
		m := task.normals(task.lnPoints())
		starts, _ := m.Starts(max(2, o.Components))
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

// drawnSample is of run times with a spike and with jobs killed, and options.
func drawnSample(t *rapid.T) (Sample, Options) {
	n := rapid.IntRange(5, 80).Draw(t, "n")
	seed := rapid.Uint64().Draw(t, "seed")
	law := dist.LogNormal{Mu: rapid.Float64Range(0, 9).Draw(t, "mu"), Sigma: rapid.Float64Range(0.01, 3).Draw(t, "sigma")}
	spike := rapid.Float64Range(0, 0.9).Draw(t, "spike")
	o := Options{
		Rounding:   rapid.SampledFrom([]Rounding{NoRounding, RoundedNearest, RoundedDown}).Draw(t, "rounding"),
		Censored:   rapid.Bool().Draw(t, "censored"),
		Max:        rapid.SampledFrom([]float64{0, 3e6, 5000.5}).Draw(t, "max"),
		Transform:  None,
		Resolution: 1,
	}
	return spikedSample(n, seed, law, spike), o
}

func spikedSample(n int, seed uint64, law dist.LogNormal, spike float64) Sample {
	rng := rand.New(rand.NewPCG(seed, 3))
	values := []float64{2, 7, 1000}
	for range n {
		v := math.Ceil(min(law.Rand(rng), 1e6))
		if rng.Float64() < spike {
			v = 3600
		}
		values = append(values, v)
	}
	s := NewSample(RunTime, values)
	for _, c := range s.Counts {
		s.Censored = append(s.Censored, math.Floor(rng.Float64()*c+0.3))
	}
	return s
}

// TestLogNormalFarAboveTheCut: where most of a law is above the cut, EM's steps are so
// small that they pass for convergence; the fit is then still the likeliest law.
func TestLogNormalFarAboveTheCut(t *testing.T) {
	s := spikedSample(67, 0x2e, dist.LogNormal{Mu: 8.375, Sigma: 0.125}, 0.125)
	o := Options{Censored: true, Max: 5000.5, Transform: None, Resolution: 1}
	r, err := Fit("log-normal", RunTime, s, o)
	if err != nil {
		var degenerate *DegenerateError
		if !errors.As(err, &degenerate) {
			t.Fatal(err)
		}
		return
	}
	likeliest(t, "log-normal", s, o, r)
}

// TestAnyCellsAreFittedOrRefused: whatever the values and the options, a family
// gives a valid law or a *DegenerateError, and no neighbour of a law that
// converged is likelier.
func TestAnyCellsAreFittedOrRefused(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, o := drawnSample(t)
		name := rapid.SampledFrom([]string{"log-normal", "weibull", "log-normal-mixture"}).Draw(t, "family")
		r, err := Fit(name, RunTime, s, o)
		if err != nil {
			var degenerate *DegenerateError
			if !errors.As(err, &degenerate) {
				t.Fatal(err)
			}
			return
		}
		if err := dist.Validate(r.Law); err != nil {
			t.Fatal(err)
		}
		if math.IsNaN(float64(r.LogLikelihood)) || math.IsInf(float64(r.LogLikelihood), 0) || !(r.KS.D >= 0 && r.KS.D <= 1) {
			t.Fatalf("log-likelihood %g, D %g", r.LogLikelihood, r.KS.D)
		}
		if r.Status != Converged || name == "log-normal-mixture" {
			return
		}
		likeliest(t, name, s, o, r)
	})
}

// likeliest fails where a law next to a fitted one, of two parameters, is likelier.
func likeliest(t interface{ Fatalf(string, ...any) }, name string, s Sample, o Options, r Report) {
	f := families()[slices.IndexFunc(families(), func(f family) bool { return f.name == name })]
	tk := newTask(f, RunTime, s, o.filled(f, RunTime, s))
	for i := range r.Parameters {
		for _, by := range []float64{1.001, 0.999} {
			p := []float64{r.Parameters[0].Value, r.Parameters[1].Value}
			p[i] *= by
			var law dist.Law = dist.LogNormal{Mu: p[0], Sigma: p[1]}
			if name == "weibull" {
				law = dist.Weibull{Shape: p[0], Scale: p[1]}
			}
			if l := tk.ofCells(law) + tk.perAttribute(); l > float64(r.LogLikelihood)+1e-7*math.Abs(float64(r.LogLikelihood)) {
				t.Fatalf("%s %v has log-likelihood %.12g; %v, with the status %s, %.12g", name, p, l, r.Parameters, r.Status, r.LogLikelihood)
			}
		}
	}
}

// TestTailCellsRecover: of samples rounded, killed at limits of their own and
// cut, the parameters come back within the standard errors of the observed
// information.
func TestTailCellsRecover(t *testing.T) {
	const n, most = 20000, 40000.0
	for _, tt := range []struct {
		family string
		truth  dist.Law
		of     func(p []float64) dist.Law
	}{
		{"log-normal", dist.LogNormal{Mu: 5, Sigma: 1.6}, func(p []float64) dist.Law { return dist.LogNormal{Mu: p[0], Sigma: p[1]} }},
		{"weibull", dist.Weibull{Shape: 0.6, Scale: 900}, func(p []float64) dist.Law { return dist.Weibull{Shape: p[0], Scale: p[1]} }},
		{"log-normal-mixture", logNormals(dist.LogNormal{Mu: 3, Sigma: 1}, dist.LogNormal{Mu: 8, Sigma: 0.7}, 0.5), func(p []float64) dist.Law {
			return logNormals(dist.LogNormal{Mu: p[0], Sigma: p[1]}, dist.LogNormal{Mu: p[3], Sigma: p[4]}, p[2])
		}},
	} {
		s := killedSample(cutLaw{tt.truth, most}, n, 11)
		o := Options{Rounding: RoundedDown, Censored: true, Max: most}
		r := mustFit(t, tt.family, RunTime, s, o)
		f := families()[slices.IndexFunc(families(), func(f family) bool { return f.name == tt.family })]
		tk := newTask(f, RunTime, s, o.filled(f, RunTime, s))
		var at []float64
		for _, p := range r.Parameters {
			at = append(at, p.Value)
		}
		if tt.family == "log-normal-mixture" {
			at = at[:5] // the second share is 1 less the first
		}
		errs := observedErrors(t, at, func(p []float64) float64 { return tk.ofCells(tt.of(p)) })
		for i, p := range dist.Parameters(tt.truth) {
			if i < len(at) {
				near(t, tt.family+": "+p.Name, at[i], p.Value, sigmas*errs[i])
				if !(errs[i] < 0.1*p.Value) {
					t.Errorf("%s: the standard error of %s is %g: the test tells nothing", tt.family, p.Name, errs[i])
				}
			}
		}
	}
}

func logNormals(a, b dist.LogNormal, p float64) dist.Law {
	m, err := dist.NewLogNormalMixture(dist.WeightedLogNormal{Weight: p, Law: a}, dist.WeightedLogNormal{Weight: 1 - p, Law: b})
	if err != nil {
		panic(err)
	}
	return m
}

// killedSample is of n run times in whole seconds, rounded down, of which half
// have one of three limits.
func killedSample(law dist.Law, n int, seed uint64) Sample {
	rng := rand.New(rand.NewPCG(seed, 77))
	values, killed := make([]float64, n), map[float64]float64{}
	for i := range values {
		v := law.Rand(rng)
		limit := []float64{600, 3600, 7200, math.Inf(1), math.Inf(1), math.Inf(1)}[rng.IntN(6)]
		values[i] = math.Floor(min(v, limit))
		if v >= limit {
			killed[limit]++
		}
	}
	s := NewSample(RunTime, values)
	for _, v := range s.Values {
		s.Censored = append(s.Censored, killed[v])
	}
	return s
}

// observedErrors are the standard errors by the inverse of the Hessian of
// -ln likelihood, by central differences.
func observedErrors(t *testing.T, at []float64, logLikelihood func([]float64) float64) []float64 {
	t.Helper()
	k := len(at)
	h := mat.NewDense(k, k, nil)
	for i := range k {
		for j := range k {
			l := func(a, b float64) float64 {
				p := slices.Clone(at)
				p[i] *= 1 + 1e-3*a
				p[j] *= 1 + 1e-3*b
				return logLikelihood(p)
			}
			h.Set(i, j, -(l(1, 1)-l(1, -1)-l(-1, 1)+l(-1, -1))/(4e-6*at[i]*at[j]))
		}
	}
	var inverse mat.Dense
	if err := inverse.Inverse(h); err != nil {
		t.Fatal(err)
	}
	errs := make([]float64, k)
	for i := range errs {
		errs[i] = math.Sqrt(inverse.At(i, i))
	}
	return errs
}
