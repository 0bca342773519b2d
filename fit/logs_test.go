package fit

import (
	"encoding/json"
	"iter"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/reallogs"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

// The logs of the Parallel Workloads Archive that tests use.
const (
	kth  = "KTH-SP2-1996-2.1-cln.swf"
	sdsc = "SDSC-Par-1996-3.1-cln.swf"
	nasa = "NASA-iPSC-1993-3.1-cln.swf"
	lcg  = "LCG-2005-1.swf"
)

// openLog opens a real log, or skips the test where there are none.
func openLog(t testing.TB, name string) *workload.Log {
	t.Helper()
	log, err := logfile.Open(reallogs.Path(t, "swf/"+name+".gz"), workload.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { log.Close() })
	return log
}

// collectLog gathers the jobs of a real log with one of the status codes.
func collectLog(t testing.TB, name string, status ...int64) Class {
	t.Helper()
	log := openLog(t, name)
	clock, _ := log.Header.Clock()
	classes, err := Collect(log.Jobs(), clock, CollectOptions{Status: status}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(classes) != 1 {
		t.Fatalf("%d classes, want 1", len(classes))
	}
	return classes[0]
}

// The form of testdata/reference.json; reference.py says what is in it.
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
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "reference.json"))
	if err != nil {
		t.Fatal(err)
	}
	var r reference
	if err := json.Unmarshal(data, &r); err != nil {
		t.Fatal(err)
	}
	return r
}

// near fails unless got is within tolerance of want.
func near(t testing.TB, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s is %.10g, want %.10g within %.2g", what, got, want, tolerance)
	}
}

// relative fails unless got is within a share of want.
func relative(t testing.TB, what string, got, want, share float64) {
	t.Helper()
	near(t, what, got, want, share*math.Abs(want))
}

// parameter returns a report's parameter by name.
func parameter(t testing.TB, r Report, name string) float64 {
	t.Helper()
	for _, p := range r.Parameters {
		if p.Name == name {
			return p.Value
		}
	}
	t.Fatalf("%s has no parameter %s: %v", r.Family, name, r.Parameters)
	return math.NaN()
}

func mustFit(t testing.TB, family string, a Attribute, s Sample, o Options) Report {
	t.Helper()
	r, err := Fit(family, a, s, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// jobsOf makes a log of n jobs from f.
func jobsOf(n int, f func(i int, j *workload.Job)) iter.Seq2[workload.Job, error] {
	return func(yield func(workload.Job, error) bool) {
		for i := range n {
			j := workload.UnknownJob()
			j.Row, j.ID = int64(i), int64(i+1)
			f(i, &j)
			if !yield(j, nil) {
				return
			}
		}
	}
}

// plain is a job of an unremarkable log.
func plain(i int, j *workload.Job) {
	j.Submit = float64(i*500 + i%7*30)
	j.Size = []int64{1, 2, 4, 5, 8, 16}[i%6]
	j.Run = float64(2 + (i*7919)%5000)
	j.Status, j.Queue = 1, int64(i%2)
}
