package fit

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/stats"
)

// The form of testdata/leastd.json; leastd.py says what is in it.
type (
	leastDReference struct {
		Family     string    `json:"family"`
		N          int64     `json:"n"`
		Parameters []float64 `json:"parameters"`
		D          float64   `json:"d"`
	}
	leastDReferences struct {
		Sample struct {
			Seconds []float64         `json:"seconds"`
			Fits    []leastDReference `json:"fits"`
		} `json:"sample"`
		Logs map[string]map[Attribute][]leastDReference `json:"logs"`
	}
)

func readLeastD(t testing.TB) leastDReferences {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "leastd.json"))
	if err != nil {
		t.Fatal(err)
	}
	var r leastDReferences
	if err := json.Unmarshal(data, &r); err != nil {
		t.Fatal(err)
	}
	return r
}

func (r leastDReference) law() dist.Law {
	p := r.Parameters
	first := dist.Gamma{Shape: p[0], Scale: p[1]}
	if len(p) == 2 {
		return first
	}
	return dist.HyperGamma{First: first, Second: dist.Gamma{Shape: p[2], Scale: p[3]}, P: p[4]}
}

// leastDOfLog is the fit of two Gammas to all jobs of a log by least D, which
// takes a second: once a run.
func leastDOfLog(t testing.TB, log string, a Attribute) Report {
	t.Helper()
	key := log + " " + string(a)
	r, ok := leastDFits[key]
	if !ok {
		r = mustFit(t, "hyper-gamma", a, collectLog(t, log).Sample(a), Options{Method: MethodLeastD})
		leastDFits[key] = r
	}
	return r
}

var leastDFits = map[string]Report{}

// closest holds a fit by least D to that of EM, or of maximum likelihood, of
// the same jobs, and to the least D that SciPy finds.
func closest(t *testing.T, a Attribute, s Sample, want leastDReference) {
	t.Helper()
	closestOf(t, a, s, want, mustFit(t, want.Family, a, s, Options{Method: MethodLeastD}))
}

func closestOf(t *testing.T, a Attribute, s Sample, want leastDReference, r Report) {
	t.Helper()
	em := mustFit(t, want.Family, a, s, Options{})
	what := string(a) + ", " + want.Family
	if r.N != want.N || r.N != em.N {
		t.Fatalf("%s: n %d, by maximum likelihood %d, want %d", what, r.N, em.N, want.N)
	}
	t.Logf("%s: D %.6f, by SciPy %.6f, by maximum likelihood %.6f; log-likelihood %.1f below; %d evaluations",
		what, r.KS.D, want.D, em.KS.D, em.LogLikelihood-r.LogLikelihood, r.Iterations)
	of := r.task(s)
	ks, err := stats.KolmogorovSmirnov(of.x, of.sample.Counts, want.law())
	if err != nil {
		t.Fatal(err)
	}
	near(t, what+": D of SciPy's law", ks.D, want.D, 1e-10)
	if r.KS.D > want.D+1e-4 {
		t.Errorf("%s: D is %.6f, SciPy finds %.6f", what, r.KS.D, want.D)
	}
	if r.KS.D > em.KS.D || r.LogLikelihood > em.LogLikelihood {
		t.Errorf("%s: D %g and log-likelihood %g, by maximum likelihood %g and %g", what, r.KS.D, r.LogLikelihood, em.KS.D, em.LogLikelihood)
	}
	if r.Method != MethodLeastD || em.Method != MethodMaximumLikelihood || r.Status != Converged || r.Free != em.Free || !slices.Contains(r.Warnings, leastDWarning) {
		t.Errorf("%s: method %q (%s), %q, %d parameters, warnings %q", what, r.Method, r.Status, em.Method, r.Free, r.Warnings)
	}
}

func TestLeastDOfASample(t *testing.T) {
	ref := readLeastD(t).Sample
	for _, want := range ref.Fits {
		closest(t, RunTime, NewSample(RunTime, ref.Seconds), want)
	}
}

func TestLeastDOfLogs(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	for name, attributes := range readLeastD(t).Logs {
		for a, fits := range attributes {
			t.Run(name+" "+string(a), func(t *testing.T) {
				s := collectLog(t, name).Sample(a)
				for _, want := range fits {
					if want.Family == "hyper-gamma" {
						closestOf(t, a, s, want, leastDOfLog(t, name, a))
						continue
					}
					closest(t, a, s, want)
				}
			})
		}
	}
}

