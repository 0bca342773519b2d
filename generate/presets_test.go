package generate

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"
	"runtime"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/internal/longtest"
	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/workload"
)

// exactLaws contains results of testdata/presets.py, computed with SciPy 1.10.
type exactLaws struct {
	SizeLaw      []float64 `json:"size_law"`
	SizeMean     float64   `json:"size_mean"`
	SizeSD       float64   `json:"size_sd"`
	RunMean      float64   `json:"run_mean_s"`
	RunSD        float64   `json:"run_sd_s"`
	AreaMean     float64   `json:"area_mean"`
	RunQuantiles []struct {
		Value    float64 `json:"value_s"`
		Below    float64
		NotAbove float64 `json:"not_above"`
	} `json:"run_quantiles"`
	RunBelow []struct{ T, P float64 } `json:"run_below"`

	Interarrival    float64 `json:"interarrival_mean_s"`
	InterarrivalSD  float64 `json:"interarrival_sd_s"`
	SequentialMean  float64 `json:"sequential_mean_s"`
	SequentialSD    float64 `json:"sequential_sd_s"`
	ParallelismMean float64 `json:"parallelism_mean"`
	ParallelismSD   float64 `json:"parallelism_sd"`
	JobsADay        float64 `json:"jobs_a_day"`
}

func readExactLaws(t *testing.T) map[string]exactLaws {
	return longtest.ReadJSON[map[string]exactLaws](t, "testdata/presets.json")
}

// poisson returns a model with laws in seconds: serial jobs with exponential run times and
// interarrival times.
func poisson() model.Site {
	return model.Site{Schema: model.Schema, Name: "poisson", Processors: 64, Classes: []model.Class{{
		Name:     "all",
		Sizes:    &model.SizeTable{Rows: []model.SizeShare{{Size: 1, Share: 1}}},
		RunTimes: &model.LawRunTimes{First: model.Law{Law: dist.Exponential{Mean: 500}}},
		Arrivals: model.Arrivals{Method: model.Stationary, Interarrival: model.Law{Law: dist.Exponential{Mean: 60}}},
	}}}
}

// The generated jobs have the exact moments and quantiles of their laws, which SciPy computed by
// enumeration, and the mean time between submissions.
func TestPresetsAgainstEnumeration(t *testing.T) {
	const n = 200_000
	ref := readExactLaws(t)
	for name, s := range map[string]model.Site{
		model.Lublin2003: site(t, model.Lublin2003),
		"poisson":        poisson(),
	} {
		t.Run(name, func(t *testing.T) {
			want := ref[name]
			jobs := 2 * n
			checkExact(t, name, collect(t, build(t, s, Options{Jobs: int64(jobs), Seed: 1996})), want)
			means := s.Classes[0].Means(s.Processors)
			// Rounding takes off at most half a second, if it is fine relative to the law, and
			// adds if it raises shorter times to a second.
			if math.Abs(means.RunTime-0.5-want.RunMean) > 0.1 {
				t.Errorf("the model's mean run time is %g, want half a second above %g", means.RunTime, want.RunMean)
			}
			if math.Abs(s.Classes[0].Arrivals.Gap()-want.Interarrival) > 1e-8*want.Interarrival {
				t.Errorf("the model's mean interarrival time is %g, want %g", s.Classes[0].Arrivals.Gap(), want.Interarrival)
			}
		})
	}
}

func checkExact(t *testing.T, name string, jobs table, want exactLaws) {
	t.Helper()
	n := len(jobs.sizes)
	counts := map[int64]int{}
	areas := make([]float64, n)
	for i, size := range jobs.sizes {
		counts[size]++
		areas[i] = float64(size) * jobs.runs[i]
		if r := jobs.runs[i]; r != math.Floor(r) || r < 1 {
			t.Fatalf("%s: run time %g", name, r)
		}
	}
	longtest.CheckCounts(t, name+" sizes", counts, want.SizeLaw, n, falseAlarm)
	run, _ := meanAndSD(jobs.runs)
	checkMean(t, name+" mean run time", run, want.RunMean, want.RunSD, n)
	area, sd := meanAndSD(areas)
	checkMean(t, name+" mean area", area, want.AreaMean, sd, n)
	for _, q := range want.RunQuantiles {
		below, notAbove := 0, 0
		for _, r := range jobs.runs {
			if r < q.Value {
				below++
			}
			if r <= q.Value {
				notAbove++
			}
		}
		checkShare(t, name+" run times below", below, n, q.Below)
		checkShare(t, name+" run times up to", notAbove, n, q.NotAbove)
	}
	if want.Interarrival > 0 {
		allowed := sigmas()*want.InterarrivalSD*math.Sqrt(float64(n)) + secondsPerDay
		if last := jobs.submits[n-1]; math.Abs(last-float64(n)*want.Interarrival) > allowed {
			t.Errorf("%s: %d jobs take %g s, want %g within %g", name, n, last, float64(n)*want.Interarrival, allowed)
		}
	}
}

