package population

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/model/population"
	"github.com/loadstone-hpc/loadstone/workload"
)

// twoUsers returns four weeks of jobs made by hand. Each Monday at 9:00, user 1 submits a bag of
// three jobs of size 4, at most a minute apart, waits for the last to end, and submits a job of
// size 2. Each Tuesday at 14:00, user 2 submits a job of one second.
func twoUsers() (jobs []workload.Job) {
	add := func(user int64, at, run, wait float64, size int64) {
		j := workload.UnknownJob()
		j.User, j.Submit, j.Run, j.Wait, j.Size = user, at, run, wait, size
		jobs = append(jobs, j)
	}
	for w := range 4 {
		monday := float64(w) * week
		nine := monday + 9*3600
		add(1, nine, 100, 0, 4)
		add(1, nine+10, 100, 0, 4)
		add(1, nine+60, 500, 40, 4) // ends at nine + 600
		add(1, nine+900, 1000, 0, 2)
		add(2, monday+day+14*3600, 1, 0, 1)
	}
	return jobs
}

// fitted returns the model fitted to jobs, and the rules of the warnings.
func fitted(t *testing.T, jobs []workload.Job, header *workload.Header, processors int64) (population.Model, map[string]workload.Warning) {
	t.Helper()
	m, list, err := Fit(context.Background(), workload.JobsOf(jobs), header, "by hand", processors)
	if err != nil {
		t.Fatal(err)
	}
	warnings := map[string]workload.Warning{}
	for _, w := range list {
		warnings[w.Rule] = w
	}
	return m, warnings
}

func TestTwoUsers(t *testing.T) {
	jobs := twoUsers()
	m, warnings := fitted(t, jobs, &workload.Header{}, 8)
	if len(warnings) != 1 || !strings.Contains(warnings["few-jobs"].Text, "the model is of 20 jobs of 2 users in 22 days: too few") {
		t.Fatal(warnings)
	}
	// Of 20 jobs 12 have size 4, 4 size 2, 4 size 1.
	if !slices.Equal(m.Sizes.Sizes, []int64{1, 2, 4}) || !slices.Equal(m.Sizes.Shares, []float64{.2, .2, .6}) {
		t.Errorf("sizes %v %v", m.Sizes.Sizes, m.Sizes.Shares)
	}
	// Four in five of 20 jobs are on Monday from 9:00, the fifth on Tuesday from 14:00.
	if m.Cycle.Jobs != 20 || m.Cycle.Weights[9] != .8 || m.Cycle.Weights[24+14] != .2 {
		t.Errorf("%d jobs, %v", m.Cycle.Jobs, m.Cycle.Weights)
	}
	// Four weeks less four days are rounded to three weeks.
	if m.Log.Days != 21 {
		t.Errorf("%g days, want 21", m.Log.Days)
	}
	// 4 (4 (100 + 100 + 500) + 2 000 + 1) processor seconds in 3 weeks, a day and 5 hours,
	// on 8 processors; 21 days have 18.9 of 20 jobs.
	if want := population.Short(19204 / (1918800.0 * 8)); m.Log.Load != want || m.Log.Jobs != 19 {
		t.Errorf("a load of %g by %d jobs, want %g by 19", m.Log.Load, m.Log.Jobs, want)
	}
	// Gaps in bags: 10 and 50 s. One think time, 300 s.
	within, think := m.Sessions.Within.X, m.Sessions.Think.X
	if within[0] != 10 || within[len(within)-1] != 50 || think[0] != 300 || think[len(think)-1] != 300 || len(m.Sessions.Apart.X) != 0 {
		t.Errorf("gaps %v, think times %v, apart %v", within, think, m.Sessions.Apart.X)
	}
	// User 1 does 4 (100 + 100 + 500) + 2 000 processor seconds in each of 4 weeks, more than
	// half of the work; user 2 does the rest.
	if len(m.Users.Strata) != 2 {
		t.Fatalf("%d strata, want 2", len(m.Users.Strata))
	}
	one := &m.Users.Strata[0]
	scale := 21 * day / (jobs[len(jobs)-1].Submit - jobs[0].Submit)
	if want := population.Short(4 * 4800 * scale); one.Work != want || one.Users != 1 {
		t.Errorf("work %g of %d users, want %g of 1", one.Work, one.Users, want)
	}
	checkTraits(t, []traitCase{
		{"day_cv", one.Margins.DayCV, 0}, // a session each Monday
		{"ln_jobs", one.Margins.LnJobs, math.Log(16)},
		{"active", one.Margins.Active, 1},
		{"days", one.Margins.Days, 1},
		{"bag_one", one.Margins.BagOne, .5},        // bags of three and of one
		{"session_one", one.Margins.SessionOne, 0}, // sessions of two bags
		{"follow", one.Margins.Follow, 8.51059},    // 4 of 4 after 540 s, and half of 600 s: h = 2190 + sqrt(2190^2 + 2916000)
		{"change_in_bag", one.Margins.ChangeInBag, 0},
		{"change_between", one.Margins.ChangeBetween, 1},
		{"change_session", one.Margins.ChangeSession, 1},
	})
}