// TestLeastDOfAShare: with the share given, it is kept, and D is above that
// with the share free.
func TestLeastDOfAShare(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	s := NewSample(RunTime, readLeastD(t).Sample.Seconds)
	free := mustFit(t, "hyper-gamma", RunTime, s, Options{Method: MethodLeastD})
	r := mustFit(t, "hyper-gamma", RunTime, s, Options{Method: MethodLeastD, P: 0.4})
	if p := parameter(t, r, "p"); p != 0.4 || r.KS.D <= free.KS.D || r.Free != 4 {
		t.Errorf("p %g, D %g, %d parameters; free %g", p, r.KS.D, r.Free, free.KS.D)
	}
}

// TestLeastDBootstrap: replicates are refitted by least D. By maximum
// likelihood their D is larger, and the p-value too kind.
func TestLeastDBootstrap(t *testing.T) {
	s := NewSample(RunTime, readLeastD(t).Sample.Seconds)
	o := Options{Method: MethodLeastD, Replicates: 19, Intervals: 0.9, Seed: 3}
	r := mustFit(t, "gamma", RunTime, s, o)
	if r.KS.Method != stats.ParametricBootstrap || r.KS.Failed != 0 || r.Intervals == nil {
		t.Fatalf("%+v, %+v", r.KS, r.Intervals)
	}
	o.Workers = 1
	if d := cmp.Diff(mustFit(t, "gamma", RunTime, s, o).KS, r.KS); d != "" {
		t.Errorf("one core and all differ:\n%s", d)
	}
	fam := families()[slices.IndexFunc(families(), func(f family) bool { return f.name == "hyper-gamma" })]
	replicate := func(method string) float64 {
		o := Options{Method: method}.filled(fam, RunTime, s)
		task := newTask(fam, RunTime, s, o)
		law, err := task.refit(task.x, task.sample.Counts, readLeastD(t).Sample.Fits[1].law())
		if err != nil {
			t.Fatal(err)
		}
		ks, err := stats.KolmogorovSmirnov(task.x, task.sample.Counts, law)
		if err != nil {
			t.Fatal(err)
		}
		return ks.D
	}
	if least, em := replicate(MethodLeastD), replicate(MethodMaximumLikelihood); least >= em {
		t.Errorf("D of a refit is %g by least D, %g by EM", least, em)
	}
}

func TestLeastDRefuses(t *testing.T) {
	s := NewSample(RunTime, []float64{2, 3, 4, 5, 6, 7, 8, 9})
	for _, tt := range []struct {
		family string
		o      Options
		want   string
	}{
		{"weibull", Options{Method: MethodLeastD}, "method: least-d, want maximum-likelihood, for weibull"},
		{"hyper-gamma", Options{Method: MethodLeastSquares}, "want maximum-likelihood or least-d"},
		{"uniform-log", Options{Method: MethodMaximumLikelihood}, "want least-squares"},
		{"hyper-gamma", Options{Method: MethodLeastD, Components: 3}, "2 `components`"},
		{"hyper-gamma", Options{Method: MethodLeastD, ChooseComponents: true}, "2 `components`"},
		{"gamma", Options{Method: MethodLeastD, Rounding: RoundedNearest}, "rounding"},
		{"gamma", Options{Method: MethodLeastD, Censored: true}, "censored"},
		{"hyper-gamma", Options{Method: MethodLeastD, Max: 100}, "max"},
	} {
		if _, err := Fit(tt.family, RunTime, s, tt.o); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s, %+v: error is %v, want one with %q", tt.family, tt.o, err, tt.want)
		}
	}
	for _, equal := range [][]float64{{5, 5, 5, 5, 5, 5}, {5}, {3, 4}} {
		var degenerate *DegenerateError
		if _, err := Fit("hyper-gamma", RunTime, NewSample(RunTime, equal), Options{Method: MethodLeastD}); !errors.As(err, &degenerate) {
			t.Errorf("%v: %v, want a *DegenerateError", equal, err)
		}
	}
	if Methods("zeta") != nil {
		t.Error("an unknown family has methods")
	}
}
