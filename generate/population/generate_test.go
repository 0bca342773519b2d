package population

import (
	"context"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	fit "github.com/loadstone-hpc/loadstone/fit/population"
	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/internal/judge"
	"github.com/loadstone-hpc/loadstone/internal/par"
	"github.com/loadstone-hpc/loadstone/model/population"
	"github.com/loadstone-hpc/loadstone/workload"
)

// fitTo fits a model to jobs on 64 processors.
func fitTo(t testing.TB, jobs []workload.Job) population.Model {
	t.Helper()
	m, _, err := fit.Fit(context.Background(), workload.JobsOf(jobs), &workload.Header{}, "made up", 64)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func fitted(t testing.TB) population.Model { return fitTo(t, judge.MadeUp(60, 10, 12)) }

func made(t testing.TB, m population.Model, o Options) ([]workload.Job, *Made) {
	t.Helper()
	w, err := New(m, o)
	if err != nil {
		t.Fatal(err)
	}
	var c Made
	return jobtest.Collect(t, w.Counted(context.Background(), &c)), &c
}

// equal reports whether jobs are equal, with NaN equal to NaN.
func equal(a, b []workload.Job) bool {
	return slices.EqualFunc(a, b, func(x, y workload.Job) bool { return jobtest.Same(&x, &y) })
}

// sameOnCores draws jobs, and checks that they do not depend on the number of cores.
func sameOnCores(t *testing.T, m population.Model, o Options) []workload.Job {
	t.Helper()
	o.Workers = 1
	one, _ := made(t, m, o)
	o.Workers = 5
	if many, _ := made(t, m, o); !equal(one, many) {
		t.Errorf("%+v: jobs depend on the number of cores", o)
	}
	return one
}

// The same seed gives the same jobs on any number of cores, in one lap and in
// several; another seed gives others.
func TestCores(t *testing.T) {
	m := fitted(t)
	for _, o := range []Options{{Seed: 1}, {Seed: 1, Jobs: 20000}} {
		jobs := sameOnCores(t, m, o)
		o.Seed = 2
		if others, _ := made(t, m, o); equal(jobs, others) {
			t.Errorf("%+v: two seeds give the same jobs", o)
		}
	}
}

// Jobs come in order of submission and are numbered from 1. Their sizes are values of the law,
// their run times within its range, and they wait only for earlier jobs of the same user.
func TestJobs(t *testing.T) {
	m := fitted(t)
	sizes := map[int64]bool{}
	for _, n := range m.Sizes.Sizes {
		sizes[n] = true
	}
	jobs, _ := made(t, m, Options{Seed: 3, Jobs: 30000})
	if len(jobs) != 30000 {
		t.Fatalf("%d jobs, want 30000", len(jobs))
	}
	follow := 0
	for i, j := range jobs {
		if j.ID != int64(i+1) || i > 0 && j.Submit < jobs[i-1].Submit {
			t.Fatalf("job %d at %g after one at %g", j.ID, j.Submit, jobs[max(0, i-1)].Submit)
		}
		if !sizes[j.Size] || !(j.Run >= 1) || j.Run != math.Round(j.Run) || j.Submit != math.Floor(j.Submit) {
			t.Fatalf("job %d has size %d, run time %g, submission %g", j.ID, j.Size, j.Run, j.Submit)
		}
		if j.Preceding == workload.Unknown {
			continue
		}
		follow++
		if j.Preceding >= j.ID || jobs[j.Preceding-1].User != j.User || !(j.Think >= 0 && j.Think <= 1200) {
			t.Fatalf("job %d waits for job %d of user %d for %g s", j.ID, j.Preceding, jobs[j.Preceding-1].User, j.Think)
		}
	}
	if follow < 10000 {
		t.Errorf("%d of 30000 jobs wait for another, want at least a third", follow)
	}
}

// Load, jobs and days are as requested: the load within 1 %, by default that of the log.
func TestOptions(t *testing.T) {
	m := fitted(t)
	for _, o := range []Options{{}, {Load: .1}, {Load: 1.3}, {Jobs: 5000, Load: .7}, {Days: 200}, {Days: 40, Load: .5}} {
		want := o.Load
		if want == 0 {
			want = m.Log.Load
		}
		jobs, c := made(t, m, o)
		if got := c.Load(m.Processors); math.Abs(got/want-1) > .01 {
			t.Errorf("%+v: load %.4f, want %.4f", o, got, want)
		}
		if o.Jobs > 0 && int64(len(jobs)) != o.Jobs {
			t.Errorf("%+v: %d jobs", o, len(jobs))
		}
		if last := jobs[len(jobs)-1].Submit; o.Days > 0 && !(last < o.Days*day && last > (o.Days-7)*day) {
			t.Errorf("%+v: the last submission is at day %.1f", o, last/day)
		}
	}
}

// A lap has as many jobs as the log, in days of the same length, and with the same sizes.
func TestRate(t *testing.T) {
	m := fitted(t)
	jobs, _ := made(t, m, Options{Seed: 1})
	if got := float64(len(jobs)) / float64(m.Log.Jobs); math.Abs(got-1) > .03 {
		t.Errorf("%d jobs, want %d", len(jobs), m.Log.Jobs)
	}
	share := map[int64]float64{}
	for _, j := range jobs {
		share[j.Size] += 1 / float64(len(jobs))
		if hour := math.Mod(j.Submit, day) / 3600; hour < 8 && j.Preceding == workload.Unknown && math.Mod(j.Submit, 7*day) > 6*day {
			t.Errorf("job %d begins at hour %.1f of a Sunday", j.ID, hour)
		}
	}
	for i, n := range m.Sizes.Sizes {
		if d := math.Abs(share[n] - m.Sizes.Shares[i]); d > .02 {
			t.Errorf("%.3f of the jobs have size %d, want %.3f", share[n], n, m.Sizes.Shares[i])
		}
	}
}

// A model without its optional parts works, and without waits no job waits for another.
func TestDefaults(t *testing.T) {
	m := fitted(t)
	m.Cycle, m.Load, m.Waits = population.Cycle{}, population.Load{}, population.Waits{}
	jobs, _ := made(t, m, Options{})
	for _, j := range jobs {
		if j.Preceding != workload.Unknown {
			t.Fatalf("job %d waits for another without waits in the model", j.ID)
		}
	}
}

// Invalid input is refused before anything is drawn: options; a model whose load is far from that
// of its users, such as 70 by mistake for 70 %, although an option, or another machine, may raise
// the load; and an edit that leaves a lap with hardly any job, or with more than memory holds.
func TestRefused(t *testing.T) {
	same := func(*population.Model) {}
	stratum := func(edit func(s *population.Stratum)) func(m *population.Model) {
		return func(m *population.Model) { edit(&m.Users.Strata[0]) }
	}
	load := func(by float64) func(m *population.Model) {
		return func(m *population.Model) { m.Log.Load *= by }
	}
	sunday := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		want string
		edit func(m *population.Model)
		o    Options
	}{
		{"days: -1", same, Options{Days: -1}},
		{"jobs: -1", same, Options{Jobs: -1}},
		{"load: NaN", same, Options{Load: math.NaN()}},
		{"either `jobs` or `days`", same, Options{Days: 1, Jobs: 1}},
		{"processors: 16, want 32 or more", same, Options{Processors: 16}},
		{"processors: 33554432, want 1 to", same, Options{Processors: 1 << 25}},
		{"start: 2026-03-01, a Sunday, want a Monday, such as 2026-03-02", same, Options{Start: sunday}},
		{"times what they make", func(m *population.Model) {
			m.Users.Strata = []population.Stratum{m.Users.Strata[0]}
			m.Users.Strata[0].Work = 1e-3
		}, Options{Load: 99}},
		{"", load(9.5), Options{}},
		{"", load(9.5), Options{Processors: 64 * 20}},
		{"10 times what the users of the model make (1 is all processors busy)", load(95), Options{}},
		{"", load(95), Options{Load: .7}},
		{"users: saw work that makes a load of", stratum(func(s *population.Stratum) { s.Work = 1e18 }), Options{}},
		{"about 1e+09 jobs", stratum(func(s *population.Stratum) { s.Jobs = 1e9 }), Options{}},
		{"about 1.68e+07 jobs", stratum(func(s *population.Stratum) { s.Users = population.MaxUsers }), Options{}}, // 2^24
	} {
		m := fitted(t)
		c.edit(&m)
		if _, err := New(m, c.o); (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want an error about %q", c.o, err, c.want)
		}
	}
}

