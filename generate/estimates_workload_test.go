package generate

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/workload"
)

// asked are what jobs ran for and asked for, and the text of all else.
type asked struct {
	runs, requested []float64
	rest            string
	cut             int64
}

func jobsAsked(t testing.TB, w *Workload) (a asked) {
	t.Helper()
	var made Made
	rest := sha256.New()
	for j, err := range workload.Jobs(w.Counted(&made)) {
		if err != nil {
			t.Fatal(err)
		}
		a.runs, a.requested = append(a.runs, j.Run), append(a.requested, j.Time)
		fmt.Fprintln(rest, j.ID, j.Submit, j.Size, j.User, j.Queue, j.Think)
	}
	a.rest, a.cut = fmt.Sprintf("%x", rest.Sum(nil)), made.Cut
	return a
}

func withEstimates(t testing.TB, name string, e model.Estimates) model.Site {
	s := site(t, name)
	s.Classes = slices.Clone(s.Classes)
	for i := range s.Classes {
		s.Classes[i].Estimates = e
	}
	return s
}

// Estimates change nothing but the requested times, and run times above the
// largest of Tsafrir's. They are the same on any number of cores, and in order:
// never below the run time.
func TestWorkloadEstimates(t *testing.T) {
	const n = workload.DefaultBatchRows + 99
	log := twoEstimates()
	for name, tt := range map[string]struct {
		model string
		e     model.Estimates
		o     Options
		most  float64
	}{
		"tsafrir": {model.Lublin1999Untyped, nil, Options{Estimates: EstimatesTsafrir, MaxEstimate: 64800}, 64800},
		"classes": {model.Lublin1999, model.TsafrirEstimates{Max: 86400}, Options{Estimates: EstimatesTsafrir}, 86400},
		"days":    {model.Lublin1999Untyped, nil, Options{Days: 30, Estimates: EstimatesTsafrir, MaxEstimate: 64800}, 64800},
		"users":   {model.Lublin1999Untyped, model.TsafrirEstimates{Max: 64800}, Options{}, 64800},
		"uniform": {model.Lublin1999, model.UniformEstimates{Factor: 3}, Options{}, math.Inf(1)},
		"log":     {model.Lublin1999, log, Options{}, math.Inf(1)},
		"log, on": {model.Lublin1999Untyped, log, Options{Estimates: EstimatesOfModel}, math.Inf(1)},
	} {
		s := withEstimates(t, tt.model, tt.e)
		if name == "users" {
			s = withBags(withUsers(s, 30), 3)
		}
		tt.o.Seed, tt.o.Workers = 3, 2
		if tt.o.Days == 0 {
			tt.o.Jobs = n
		}
		got := jobsAsked(t, build(t, s, tt.o))
		one := tt.o
		one.Workers = 1
		if other := jobsAsked(t, build(t, s, one)); !slices.Equal(got.requested, other.requested) || !slices.Equal(got.runs, other.runs) || got.cut != other.cut {
			t.Errorf("%s: one worker gives other jobs", name)
		}
		one.Estimates, one.MaxEstimate = EstimatesNone, 0
		none := jobsAsked(t, build(t, s, one))
		if got.rest != none.rest {
			t.Errorf("%s: estimates change more than requested times", name)
		}
		cut := int64(0)
		top := 1000.0 // of the log's
		for i, r := range got.requested {
			want := got.runs[i]
			if _, ok := tt.e.(model.LogEstimates); ok {
				want = min(want, top)
			}
			if !(r >= want) {
				t.Fatalf("%s: job %d runs %g s and asked for %g", name, i+1, got.runs[i], r)
			}
			if r > tt.most || got.runs[i] > tt.most {
				t.Fatalf("%s: job %d asked for %g s, ran %g", name, i+1, r, got.runs[i])
			}
			if !math.IsNaN(none.requested[i]) {
				t.Fatalf("%s: estimates none, and %g s", name, none.requested[i])
			}
			if got.runs[i] != min(none.runs[i], tt.most) {
				t.Fatalf("%s: job %d runs %g s, without estimates %g", name, i+1, got.runs[i], none.runs[i])
			}
			if none.runs[i] > tt.most {
				cut++
			}
		}
		if cut != got.cut {
			t.Errorf("%s: %d run times cut, %d said", name, cut, got.cut)
		}
		if !math.IsInf(tt.most, 1) && got.cut == 0 {
			t.Errorf("%s: no run time is cut: the rule is not tested", name)
		}
	}
}

// The estimates of the jobs are as many as the model of 2005 draws for them:
// each estimate's share is the bins', by chi-square.
func TestWorkloadHasTsafrirsBins(t *testing.T) {
	const n = 60_000
	w := build(t, site(t, model.Lublin1999Untyped), Options{Jobs: n, Seed: 4, Estimates: EstimatesTsafrir, MaxEstimate: 64800})
	bins, err := TsafrirModel{Jobs: n, Max: 64800}.Draw(4, w.Site.Classes[0].Name)
	if err != nil {
		t.Fatal(err)
	}
	if bins.Max() != 64800 {
		t.Errorf("the largest is %g s", bins.Max())
	}
	times, p := bins.times(), make([]float64, len(bins))
	for i, b := range bins {
		p[i] = float64(b.Jobs) / n
	}
	counts := map[int64]int{}
	for _, r := range jobsAsked(t, w).requested {
		at, ok := slices.BinarySearch(times, r)
		if !ok {
			t.Fatalf("an estimate of %g s", r)
		}
		counts[int64(at)]++
	}
	checkCounts(t, "estimates", counts, p, n)
}

