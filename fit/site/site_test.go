package site

import (
	"errors"
	"iter"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/fit/internal/fitted"
	"github.com/loadstone-hpc/loadstone/fit/internal/fittest"
	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/workload"
)

func TestSiteAgreesWithSciPy(t *testing.T) {
	for _, tt := range []struct {
		log        string
		processors int64
	}{{fittest.KTH, 100}, {fittest.SDSC, 400}} {
		t.Run(tt.log, func(t *testing.T) {
			log := fittest.OpenLog(t, tt.log)
			clock, _ := log.Header.Clock()
			want := readReference(t)[tt.log]["all"]
			site, report, err := Fit(log.Jobs(), clock, Options{Name: "test", Processors: tt.processors, PForm: FormLinear})
			if err != nil {
				t.Fatal(err)
			}
			if site.Processors != tt.processors || len(site.Classes) != 1 || len(report.Classes) != 1 {
				t.Fatalf("%d processors, %d classes, %d reports", site.Processors, len(site.Classes), len(report.Classes))
			}
			c, r := site.Classes[0], report.Classes[0]

			got := [4]int64{r.Sizes.N, r.Sizes.Serial, r.Sizes.Parallel, r.Sizes.PowersOfTwo}
			if counts := [4]int64{want.Sizes.N, want.Sizes.Serial, want.Sizes.Parallel, want.Sizes.PowersOfTwo}; got != counts {
				t.Errorf("sizes: n, serial, parallel, powers of two are %v, want %v", got, counts)
			}
			for i, v := range [4]float64{c.Lublin().Log2.Low, c.Lublin().Log2.Mid, c.Lublin().Log2.High, c.Lublin().Log2.P} {
				fittest.Near(t, "size distribution", v, want.Sizes.Log2[i], 2e-4)
			}
			fittest.Near(t, "D of the rounded sizes", r.Sizes.DRounded, want.Sizes.DRounded, 1e-5)
			fittest.Near(t, "D of the sizes that are generated", r.Sizes.DGenerated, want.Sizes.DGenerated, 1e-5)
			if r.Sizes.D < r.Sizes.DRounded {
				t.Errorf("ordinary D of sizes %g is below the rounded one %g", r.Sizes.D, r.Sizes.DRounded)
			}

			groups := want.ShareBySize.Groups
			if len(r.RunTimes.Groups) != len(groups) {
				t.Fatalf("%d size groups, want %d", len(r.RunTimes.Groups), len(groups))
			}
			for i, g := range r.RunTimes.Groups {
				w := groups[i]
				if float64(g.Smallest) != w.Smallest || float64(g.Largest) != w.Largest || g.Median != w.Median || g.Jobs != w.Jobs {
					t.Errorf("group %d is %+v, want %+v", i, g, w)
				}
				fittest.Near(t, "p of the group", g.P, w.P, 1e-4)
			}
			fittest.Relative(t, "slope of p(size)", c.Lublin().RunTimes.PSlope, want.ShareBySize.Slope, 1e-3)
			fittest.Relative(t, "intercept of p(size)", c.Lublin().RunTimes.PIntercept, want.ShareBySize.Intercept, 1e-3)

			if n := r.Arrivals.Peak.N; n != want.Arrivals.PeakGaps {
				t.Errorf("%d gaps at peak, want %d", n, want.Arrivals.PeakGaps)
			}
			if n := r.Arrivals.Gaps; n != want.Arrivals.Gaps {
				t.Errorf("%d gaps, want %d", n, want.Arrivals.Gaps)
			}
			fittest.Relative(t, "peak shape", c.Lublin().Gaps.Peak.Shape, want.Arrivals.Peak[0], 1e-9)
			fittest.Relative(t, "peak scale", c.Lublin().Gaps.Peak.Scale, want.Arrivals.Peak[1], 1e-9)
			fittest.Relative(t, "ARAR", c.Lublin().Gaps.ARAR, want.Arrivals.ARAR, 1e-9)
			fittest.Relative(t, "cycle shape", c.Lublin().Cycle.Shape, want.Arrivals.Cycle[0], 1e-9)
			fittest.Relative(t, "cycle scale", c.Lublin().Cycle.Scale, want.Arrivals.Cycle[1], 1e-9)
			fittest.Relative(t, "cycle D", r.Arrivals.Cycle.D, want.Arrivals.CycleD, 1e-9)
			fittest.Relative(t, "cycle distance", r.Arrivals.Cycle.Distance, want.Arrivals.CycleDistance, 1e-9)

			g := fitted.MustFit(t, "gamma", fit.Size, fitted.CollectLog(t, tt.log).Sample(fit.Size), fit.Options{})
			fittest.Relative(t, "size Gamma shape", fittest.Parameter(t, g.Parameters, "shape"), want.Sizes.Gamma[0], 1e-9)
			fittest.Relative(t, "size Gamma scale", fittest.Parameter(t, g.Parameters, "scale"), want.Sizes.Gamma[1], 1e-9)
		})
	}
}