// Large laps are drawn one by one, and no more of them than needed; the jobs are the same.
func TestLargeLaps(t *testing.T) {
	m := fitted(t)
	o := Options{Days: 5 * m.Log.Days, Seed: 3}
	want, _ := made(t, m, o)
	defer func(n float64) { largeLap = n }(largeLap)
	largeLap = 1
	if got, _ := made(t, m, o); !equal(got, want) {
		t.Errorf("%d jobs from laps drawn one by one, want the %d drawn in parallel", len(got), len(want))
	}
	drawn := 0
	for range oneByOne(par.Numbers(t.Context(), int64(5)), func(int64) (*lap, error) { drawn++; return nil, nil }) {
		if drawn == 2 {
			break
		}
	}
	if drawn != 2 {
		t.Errorf("%d laps are drawn, want 2", drawn)
	}
}

// A machine with twice the processors has the same load from twice the users, whether set by an
// option or in the model. The header has the machine and the start.
func TestMachineAndStart(t *testing.T) {
	m := fitted(t) // of 64 processors
	_, one := made(t, m, Options{Seed: 1})
	edited := m
	edited.Processors *= 2
	for name, x := range map[string]struct {
		m population.Model
		o Options
	}{"option": {m, Options{Seed: 1, Processors: 128}}, "edited": {edited, Options{Seed: 1}}} {
		_, c := made(t, x.m, x.o)
		if math.Abs(c.Load(2*m.Processors)/m.Log.Load-1) > .01 || math.Abs(float64(c.Users)/float64(one.Users)-2) > .05 {
			t.Errorf("%s: load %.3f by %d users, want %.3f by twice %d", name, c.Load(m.Processors), c.Users, m.Log.Load, one.Users)
		}
	}
	start := time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC) // a Monday
	w, err := New(m, Options{Start: start})
	if err != nil {
		t.Fatal(err)
	}
	h := w.Header(&Made{}, "test")
	if got := h.Get("UnixStartTime"); got != "1772409600" { // 2026-03-02T00:00Z, by date -u +%s
		t.Errorf("the header begins at %s", got)
	}
	if want := "none: a synthetic log for " + strconv.FormatInt(m.Processors, 10) + " processors"; h.Get("Version") != "2.2" || h.Get("Computer") != want {
		t.Errorf("the header has Version %q and Computer %q, want 2.2 and %q", h.Get("Version"), h.Get("Computer"), want)
	}
	daily := m // edited to hours of the day; the log still begins at a midnight
	daily.Cycle.Weights = slices.Repeat([]float64{1}, 24)
	daily.Log.Start = 1772409600
	if w, err = New(daily, Options{}); err != nil {
		t.Fatal(err)
	}
	h = w.Header(&Made{}, "test")
	if got := h.Get("UnixStartTime"); got != "1772409600" {
		t.Errorf("of a cycle of 24 hours, the header begins at %q", got)
	}
}

