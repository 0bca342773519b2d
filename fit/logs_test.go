package fit

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/loadstone-hpc/loadstone/fit/internal/fittest"
	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/internal/longtest"
	"github.com/loadstone-hpc/loadstone/stats"
)

// Helpers shared with the tests of fit's subpackages.
const kth, sdsc = fittest.KTH, fittest.SDSC

var openLog, jobsOf, plain, near, relative = fittest.OpenLog, fittest.Jobs, fittest.Plain, fittest.Near[float64], fittest.Relative[float64]

// collectLog collects the jobs of a real log with one of the status codes.
func collectLog(t testing.TB, name string, status ...int64) Class {
	t.Helper()
	log := openLog(t, name)
	clock, _ := log.Header.Clock()
	return jobtest.Must(Collect(log.Jobs(), clock, CollectOptions{Status: status}, nil))[0]
}

// The types of testdata/reference.json; reference.py describes its contents.
type (
	uniformLogReference struct {
		N         int64   `json:"n"`
		Trim      float64 `json:"trim"`
		Intercept float64 `json:"intercept"`
		Slope     float64 `json:"slope"`
		RSquared  float64 `json:"r_squared"`
		TMin      float64 `json:"t_min_s"`
		TMax      float64 `json:"t_max_s"`
	}
	hyperGammaReference struct {
		N          int64      `json:"n"`
		Parameters [5]float64 `json:"parameters"`
		OfLn       float64    `json:"log_likelihood_of_ln"`
		OfSeconds  float64    `json:"log_likelihood_of_seconds"`
		KSDistance float64    `json:"ks_d"`
	}
	logReference struct {
		UniformLog []uniformLogReference `json:"uniform_log"`
		HyperGamma hyperGammaReference   `json:"hyper_gamma"`
		Work       *hyperGammaReference  `json:"work"`
	}
	sampleReference struct {
		Seconds    []float64             `json:"seconds"`
		UniformLog []uniformLogReference `json:"uniform_log"`
		HyperGamma hyperGammaReference   `json:"hyper_gamma"`
		Gamma      [2]float64            `json:"gamma"`
		GammaOfLn  float64               `json:"gamma_log_likelihood_of_ln"`
	}
	reference struct {
		Logs    map[string]map[string]logReference `json:"logs"`
		Samples []sampleReference                  `json:"samples"`
	}
)

func readReference(t testing.TB) reference {
	return longtest.ReadJSON[reference](t, "testdata/reference.json")
}

func parameter(t testing.TB, r Report, name string) float64 {
	t.Helper()
	return fittest.Parameter(t, r.Parameters, name)
}

// sameNumbers compares reports, with NaN equal to NaN.
var sameNumbers = cmp.Options{cmpopts.EquateNaNs(), cmp.Transformer("float64", func(n stats.Number) float64 { return float64(n) })}

func mustFit(t testing.TB, family string, a Attribute, s Sample, o Options) Report {
	t.Helper()
	r, err := Fit(family, a, s, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}