type traitCase struct {
	name string
	of   []float64 // the quantiles of a stratum with one user
	want float64
}

func checkTraits(t *testing.T, cases []traitCase) {
	t.Helper()
	for _, c := range cases {
		if math.Abs(c.of[5]-c.want) > 1e-4 {
			t.Errorf("%s is %g, want %g", c.name, c.of[5], c.want)
		}
	}
}

// even returns n jobs of three users, equally spaced over the given days.
func even(n int, days float64) (jobs []workload.Job) {
	for i := range n {
		j := workload.UnknownJob()
		j.User, j.Submit, j.Run, j.Wait, j.Size = int64(i%3), float64(i)*days*day/float64(n-1), 10, 0, 1
		jobs = append(jobs, j)
	}
	return jobs
}

// Unusual logs give errors or warnings. One absurd value in a log must not cost the whole model:
// a job that no model can represent is left out, and a wait or status code that none can
// represent becomes unknown.
func TestOdd(t *testing.T) {
	set := func(edit func(i int, j *workload.Job)) []workload.Job {
		jobs := twoUsers()
		for i := range jobs {
			jobs[i].ID, jobs[i].Status = int64(i+1), int64(i%2)
			edit(i, &jobs[i])
		}
		return jobs
	}
	one := func(edit func(j *workload.Job)) []workload.Job {
		return set(func(i int, j *workload.Job) {
			if i == 3 {
				edit(j)
			}
		})
	}
	jump := func(by float64) []workload.Job {
		return set(func(i int, j *workload.Job) { j.Submit += float64(i/10) * by * 365 * day })
	}
	for name, x := range map[string]struct {
		jobs []workload.Job
		want string // the rules of the warnings
	}{
		"no users":    {set(func(_ int, j *workload.Job) { j.User = workload.Unknown }), "no-user no-processors few-jobs"},
		"one user":    {set(func(_ int, j *workload.Job) { j.User = 7 }), "no-processors few-jobs"},
		"each a one":  {set(func(i int, j *workload.Job) { j.User = int64(i) }), "no-processors one-job-users few-jobs"},
		"a jump":      {jump(10), "no-processors few-jobs long-gap"},
		"a jump back": {jump(-10), "no-processors few-jobs long-gap"},
		"no waits":    {set(func(_ int, j *workload.Job) { j.Wait = math.NaN() }), "no-waits no-processors few-jobs"},
		"a day":       {set(func(_ int, j *workload.Job) { j.Submit /= 30 }), "no-processors short-log few-jobs"},
		// The remaining jobs span two weeks and a day.
		"no run times":    {set(func(i int, j *workload.Job) { j.Run = map[bool]float64{i < 5: math.NaN(), i >= 5: 10}[true] }), "no-run-time no-processors short-log few-jobs"},
		"run time":        {one(func(j *workload.Job) { j.Run = 1e18 }), "long-run-time no-processors few-jobs"},
		"negative":        {one(func(j *workload.Job) { j.Run = -1 }), "no-run-time no-processors few-jobs"},
		"size":            {one(func(j *workload.Job) { j.Size = 1 << 40 }), "large-size no-processors few-jobs"},
		"no size":         {one(func(j *workload.Job) { j.Size = workload.Unknown }), "no-size no-processors few-jobs"},
		"wait":            {one(func(j *workload.Job) { j.Wait = 1e18 }), "no-processors few-jobs"},
		"status":          {one(func(j *workload.Job) { j.Status = 1e18 }), "no-processors few-jobs"},
		"negative status": {one(func(j *workload.Job) { j.Status = -7 }), "no-processors few-jobs"},
		"enough":          {even(100, 7), "no-processors short-log"}, // in a week; 99 jobs or six days are too few
		"99":              {even(99, 7), "no-processors short-log few-jobs"},
		"six days":        {even(100, 6.9), "no-processors short-log few-jobs"},
	} {
		_, warnings, err := Fit(context.Background(), workload.JobsOf(x.jobs), &workload.Header{}, "odd", 0)
		var rules []string
		for _, w := range warnings {
			rules = append(rules, w.Rule)
		}
		if err != nil || strings.Join(rules, " ") != x.want {
			t.Errorf("%s: %v, %v, want %v", name, rules, err, x.want)
		}
	}
	_, warnings := fitted(t, one(func(j *workload.Job) { j.Run = math.NaN() }), &workload.Header{}, 8)
	if got, want := warnings["no-run-time"].String(), "jobs left out of the model: run time unknown or negative; once: job 4 (no-run-time)"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	last := func(at float64) []workload.Job { // the fit must not allocate memory for each week before it
		jobs := twoUsers()
		jobs[len(jobs)-1].Submit = at
		return jobs
	}
	for want, jobs := range map[string][]workload.Job{
		"nothing to fit: no jobs":                         set(func(_ int, j *workload.Job) { j.Run = math.NaN() }),
		"nothing to fit: all jobs are submitted at one":   set(func(_ int, j *workload.Job) { j.Submit = 0 }),
		"nothing to fit: all run times are 0":             set(func(_ int, j *workload.Job) { j.Run = 0 }),
		"days, want at most 36525: the first job":         last(1e10),
		"days, want at most 36525":                        last(1e300),
		"e+14 days, want at most 36525: the first job is": last(math.MaxInt64),
		"processors: 2, want more: every job is larger":   set(func(_ int, j *workload.Job) { j.Size = 4 }),
	} {
		if _, _, err := Fit(context.Background(), workload.JobsOf(jobs), &workload.Header{}, "odd", 2); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want an error about %q", err, want)
		}
	}
	var fault *workload.OptionError
	if _, _, err := Fit(context.Background(), workload.JobsOf(nil), &workload.Header{}, "x", -4); !errors.As(err, &fault) || fault.Option != "processors" {
		t.Errorf("%v, want an error about the option processors", err)
	}
}