// Downey's malleable jobs: the three laws, the rate, and no arrival at night.
func TestDowney(t *testing.T) {
	want := readExactLaws(t)["downey1997"]
	const days = 1200
	malleable := prepare(t, model.Downey1997, Options{Days: days, Seed: 9})
	rigid := prepare(t, "downey1997-rigid", Options{Days: days, Seed: 9})
	var made Made
	counts := map[int64]int{}
	below := make([]int, len(want.RunBelow))
	var sequential, parallelism, sigma, runs, areas, submits []float64
	perDay := make([]float64, days)
	for batch, err := range rigid.Counted(&made) {
		if err != nil {
			t.Fatal(err)
		}
		v := batch
		for i := range v.Rows {
			l, a, s := v.Float(workload.ColSequentialTime, i), v.Float(workload.ColAverageParallelism, i), v.Float(workload.ColSigma, i)
			sequential, parallelism, sigma = append(sequential, l), append(parallelism, a), append(sigma, s)
			submit, run, size := v.Float(workload.ColSubmitTime, i), v.Float(workload.ColRunTime, i), v.Int(workload.ColAllocatedProcessors, i)
			submits = append(submits, submit)
			day := int(submit / secondsPerDay)
			if offset := submit - float64(day)*secondsPerDay; offset > 43200 {
				t.Fatalf("a job %g s after the day's beginning", offset)
			}
			perDay[day]++
			counts[size]++
			if size != int64(math.Ceil(a)) || run != max(1, math.Floor(l/model.DowneyS(float64(size), a, s))) {
				t.Fatalf("L %g, A %g, sigma %g on %d processors takes %g s", l, a, s, size, run)
			}
			runs, areas = append(runs, run), append(areas, run*float64(size))
			for j, q := range want.RunBelow {
				if run < q.T {
					below[j]++
				}
			}
		}
	}
	n := len(submits)
	mean, _ := meanAndSD(sequential)
	checkMean(t, "sequential time", mean, want.SequentialMean, want.SequentialSD, n)
	mean, _ = meanAndSD(parallelism)
	checkMean(t, "average parallelism", mean, want.ParallelismMean, want.ParallelismSD, n)
	mean, _ = meanAndSD(sigma)
	checkMean(t, "sigma", mean, 1, 2/math.Sqrt(12), n)
	longtest.CheckCounts(t, "sizes", counts, want.SizeLaw, n, falseAlarm)
	for j, q := range want.RunBelow {
		checkShare(t, "run times below", below[j], n, q.P)
	}
	run, _ := meanAndSD(runs)
	// Rounding to whole seconds takes off half a second, and less because a second is the least.
	checkMean(t, "run time", run+0.4, want.RunMean, want.RunSD, n)
	area, sd := meanAndSD(areas)
	checkMean(t, "area", area+0.4*want.ParallelismMean, want.AreaMean, sd, n)
	if math.Abs(area*float64(n)-made.Area) > 1e-6*made.Area || made.Jobs != int64(n) || made.Last != submits[n-1] {
		t.Errorf("counted %+v, want %d jobs, area %g, last %g", made, n, area*float64(n), submits[n-1])
	}
	if m := rigid.Site.Classes[0].Means(128); math.Abs(m.RunTime-want.RunMean) > 2e-4*want.RunMean || math.Abs(m.Area-want.AreaMean) > 2e-4*want.AreaMean {
		t.Errorf("the model's mean run time is %g and area %g, want %g and %g", m.RunTime, m.Area, want.RunMean, want.AreaMean)
	}
	// Poisson: the numbers of jobs on different days are independent, with variance equal to the
	// mean.
	checkMean(t, "jobs a day", float64(n)/days, want.JobsADay, math.Sqrt(want.JobsADay), days)
	_, dayCount := meanAndSD(perDay)
	chi2 := (days - 1) * dayCount * dayCount / want.JobsADay
	law := distuv.ChiSquared{K: days - 1}
	if chi2 < law.Quantile(falseAlarm/2) || chi2 > law.Quantile(1-falseAlarm/2) {
		t.Errorf("the variance of the jobs per day is %g, want that of a Poisson distribution, %g", dayCount*dayCount, want.JobsADay)
	}
	// The paper has a load of 0.75 during the day.
	if load := malleable.Site.OfferedLoad(); math.Abs(load-0.375) > 1e-12 {
		t.Errorf("offered load %g over whole days, want 0.375", load)
	}
	i := 0
	for j, err := range malleable.Jobs() {
		if err != nil {
			t.Fatal(err)
		}
		if j.SequentialTime != sequential[i] || j.Sigma != sigma[i] || j.Submit != submits[i] || j.Size != workload.Unknown || !math.IsNaN(j.Run) {
			t.Fatalf("malleable job %d: %+v", i+1, j)
		}
		i++
	}
	if i != n {
		t.Errorf("%d malleable jobs, want %d", i, n)
	}
}