// Models of unusual logs give the requested number of jobs, at the log's load.
func TestOddLogs(t *testing.T) {
	for name, edit := range map[string]func(i int, j *workload.Job){
		"no users":     func(_ int, j *workload.Job) { j.User = workload.Unknown },
		"one user":     func(_ int, j *workload.Job) { j.User = 7 },
		"one job each": func(i int, j *workload.Job) { j.User = int64(i) },
		"no waits":     func(_ int, j *workload.Job) { j.Wait = math.NaN() },
		"a day":        func(_ int, j *workload.Job) { j.Submit = math.Floor(j.Submit / 70) },
		"a jump":       func(i int, j *workload.Job) { j.Submit += float64(i/300) * 1000 * day },
		"a jump back":  func(i int, j *workload.Job) { j.Submit -= float64(i/300) * 1000 * day },
		"one size":     func(_ int, j *workload.Job) { j.Size = 1 },
		"one run time": func(_ int, j *workload.Job) { j.Run = 60 },
	} {
		log := judge.MadeUp(20, 8, 6)
		for i := range log {
			edit(i, &log[i])
		}
		m := fitTo(t, log)
		jobs, c := made(t, m, Options{Jobs: 2 * int64(len(log)), Seed: 4})
		if len(jobs) != 2*len(log) || math.Abs(c.Load(m.Processors)/m.Log.Load-1) > .05 {
			t.Errorf("%s: %d jobs of load %.4g, want %d of %.4g", name, len(jobs), c.Load(m.Processors), 2*len(log), m.Log.Load)
		}
	}
}