func TestSiteByColumn(t *testing.T) {
	log := fittest.OpenLog(t, fittest.SDSC)
	clock, _ := log.Header.Clock()
	names := log.Header.Names("Partition")
	site, report, err := Fit(log.Jobs(), clock, Options{
		Name: "sdsc", CollectOptions: fit.CollectOptions{By: "partition_id"}, Processors: 400,
		ClassName: func(c fit.Class) string { return names[c.Value] },
	})
	if err != nil {
		t.Fatal(err)
	}
	// The counts are those of the reproduction's section on interactive and
	// batch jobs; its best of eight starts has log-likelihoods -24873.09 and
	// -31177.60 for the run times.
	want := []struct {
		jobs, serial int64
		ofLn         float64
	}{{13694, 2092, -24873.09173705257}, {18441, 588, -31177.595218182916}}
	if len(site.Classes) != len(want) || report.Column == nil || *report.Column != "partition_id" || report.Jobs != 32135 {
		t.Fatalf("%d classes by %v of %d jobs", len(site.Classes), report.Column, report.Jobs)
	}
	for i, w := range want {
		c, r := site.Classes[i], report.Classes[i]
		if c.Jobs != w.jobs || r.Sizes.Serial != w.serial || c.Column != "partition_id" || c.Value != int64(i+1) {
			t.Errorf("class %d: %d jobs, %d serial, %s=%d", i, c.Jobs, r.Sizes.Serial, c.Column, c.Value)
		}
		if r.RunTimes.Law.LogLikelihoodTransformed < w.ofLn-0.5 {
			t.Errorf("class %d: log-likelihood is %g, want at least %g", i, r.RunTimes.Law.LogLikelihoodTransformed, w.ofLn-0.5)
		}
		if c.Name == "" || c.Name != r.Name {
			t.Errorf("class %d is named %q in the model and %q in the report", i, c.Name, r.Name)
		}
	}
}

func TestSiteIsTheSameOnAnyNumberOfCores(t *testing.T) {
	c := fitted.CollectLog(t, fittest.KTH)
	var sites []model.Site
	for _, workers := range []int{1, 2, 3} {
		site, _, err := FitClasses([]fit.Class{c}, workload.Clock{Start: time.Unix(0, 0), Known: true}, Options{Name: "x", Workers: workers})
		if err != nil {
			t.Fatal(err)
		}
		sites = append(sites, site)
	}
	if d := cmp.Diff(sites[0], sites[1]); d != "" {
		t.Errorf("1 and 2 workers differ:\n%s", d)
	}
	if d := cmp.Diff(sites[0], sites[2]); d != "" {
		t.Errorf("1 and 3 workers differ:\n%s", d)
	}
}