// If one of two classes is rigid, only its jobs have sizes and run times.
func TestRigidAndFreeClasses(t *testing.T) {
	s := site(t, "downey1997-rigid")
	free := site(t, model.Downey1997).Classes[0]
	free.Name = "free"
	s.Classes = append(s.Classes, free)
	for i := range s.Classes {
		s.Classes[i].Column, s.Classes[i].Value = "queue_id", int64(i)
	}
	var jobs [2]int
	for j, err := range build(t, s, Options{Jobs: 1000, Seed: 1}).Jobs() {
		if err != nil {
			t.Fatal(err)
		}
		jobs[j.Queue]++
		if rigid := j.Queue == 0; rigid != (j.Allocated > 0) || rigid != (j.Run > 0) {
			t.Fatalf("job %d of queue %d: %d processors for %g s", j.ID, j.Queue, j.Allocated, j.Run)
		}
	}
	if jobs[0] < 300 || jobs[1] < 300 {
		t.Errorf("%v jobs of the classes", jobs)
	}
}

// The jobs of a seed stay the same from one version to the next: a change here changes every
// generated log, and must be announced.
func TestGolden(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("the golden values are those of amd64; another processor may differ in the last digits")
	}
	golden := map[string]struct {
		site model.Site
		o    Options
		want string
	}{
		model.Lublin1999:         {site(t, model.Lublin1999), Options{}, "66b93cf7bad9d19f057bb15a38832aff35691b48f06be514d5a19f4576b2980b"},
		model.Lublin1999Batch:    {site(t, model.Lublin1999Batch), Options{}, "b0e619f44548649af27a5e5c4a19ba4bcf01c909ae5cc8d1f69fd92cf06178e3"},
		"lublin1999-interactive": {site(t, "lublin1999-interactive"), Options{}, "1582ea8e2ff556b5e331bcf437a55cde1b9f96635f3851e17233c7e0dc9b5e83"},
		model.Lublin1999Untyped:  {site(t, model.Lublin1999Untyped), Options{}, "1add5d3fd6cd196654b84ef67ac7272526f9ff2a1372b7065ec5b5871b3f91af"},
		"tsafrir":                {site(t, model.Lublin1999Untyped), Options{Estimates: EstimatesTsafrir, MaxEstimate: 64800}, "720dc9096f7aba66aa2f64695ffd2222ddf062c9d38beaa9584637325c0d159a"},
		model.Lublin2003:         {site(t, model.Lublin2003), Options{}, "93788ca52af6cc13fe5f193654b6a0d45e2fe49231af73efa2cd1739f1aca3fd"},
		model.Downey1997:         {site(t, model.Downey1997), Options{}, "3834e8a2f7e3e05eea1c0fdababb6cff40340520d6f56dd1fc0850b84edbb377"},
		"downey1997-rigid":       {site(t, "downey1997-rigid"), Options{}, "ebec7a971bf47bdc301a42333fdcdeeb00d4420c89a2dfc442ae4e51e01c0969"},
		"poisson":                {poisson(), Options{}, "268c3fb1f337e612a229b774158c26214b1ea2741fd6581dd522d5417a5e6912"},
		"first method":           {site(t, model.Lublin1999), Options{Method: model.ExpectedInterarrival}, "2de68a7d3feb5001cba948c5b4b496befaad81955bcf721fb27f6c50470ba2db"},
		"users":                  {withUsers(site(t, model.Lublin1999), 50), Options{}, "54ebe3dbd2a75026d13ed6762dd786609751e3b27970c482bbfd2cc4d50aa591"},
		"second method":          {site(t, model.Lublin1999), Options{Method: model.ExpectedSlotsMethod}, "36574652896712e303958c5d42de98a7ca855893b4d868f86b6b2c0c0f15c9fd"},
	}
	for _, name := range model.Presets() {
		if _, ok := golden[name]; !ok {
			t.Errorf("%s: no golden jobs", name)
		}
	}
	for name, tt := range golden {
		tt.o.Jobs, tt.o.Seed = 20_000, 1
		var first string
		for _, workers := range []int{1, 2} {
			tt.o.Workers = workers
			w := build(t, tt.site, tt.o)
			for range 2 { // read twice
				got := checksum(t, w)
				first = cmp.Or(first, got)
				if got != first {
					t.Errorf("%s: other bytes from %d workers", name, workers)
				}
			}
		}
		if first != tt.want {
			t.Errorf("%s: sha256 %s, want %s", name, first, tt.want)
		}
	}
}

// checksum returns a checksum of all columns that files always have, for all jobs; the other
// columns must be unknown.
func checksum(t *testing.T, w *Workload) string {
	t.Helper()
	h := sha256.New()
	columns := workload.Columns()[:workload.FirstOptional]
	var b []byte
	for batch, err := range w.Batches() {
		if err != nil {
			t.Fatal(err)
		}
		jobtest.NoError(t, workload.ColumnSet(0).CheckDeclared(batch))
		v := batch
		for i := range v.Rows {
			b = b[:0]
			for c := range columns {
				if columns[c].Float() {
					b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v.Float(c, i)))
				} else {
					b = binary.LittleEndian.AppendUint64(b, uint64(v.Int(c, i)))
				}
			}
			h.Write(b)
		}
	}
	return fmt.Sprintf("%x", h.Sum(nil))
}