// logNormalCV returns the coefficient of variation of a log-normal distribution from the ratio of
// its quantiles of 0.9 and 0.1, which are 1.28155 standard deviations from the median.
func logNormalCV(ratio float64) float64 {
	return population.Short(math.Sqrt(math.Exp(math.Pow(math.Log(ratio)/(2*1.2815515655446004), 2)) - 1))
}

// Four whole weeks have 1, 2, 4 and 5 units of work: the deviations from the mean, 3, are -2 -1 1
// 2, the sum of squares is 10, and the products of neighbours are 2 - 1 + 2. Work after the last
// whole week does not count. Three weeks of 1, 3 and 1 units alternate: their lag-1
// autocorrelation, about -1/3, is reported as 0, and a log-normal distribution with their
// quantiles of 0.1 and 0.9, 1 and 2.6, varies less than they do. Of ten weeks of 4 and 6 units
// and one of 500, the last hardly counts; where more than a tenth of the weeks have no work, the
// standard deviation is used. Fewer than three weeks have no variation.
func TestLoadByWeek(t *testing.T) {
	for _, c := range []struct {
		units []float64
		weeks float64
		want  population.Load
	}{
		{[]float64{1, 2, 4, 5, 99}, 4.6, population.Load{Weeks: 4, Lag1: .3, CV: population.Short(math.Sqrt(10.0/4) / 3)}},
		{[]float64{1, 3, 1}, 3, population.Load{Weeks: 3, CV: logNormalCV(2.6)}},
		{[]float64{4, 6, 4, 6, 4, 500, 6, 4, 6, 4, 6}, 11, population.Load{Weeks: 11, CV: logNormalCV(6. / 4)}},
		{[]float64{0, 3, 0, 0}, 4, population.Load{Weeks: 4, CV: population.Short(math.Sqrt(3))}},
		{[]float64{1, 3, 1}, 2.9, population.Load{}},
	} {
		f := fitter{first: 1000, span: c.weeks * week}
		for i, units := range c.units {
			f.jobs = append(f.jobs, &job{submit: 1000 + (float64(i)+.5)*week, run: 50 * units, size: 3})
		}
		f.load()
		if c.want.About = f.m.Load.About; f.m.Load != c.want {
			t.Errorf("%+v, want %+v", f.m.Load, c.want)
		}
	}
}