func TestSiteOfOddLogs(t *testing.T) {
	monday := workload.Clock{Start: time.Unix(4*86400, 0).UTC(), Known: true}
	for _, tt := range []struct {
		name    string
		clock   workload.Clock
		jobs    iter.Seq2[workload.Job, error]
		options Options
		err     string // part of the error; "" for none
		check   func(t *testing.T, s model.Site, r Report)
	}{
		{name: "no jobs", jobs: fittest.Jobs(0, fittest.Plain), err: "nothing to fit: no jobs"},
		{name: "too few jobs", jobs: fittest.Jobs(99, fittest.Plain), err: "99 jobs, want at least 100"},
		{name: "few jobs, allowed", jobs: fittest.Jobs(50, fittest.Plain), options: Options{MinJobs: 50}},
		{name: "bad column", jobs: fittest.Jobs(200, fittest.Plain), options: Options{CollectOptions: fit.CollectOptions{By: "colour"}}, err: "colour"},
		{name: "bad processors", jobs: fittest.Jobs(200, fittest.Plain), options: Options{Processors: -1}, err: "procs: -1"},
		{name: "bad gap", jobs: fittest.Jobs(200, fittest.Plain), options: Options{MinGap: 0.5}, err: "min-gap: 0.5"},
		{
			name: "error of the log", err: "broken",
			jobs: func(yield func(workload.Job, error) bool) { yield(workload.Job{}, errors.New("broken")) },
		},
		{
			name: "all serial", jobs: fittest.Jobs(500, func(i int, j *workload.Job) { fittest.Plain(i, j); j.Size = 1 }),
			check: func(t *testing.T, s model.Site, r Report) {
				if c := s.Classes[0]; c.Lublin().Sizes.SerialShare != 1 || c.Lublin().RunTimes.PSlope != 0 {
					t.Errorf("serial share %g, slope %g; want 1, 0", c.Lublin().Sizes.SerialShare, c.Lublin().RunTimes.PSlope)
				}
				if len(r.Classes[0].Sizes.Warnings) == 0 || len(r.Classes[0].RunTimes.Warnings) == 0 {
					t.Error("no warnings")
				}
			},
		},
		{
			name: "one parallel size", jobs: fittest.Jobs(500, func(i int, j *workload.Job) { fittest.Plain(i, j); j.Size = 12 }), options: Options{Processors: 64},
			check: func(t *testing.T, s model.Site, _ Report) {
				if p := s.Classes[0].Sizes.Probability(12, 64); p < 1-1e-12 {
					t.Errorf("the model gives 12 processors with probability %g, want 1", p)
				}
			},
		},
		{
			name: "two parallel sizes", jobs: fittest.Jobs(500, func(i int, j *workload.Job) { fittest.Plain(i, j); j.Size = int64(2 + i%2) }), options: Options{Processors: 64},
		},
		{
			name: "nothing but sizes", jobs: fittest.Jobs(500, func(i int, j *workload.Job) { fittest.Plain(i, j); j.Run = workload.UnknownJob().Run }),
			err: "run_time",
		},
		{
			name: "no sizes", jobs: fittest.Jobs(500, func(i int, j *workload.Job) { fittest.Plain(i, j); j.Size = workload.Unknown }), err: "size",
		},
		{
			name: "equal run times", jobs: fittest.Jobs(500, func(i int, j *workload.Job) { fittest.Plain(i, j); j.Run = 60 }), err: "1 distinct value ",
		},
		{
			name: "no submission times", jobs: fittest.Jobs(500, func(i int, j *workload.Job) { fittest.Plain(i, j); j.Submit = workload.UnknownJob().Submit }),
			err: "interarrival",
		},
		{
			name: "all at night", jobs: fittest.Jobs(500, func(i int, j *workload.Job) { fittest.Plain(i, j); j.Submit = float64(i*86400 + i%7*30) }), clock: monday,
			check: func(t *testing.T, s model.Site, r Report) {
				a, arar := s.Classes[0].Arrivals, s.Classes[0].Lublin().Gaps.ARAR
				if !r.Classes[0].Arrivals.AllHours || arar != 1 || a.Method != model.Stationary {
					t.Errorf("all hours %v, ARAR %g, method %s", r.Classes[0].Arrivals.AllHours, arar, a.Method)
				}
			},
		},
		{
			name: "unknown time of day", jobs: fittest.Jobs(500, fittest.Plain), clock: workload.Clock{Start: monday.Start},
			check: func(t *testing.T, s model.Site, r Report) {
				if a := s.Classes[0].Arrivals; a.Method != model.Stationary || a.Cycle != nil {
					t.Errorf("method %s, cycle %v; want stationary", a.Method, a.Cycle)
				}
				if len(r.Warnings) == 0 || !strings.Contains(r.Warnings[0], "time of day") {
					t.Errorf("warnings are %q", r.Warnings)
				}
			},
		},
		{
			name: "sizes above the machine", jobs: fittest.Jobs(600, fittest.Plain), options: Options{Processors: 8},
			check: func(t *testing.T, _ model.Site, r Report) {
				s := r.Classes[0].Sizes
				if s.N != 500 || len(s.LeftOut) != 1 || s.LeftOut[0].Jobs != 100 {
					t.Errorf("n %d, left out %v; want 500 and 100", s.N, s.LeftOut)
				}
			},
		},
		{
			name: "stated gap", jobs: fittest.Jobs(600, fittest.Plain), options: Options{MinGap: 10}, clock: monday,
			check: func(t *testing.T, _ model.Site, r Report) {
				if a := r.Classes[0].Arrivals; a.MinGap != 10 || a.MaxLnSource != "the largest seen" {
					t.Errorf("gap %g, cut at %s", a.MinGap, a.MaxLnSource)
				}
			},
		},
		{
			name: "classes, one too small", options: Options{CollectOptions: fit.CollectOptions{By: "queue_id"}},
			jobs: fittest.Jobs(700, func(i int, j *workload.Job) {
				fittest.Plain(i, j)
				switch {
				case i%10 == 9:
					j.Queue = workload.Unknown
				case i%50 == 0:
					j.Queue = 7
				}
			}),
			check: func(t *testing.T, s model.Site, r Report) {
				if len(s.Classes) != 3 || len(r.Fallbacks) != 1 || len(r.Skipped) != 1 {
					t.Fatalf("%d classes, %d fallbacks, %d skipped; want 3, 1 and 1", len(s.Classes), len(r.Fallbacks), len(r.Skipped))
				}
				if k := r.Fallbacks[0]; k.Label != "queue_id=7" || k.Jobs != 14 {
					t.Errorf("fallback %+v", k)
				}
				if k := r.Skipped[0]; k.Label != "queue_id unknown" || k.Jobs != 70 {
					t.Errorf("skipped %+v", k)
				}
			},
		},
		{
			name: "status filter", options: Options{CollectOptions: fit.CollectOptions{Status: []int64{5}}, MinJobs: 1},
			jobs: fittest.Jobs(600, func(i int, j *workload.Job) {
				fittest.Plain(i, j)
				if i%3 == 0 {
					j.Status = 5
				}
			}),
			check: func(t *testing.T, s model.Site, r Report) {
				if r.Jobs != 200 {
					t.Errorf("%d jobs, want 200", r.Jobs)
				}
			},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			site, report, err := Fit(tt.jobs, tt.clock, tt.options)
			if tt.err != "" {
				if err == nil || !strings.Contains(err.Error(), tt.err) {
					t.Fatalf("error is %v, want one with %q", err, tt.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if err := site.Validate(); err != nil {
				t.Error(err)
			}
			if tt.check != nil {
				tt.check(t, site, report)
			}
		})
	}
}
