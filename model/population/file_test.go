package population_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	fit "github.com/loadstone-hpc/loadstone/fit/population"
	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/internal/longtest"
	"github.com/loadstone-hpc/loadstone/model/population"
	"github.com/loadstone-hpc/loadstone/workload"
)

func fitted(t testing.TB) population.Model {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 2))
	jobs := func(yield func(workload.Job, error) bool) {
		at := 0.0
		for range 4000 {
			j := workload.UnknownJob()
			at += float64(rng.IntN(2000))
			j.User, j.Submit, j.Run, j.Wait, j.Size = rng.Int64N(20), at, float64(rng.IntN(9000)), float64(rng.IntN(900)), 1+rng.Int64N(16)
			if !yield(j, nil) {
				return
			}
		}
	}
	m, _, err := fit.Fit(context.Background(), jobs, &workload.Header{}, "made up", 16)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// ofGPUs returns the model of 40 jobs of two users: jobs of size 2, half of them with a GPU of
// type 7 and half without, and jobs of size 4 with one. If the log has no processors, its sizes
// are GPUs.
func ofGPUs(t testing.TB, processors bool) population.Model {
	t.Helper()
	var jobs []workload.Job
	for i := range 40 {
		j := workload.UnknownJob()
		j.User, j.Submit, j.Run, j.Wait = int64(i%2), 5000*float64(i), 60, 0
		gpus := int64(i % 2)
		if j.Size = 2; i < 20 {
			j.Size, gpus = 4, 1
		}
		if !processors {
			gpus, j.Size = j.Size, workload.Unknown
		}
		workload.FindColumn("requested_gpus").SetInt(&j, gpus)
		if gpus > 0 {
			workload.FindColumn("gpu_type").SetInt(&j, 7)
		}
		jobs = append(jobs, j)
	}
	var h workload.Header
	h.AddNamed("GPUType", 7, "A100")
	m, _, err := fit.Fit(context.Background(), workload.JobsOf(jobs), &h, "made up", 16)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func encoded(t testing.TB, m population.Model) string {
	t.Helper()
	text, err := m.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// A model is read as it was written; a truncated file is still recognised as a model.
func TestRoundTrip(t *testing.T) {
	demo := jobtest.Must(population.Demo())
	if encoded(t, demo) != string(population.DemoFile()) {
		t.Error("the published model is written in another way")
	}
	for _, m := range []population.Model{demo, fitted(t), ofGPUs(t, true), ofGPUs(t, false)} {
		text := encoded(t, m)
		if back, err := population.Decode("x", []byte(text)); err != nil || !reflect.DeepEqual(back, m) {
			t.Errorf("the model read differs from the one written: %v", err)
		}
		half := []byte(text[:len(text)/2])
		if _, err := population.Decode("x", half); err == nil || !population.IsModel(half) || len(text) > 200_000 {
			t.Errorf("half of %d bytes: %v", len(text), err)
		}
	}
	for _, text := range []string{`{"schema":"loadstone.model/1"}`, "{}", `{"schema":1}`, "; Version: 2.2\n1 0 1 10", ""} {
		if population.IsModel([]byte(text)) {
			t.Errorf("%q is taken for a model of users", text)
		}
	}
}

// An error in a file has the path of its field and states what is expected.
func TestFaults(t *testing.T) {
	files := map[string]string{"made": encoded(t, fitted(t)), "gpus": encoded(t, ofGPUs(t, true)), "only": encoded(t, ofGPUs(t, false))}
	for _, x := range longtest.Rows(`
made | "schema": "loadstone.population/1" | "schema": "loadstone.population/9" | schema | one of
made | "processors": 16 | "processors": 1.5 | processors | a whole number, 1 to
made | "name": "made up" | "name": "two\nlines" | name | one line
made | "processors": 16 | "processors": 15 | sizes.sizes[15] | 1 to 15
made | "processors": 16 | "processors": 16, "colour": 1 | colour | one of schema
made | "lag_1": 0 | "lag_1": 2 | load.lag_1 | 0 to 0.99
made | "ln_work": [ | "ln_wrok": [ | users.strata[0].margins.ln_wrok | one of ln_jobs
made | "ln_work": [ | "ln_work": [], "x": [ | users.strata[0].margins.ln_work | one item
made | "ln_work": [ | "ln_work": [70,  | users.strata[0].margins.ln_work[0] | 0 to 69
made | "ln_work": [ | "ln_work": [69,  | users.strata[0].margins.ln_work[1] | not less than the one before
made | "days": [ | "days": [-1,  | users.strata[0].margins.days[0] | 0 to 7
made | "margins": { | "margins": {"size_mean": [0],  | users.strata[0].margins.size_mean | each key once
made | "from": 1, | "from": 2, | run_times.classes[0].from | 1
made | "p": [0, | "p": [0.0001, | run_times.classes[0].quantiles.p[0] | 0
made | "classes": [ | "class": 1, "classes": [ | run_times.class | one of about
gpus | "sizes": [2, 2, 4] | "sizes": [2, 2, 3] | resources.sizes[2] | one of sizes.sizes
gpus | "sizes": [2, 2, 4] | "sizes": [4, 2, 2] | resources.sizes[1] | not less than the one before
gpus | "sizes": [2, 2, 4] | "sizes": [2, 2, 2] | resources.shares | 1
gpus | "shares": [0.5, 0.5, 1] | "shares": [-0.5, 1.5, 1] | resources.shares[0] | 0 to 1
gpus | "shares": [0.5, 0.5, 1] | "shares": [0.5, 0.5] | resources | as many of both
gpus | "sizes": [2, 4] | "sizes": [2, 3, 4] | sizes.shares | 3, one for each value
gpus | "name": "gpu_type_id" | "name": "gpus" | resources.columns[0].name | one of gpu_type_id, requested_gpus
gpus | "name": "gpu_type_id" | "name": "requested_gpus" | resources.columns[1].name | each column once
gpus | "7": "A100" | "8": "A100" | resources.columns[0].values[1] | a kind of GPU with a name in resources.columns[0].names
gpus | "7": "A100" | "7": " " | resources.columns[0].names | names of one line
gpus | "7": "A100" | "7": "A100", "7": "H100" | resources.columns[0].names.7 | each key once
gpus | "values": [0, 1, 1] | "values": [-0.5, 1, 1] | resources.columns[1].values[0] | 0 to 1e+15, or -1 for unknown
gpus | "values": [0, 1, 1] | "values": [0, 1.5, 1] | resources.columns[1].values[1] | a whole number
gpus | "values": [0, 1, 1] | "values": [0, 1] | resources.columns[1].values | 3, one for each of resources.sizes
gpus | "values": [0, 1, 1] | "values": [null, 1, 1] | resources.columns[1].values[0] | -1 to 1e15
gpus | "classes": [ | "without_gpus": [{"from": 2, "jobs": 1, "quantiles": {"p": [0], "x": [1]}}], "classes": [ | run_times.without_gpus[0].from | 1
gpus | "classes": [ | "without_gpus": [{"from": 1, "jobs": 1, "quantiles": {"p": [0], "x": [1]}}, {"from": 2.5, "jobs": 1, "quantiles": {"p": [0], "x": [1]}}], "classes": [ | run_times.without_gpus[1].from | a whole number
gpus | "log": { | "unit": "cores", "log": { | unit | one of gpus, nodes
gpus | "log": { | "unit": "gpus", "log": { | resources.sizes[0] | 0, the GPUs of the row
only | "unit": "gpus" | "unit": "nodes" | resources.sizes[0] | 0, the nodes of the row
`) {
		text, from, to, path, want := files[x[0]], x[1], x[2], x[3], x[4]
		if !strings.Contains(text, from) {
			t.Fatalf("the file has no %s", from)
		}
		_, err := population.Decode("x", []byte(strings.Replace(text, from, to, 1)))
		var fault *workload.InputError
		if !errors.As(err, &fault) || fault.Field != path || !strings.HasPrefix(fault.Want, want) || fault.Line == 0 {
			t.Errorf("%s: %v, want an error at %q: %s", to, err, path, want)
		}
	}
	m := fitted(t)
	m.Users.Strata = nil
	if err := m.Validate(); err == nil || !strings.Contains(err.Error(), "users") {
		t.Errorf("without strata: %v", err)
	}
}

// Each field of a model, if missing, has a default or gives an error that names the field or its
// parent.
func TestTakenOut(t *testing.T) {
	optional := "source about start zone cycle load waits weights classes within apart think bags sessions correlations statuses queues unit check"
	for _, text := range []string{encoded(t, fitted(t)), encoded(t, ofGPUs(t, true)), encoded(t, ofGPUs(t, false))}[:longtest.Size(1, 3)] {
		tried := 0
		jobtest.Without(t, []byte(text), func(path, name string, text []byte) {
			tried++
			_, err := population.Decode("x", text)
			var fault *workload.InputError
			switch {
			case err == nil && !strings.Contains(optional, name) && path != "resources" && name != "columns":
				t.Errorf("%s taken out: no error", path)
			case err != nil && (!errors.As(err, &fault) || fault.Field == "" || !strings.HasPrefix(path, strings.TrimRight(fault.Field, "[]0123456789.px")) && !strings.HasPrefix(fault.Field, "resources")):
				t.Errorf("%s taken out: %v", path, err)
			}
		})
		if tried < 70 {
			t.Errorf("%d fields tried", tried)
		}
	}
}

// FuzzDecode checks that a decoded model is valid, and the same after encoding and decoding.
func FuzzDecode(f *testing.F) {
	f.Add([]byte(encoded(f, fitted(f))))
	f.Add([]byte(encoded(f, ofGPUs(f, false))))
	f.Add([]byte(`{"schema": "loadstone.population/1"}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := population.Decode("x", data)
		if err != nil {
			return
		}
		text := encoded(t, m)
		again := jobtest.Must(population.Decode("x", []byte(text)))
		if encoded(t, again) != text {
			t.Fatal("written again it differs")
		}
	})
}

// Quantiles of 1 to 1000 by hand: the p-th of n values is number 1 + floor(p n), and between two
// of them the law is uniform in ln(1 + x).
func TestQuantiles(t *testing.T) {
	x := make([]float64, 1000)
	for i := range x {
		x[i] = float64(i + 1)
	}
	q := population.NewQuantiles(x)
	for _, c := range [][2]float64{{0, 1}, {.5, 501}, {.1, 101}, {1, 1000}, {.0025, 0}} {
		if c[0] == .0025 { // between .002, 3, and .005, 6: a sixth of the way from ln 4 to ln 7
			c[1] = math.Exp(math.Log(4)+(math.Log(7)-math.Log(4))/6) - 1
		}
		if got := q.At(c[0]); math.Abs(got-c[1]) > 1e-9*c[1] {
			t.Errorf("quantile %g is %g, want %g", c[0], got, c[1])
		}
	}
	if q := population.NewQuantiles([]float64{5}); q.At(.3) != 5 {
		t.Errorf("quantiles of one value: %v", q)
	}
}
