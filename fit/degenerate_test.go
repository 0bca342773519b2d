package fit

import (
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/loadstone-hpc/loadstone/dist"
)

func TestDegenerateSamples(t *testing.T) {
	same := []float64{60, 60, 60, 60, 60, 60, 60, 60}
	two := []float64{60, 60, 60, 60, 3600, 3600, 3600, 3600}
	for _, tt := range []struct {
		name    string
		values  []float64
		options Options
		fails   string // families; the others must fit
	}{
		{"nothing", nil, Options{}, strings.Join(Families(), " ")},
		{"only unknown", []float64{math.NaN(), math.NaN()}, Options{}, strings.Join(Families(), " ")},
		{"only zeros and negative", []float64{0, -5}, Options{}, strings.Join(Families(), " ")},
		{"one job", []float64{60}, Options{}, "uniform-log multi-stage-uniform-log gamma hyper-gamma hyper-erlang hyper-exponential two-stage-uniform uniform log-normal weibull pareto"},
		{"all equal", same, Options{}, "uniform-log multi-stage-uniform-log gamma hyper-gamma hyper-erlang hyper-exponential two-stage-uniform uniform log-normal weibull pareto"},
		{"two values", two, Options{}, "two-stage-uniform"},
		{"fewer jobs than parameters", []float64{10, 100, 1000, 4000}, Options{}, "hyper-gamma hyper-erlang two-stage-uniform"},
		{"not above a second", []float64{0.1, 0.5, 1, 1, 0.7, 0.2, 0.3}, Options{}, "gamma hyper-gamma hyper-erlang two-stage-uniform"},
		{"hardly different", []float64{1e9, 1e9 + 1e-6, 1e9, 1e9, 1e9, 1e9}, Options{Resolution: -1}, "uniform-log multi-stage-uniform-log gamma hyper-gamma hyper-erlang hyper-exponential two-stage-uniform log-normal weibull pareto"},
		{"from the smallest to the largest", []float64{5e-324, 1e-300, 1, 1e300, math.MaxFloat64, 3, 9}, Options{}, "uniform-log multi-stage-uniform-log hyper-gamma hyper-erlang hyper-exponential two-stage-uniform exponential"},
	} {
		s := NewSample(RunTime, tt.values)
		for _, family := range Families() {
			r, err := Fit(family, RunTime, s, tt.options)
			fails := slices.Contains(strings.Fields(tt.fails), family)
			var degenerate *DegenerateError
			switch {
			case err != nil && !errors.As(err, &degenerate):
				t.Errorf("%s, %s: error %v is not a *DegenerateError", tt.name, family, err)
			case err != nil && !fails:
				t.Errorf("%s, %s: %v", tt.name, family, err)
			case err == nil && fails:
				t.Errorf("%s, %s: fitted %v, want an error", tt.name, family, r.Parameters)
			case err == nil:
				for _, p := range r.Parameters {
					if math.IsNaN(p.Value) || math.IsInf(p.Value, 0) {
						t.Errorf("%s, %s: %s is %g", tt.name, family, p.Name, p.Value)
					}
				}
			}
		}
	}
}

func TestBadArguments(t *testing.T) {
	good := NewSample(RunTime, seconds(batch(0.5), 100, 1, true))
	for _, tt := range []struct {
		family    string
		attribute Attribute
		sample    Sample
		options   Options
		err       string
	}{
		{"cauchy", RunTime, good, Options{}, "cauchy"},
		{"gamma", "colour", good, Options{}, "colour"},
		{"uniform-log", RunTime, good, Options{Trim: 0.5}, "trim: 0.5"},
		{"gamma", RunTime, good, Options{Resolution: math.Inf(1)}, "resolution"},
		{"gamma", RunTime, good, Options{Intervals: 0.95, Replicates: 38}, "want at least 39 for intervals"},
		{"gamma", RunTime, good, Options{Intervals: 0.9, Replicates: 18}, "want at least 19 for intervals at "},
		{"gamma", RunTime, good, Options{Replicates: 39, Censored: true}, "replicates: 39, want 0 with `censored`"},
		{"hyper-gamma", RunTime, good, Options{Censored: true}, "want one or more of gamma, log-normal, weibull, exponential; hyper-gamma is not fitted to jobs that were killed at their limit, since EM"},
		{"pareto", RunTime, good, Options{Censored: true}, "since its bounds are values"},
		{"uniform-log", RunTime, good, Options{Censored: true}, "since it follows the distribution function"},
		{"gamma", RunTime, Sample{Values: []float64{1, 2}, Counts: []float64{1}}, Options{}, "2 values and 1 counts"},
		{"gamma", RunTime, Sample{Values: []float64{2, math.NaN()}, Counts: []float64{1, 1}}, Options{}, "NaN"},
		{"gamma", RunTime, Sample{Values: []float64{3, 2}, Counts: []float64{1, 1}}, Options{}, "2 after 3"},
		{"gamma", RunTime, Sample{Values: []float64{0, 2}, Counts: []float64{1, 1}}, Options{}, "above 0"},
		{"gamma", RunTime, Sample{Values: []float64{2, 3}, Counts: []float64{1, math.NaN()}}, Options{}, "count 1 is NaN"},
	} {
		_, err := Fit(tt.family, tt.attribute, tt.sample, tt.options)
		if err == nil || !strings.Contains(err.Error(), tt.err) {
			t.Errorf("%s of %s with %+v: error is %v, want one with %q", tt.family, tt.attribute, tt.options, err, tt.err)
		}
	}
}

// TestAnySampleIsFittedOrRefused checks that for any values, a family gives a valid law or a
// *DegenerateError.
func TestAnySampleIsFittedOrRefused(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		value := rapid.OneOf(
			rapid.Float64(),
			rapid.Float64Range(0, 100),
			rapid.SampledFrom([]float64{1, 2, 60, 3600, 86400, math.NaN(), math.Inf(1), 0, -1, 1 + 1e-15}),
			rapid.Map(rapid.IntRange(1, 5000), func(i int) float64 { return float64(i) }),
		)
		attribute := rapid.SampledFrom(Attributes()).Draw(t, "attribute")
		s := NewSample(attribute, rapid.SliceOfN(value, 0, 60).Draw(t, "values"))
		family := rapid.SampledFrom(Families()).Draw(t, "family")
		o := Options{Workers: 1, Replicates: rapid.IntRange(0, 1).Draw(t, "replicates") * 2, Tests: true}
		r, err := Fit(family, attribute, s, o)
		if err != nil {
			if !errors.As(err, new(*DegenerateError)) {
				t.Fatalf("error %v", err)
			}
			return
		}
		if err := dist.Validate(r.Law); err != nil {
			t.Fatal(err)
		}
		if _, err := json.Marshal(r); err != nil {
			t.Fatal(err)
		}
		if !(r.KS.D >= 0 && r.KS.D <= 1) || math.IsNaN(float64(r.LogLikelihood)) {
			t.Fatalf("D is %g, log-likelihood %g", r.KS.D, r.LogLikelihood)
		}
	})
}