// The classes keep their estimates whatever other classes there are.
func TestEstimatesByClass(t *testing.T) {
	e := model.UniformEstimates{Factor: 4}
	both := build(t, withEstimates(t, model.Lublin1999, e), Options{Jobs: 30_000, Seed: 2})
	batch := jobsAsked(t, build(t, withEstimates(t, model.Lublin1999Batch, e), Options{Jobs: 3000, Seed: 2}))
	i := 0
	for j, err := range both.Jobs() {
		if err != nil {
			t.Fatal(err)
		}
		if j.Queue == 1 && i < len(batch.runs) {
			if j.Run != batch.runs[i] || j.Time != batch.requested[i] {
				t.Fatalf("batch job %d: %g s of %g asked for, alone %g of %g", i+1, j.Run, j.Time, batch.runs[i], batch.requested[i])
			}
			i++
		}
	}
	if i == 0 {
		t.Error("no batch jobs")
	}
	// A class without estimates beside one with them.
	s := withEstimates(t, model.Lublin1999, e)
	s.Classes[0].Estimates = nil
	for j, err := range build(t, s, Options{Jobs: 3000, Seed: 2}).Jobs() {
		if err != nil {
			t.Fatal(err)
		}
		if math.IsNaN(j.Time) != (j.Queue == 0) {
			t.Fatalf("a job of queue %d asked for %g s", j.Queue, j.Time)
		}
	}
}

// Given estimates keep their shares.
func TestGivenEstimates(t *testing.T) {
	const n = 20_000
	e := model.TsafrirEstimates{Max: 64800, Given: []model.EstimateShare{{Time: 7200, Share: 0.1}, {Time: 64800, Share: 0.4}}}
	got := jobsAsked(t, build(t, withEstimates(t, model.Lublin1999Untyped, e), Options{Jobs: n, Seed: 6}))
	counts := map[float64]int{}
	for _, r := range got.requested {
		counts[r]++
	}
	for _, g := range e.Given {
		checkShare(t, fmt.Sprintf("%g s", g.Time), counts[g.Time], n, g.Share)
	}
}

// With a load to reach, run times that are cut are counted as they are.
func TestLoadWithEstimates(t *testing.T) {
	const n = 100_000
	s := withEstimates(t, model.Lublin1999Untyped, model.TsafrirEstimates{Max: 14400, Given: []model.EstimateShare{{Time: 14400, Share: 0.7}}})
	w := build(t, s, Options{Jobs: n, Load: 0.5, Seed: 3})
	want, whole := w.Site.Classes[0].Means(128), site(t, model.Lublin1999Untyped).Classes[0].Means(128)
	jobs := collect(t, w)
	runs, areas := make([]float64, n), make([]float64, n)
	for i, r := range jobs.runs {
		if runs[i] = r; r < 14400 {
			runs[i] += 0.5 // it was rounded down
		}
		areas[i] = runs[i] * float64(jobs.sizes[i])
	}
	mean, sd := meanAndSD(runs)
	checkMean(t, "run time", mean, want.RunTime, sd, n)
	mean, sd = meanAndSD(areas)
	checkMean(t, "area", mean, want.Area, sd, n)
	if math.Abs(w.Site.OfferedLoad()-want.Area/want.Interarrival/128) > 1e-9 || !(want.Area < whole.Area) {
		t.Errorf("area %g, uncut %g, load %g", want.Area, whole.Area, w.Site.OfferedLoad())
	}
	if h := fmt.Sprint(w.Header.All("MaxRuntime")); h != "[14400]" {
		t.Errorf("MaxRuntime %s", h)
	}
}

func TestBadEstimateOptions(t *testing.T) {
	for name, tt := range map[string]struct {
		o    Options
		want string
	}{
		"choice":     {Options{Jobs: 1, Estimates: "some"}, `estimates: "some", want one of none, tsafrir, uniform, model`},
		"no maximum": {Options{Jobs: 1, Estimates: EstimatesTsafrir}, "estimates: tsafrir, but class interactive of the model does not say the largest, want max-estimate too"},
		"maximum":    {Options{Jobs: 1, Estimates: EstimatesTsafrir, MaxEstimate: 60}, "max-estimate: 60, want whole seconds from 3600"},
		"fraction":   {Options{Jobs: 1, Estimates: EstimatesTsafrir, MaxEstimate: 3600.5}, "max-estimate: 3600.5, want whole seconds"},
		"NaN":        {Options{Jobs: 1, Estimates: EstimatesTsafrir, MaxEstimate: math.NaN()}, "max-estimate: NaN, want whole seconds"},
		"alone":      {Options{Jobs: 1, MaxEstimate: 7200}, "max-estimate: 7200, want `estimates` tsafrir too"},
		"no model's": {Options{Jobs: 1, Estimates: EstimatesOfModel}, "estimates: model, but class interactive of the model has none, want none, tsafrir, uniform, or a model"},
		"exact":      {Options{Jobs: 1, Exact: true, Estimates: EstimatesTsafrir, MaxEstimate: 3600}, "estimates: tsafrir with `exact`: it cuts run times, want none"},
		"short":      {Options{Jobs: 50_000, Estimates: EstimatesTsafrir, MaxEstimate: 3600}, "max-estimate: 3600, but "},
	} {
		_, err := New(site(t, model.Lublin1999), tt.o)
		var o *workload.OptionError
		if !errors.As(err, &o) || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", name, err, tt.want)
		}
	}
	var o *workload.OptionError
	if _, err := New(site(t, model.Downey1997), Options{Jobs: 1, Estimates: EstimatesUniform}); !errors.As(err, &o) || !strings.Contains(err.Error(), "malleable") {
		t.Errorf("malleable: %v", err)
	}
}
