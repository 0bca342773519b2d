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

// twoUsers are, by hand, four weeks of user 1, who on Monday at 9:00 submits a bag
// of three jobs of size 4, a minute apart at most, waits for the last to end, and
// submits one of size 2; and of user 2, who submits one job of a second each Tuesday
// at 14:00.
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

func TestTwoUsers(t *testing.T) {
	jobs := twoUsers()
	var h workload.Header
	m, warnings, err := Fit(context.Background(), workload.JobsOf(jobs), &h, "by hand", 8)
	if err != nil || len(warnings) != 1 || !strings.Contains(warnings[0].Text, "the model is of 20 jobs of 2 users in 22 days: too few") {
		t.Fatal(err, warnings)
	}
	// Of 20 jobs 12 have size 4, 4 size 2, 4 size 1.
	if !slices.Equal(m.Sizes.Sizes, []int64{1, 2, 4}) || !slices.Equal(m.Sizes.Shares, []float64{.2, .2, .6}) {
		t.Errorf("sizes %v %v", m.Sizes.Sizes, m.Sizes.Shares)
	}
	// 8 sessions: half of them on Monday from 9:00, half on Tuesday from 14:00.
	if m.Cycle.Jobs != 8 || m.Cycle.Weights[9] != .5 || m.Cycle.Weights[24+14] != .5 {
		t.Errorf("%d sessions, %v", m.Cycle.Jobs, m.Cycle.Weights)
	}
	// Four weeks less four days: rounded to three weeks.
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
	// User 1 does 4 weeks of 4 (100 + 100 + 500) + 2 000 s, more than half, user 2 the rest.
	if len(m.Users.Strata) != 2 {
		t.Fatalf("%d strata, want 2", len(m.Users.Strata))
	}
	one := &m.Users.Strata[0]
	scale := 21 * day / (jobs[len(jobs)-1].Submit - jobs[0].Submit)
	if want := population.Short(4 * 4800 * scale); one.Work != want || one.Users != 1 {
		t.Errorf("work %g of %d users, want %g of 1", one.Work, one.Users, want)
	}
	if one.DayWork != 4800 { // all on Mondays
		t.Errorf("%g processor seconds in a day, want 4800", one.DayWork)
	}
	for trait, want := range map[population.Trait]float64{
		population.DayCV:         0, // a session each Monday
		population.LnJobs:        math.Log(16),
		population.Active:        1,
		population.Days:          1,
		population.BagOne:        .5,      // bags of three and of one
		population.SessionOne:    0,       // sessions of two bags
		population.Follow:        8.51059, // 4 of 4 after 540 s, and half of 600 s: h = 2190 + sqrt(2190^2 + 2916000)
		population.ChangeInBag:   0,
		population.ChangeBetween: 1,
		population.ChangeSession: 1,
	} {
		if got := one.Margins[trait][5]; math.Abs(got-want) > 1e-4 {
			t.Errorf("%v is %g, want %g", trait, got, want)
		}
	}
}

func TestProcessorsBelowZero(t *testing.T) {
	var fault *workload.OptionError
	_, _, err := Fit(context.Background(), workload.JobsOf(nil), &workload.Header{}, "x", -4)
	if !errors.As(err, &fault) || fault.Option != "processors" {
		t.Errorf("%v, want an error of the option processors", err)
	}
}

// Odd logs are errors or warnings.
func TestOdd(t *testing.T) {
	fit := func(edit func(i int, j *workload.Job)) ([]string, error) {
		jobs := twoUsers()
		for i := range jobs {
			edit(i, &jobs[i])
		}
		_, warnings, err := Fit(context.Background(), workload.JobsOf(jobs), &workload.Header{}, "odd", 0)
		var rules []string
		for _, w := range warnings {
			rules = append(rules, w.Rule)
		}
		return rules, err
	}
	for name, x := range map[string]struct {
		edit func(i int, j *workload.Job)
		want []string
	}{
		"no users":   {func(_ int, j *workload.Job) { j.User = workload.Unknown }, []string{"no-user", "no-processors", "few-jobs"}},
		"one user":   {func(_ int, j *workload.Job) { j.User = 7 }, []string{"no-processors", "few-jobs"}},
		"each a one": {func(i int, j *workload.Job) { j.User = int64(i) }, []string{"no-processors", "one-job-users", "few-jobs"}},
		"a jump": {func(i int, j *workload.Job) {
			if i >= 10 {
				j.Submit += 10 * 365 * day
			}
		}, []string{"no-processors", "few-jobs", "long-gap"}},
		"a jump back": {func(i int, j *workload.Job) {
			if i >= 10 {
				j.Submit -= 10 * 365 * day
			}
		}, []string{"no-processors", "few-jobs", "long-gap"}},
		"no waits": {func(_ int, j *workload.Job) { j.Wait = math.NaN() }, []string{"no-waits", "no-processors", "few-jobs"}},
		"a day":    {func(_ int, j *workload.Job) { j.Submit /= 30 }, []string{"no-processors", "short-log", "few-jobs"}},
		// What is left is of two weeks and a day.
		"some odd": {func(i int, j *workload.Job) { j.Run = map[bool]float64{i < 5: math.NaN(), i >= 5: 10}[true] }, []string{"no-run-time", "no-processors", "short-log", "few-jobs"}},
	} {
		if rules, err := fit(x.edit); err != nil || !slices.Equal(rules, x.want) {
			t.Errorf("%s: %v, %v, want %v", name, rules, err, x.want)
		}
	}
	if _, err := fit(func(_ int, j *workload.Job) { j.Run = math.NaN() }); !errors.Is(err, workload.ErrNoJobs) {
		t.Errorf("no run times: %v", err)
	}
	for _, edit := range []func(int, *workload.Job){func(_ int, j *workload.Job) { j.Submit = 0 }, func(_ int, j *workload.Job) { j.Run = 0 }} {
		if _, err := fit(edit); err == nil {
			t.Error("no error for jobs of one moment or without run times")
		}
	}
}

// A hundred jobs in a week are enough, 99 or six days are not.
func TestFewJobs(t *testing.T) {
	for _, x := range []struct {
		jobs int
		days float64
		few  bool
	}{{100, 7, false}, {99, 7, true}, {100, 6.9, true}} {
		var jobs []workload.Job
		for i := range x.jobs {
			j := workload.UnknownJob()
			j.User, j.Submit, j.Run, j.Wait, j.Size = int64(i%3), float64(i)*x.days*day/float64(x.jobs-1), 10, 0, 1
			jobs = append(jobs, j)
		}
		_, warnings, err := Fit(context.Background(), workload.JobsOf(jobs), &workload.Header{}, "few", 4)
		if few := slices.ContainsFunc(warnings, func(w workload.Warning) bool { return w.Rule == "few-jobs" }); err != nil || few != x.few {
			t.Errorf("%d jobs in %g days: %v, %v", x.jobs, x.days, warnings, err)
		}
	}
}

// Four whole weeks have 1, 2, 4 and 5 units of work: deviations from the mean, 3, are
// -2 -1 1 2, squares 10, products of neighbours 2 - 1 + 2. What comes after the
// last whole week does not count.
func TestLoadByWeek(t *testing.T) {
	var jobs []job
	for i, units := range []float64{1, 2, 4, 5, 99} {
		for range 2 {
			jobs = append(jobs, job{submit: 1000 + (float64(i)+.5)*week, run: 50 * units, size: 3})
		}
	}
	l := load(jobs, 1000, 4.6*week)
	if l.Weeks != 4 || l.Lag1 != population.Short(.3) || l.CV != population.Short(math.Sqrt(10.0/4)/3) {
		t.Errorf("%+v, want 4 weeks, a lag of 0.3, a variation of %g", l, math.Sqrt(10.0/4)/3)
	}
	// Three weeks of 1, 3 and 1 go up and down: the lag, -1/3 or so, counts as none.
	jobs = []job{{submit: 0, run: 1, size: 1}, {submit: week, run: 3, size: 1}, {submit: 2 * week, run: 1, size: 1}}
	if l = load(jobs, 0, 3*week); l.Weeks != 3 || l.Lag1 != 0 || !(l.CV > 0) {
		t.Errorf("%+v", l)
	}
	if l = load(jobs, 0, 2.9*week); l.Weeks != 0 || l.CV != 0 {
		t.Errorf("of less than three weeks: %+v", l)
	}
}

// A submission far beyond the others must not make the fit reserve memory for each
// week between them.
func TestLongSpan(t *testing.T) {
	for _, last := range []float64{1e10, 1e15, math.MaxInt64, 1e300} {
		jobs := twoUsers()
		jobs[len(jobs)-1].Submit = last
		_, _, err := Fit(context.Background(), workload.JobsOf(jobs), &workload.Header{}, "long", 8)
		if err == nil || !strings.Contains(err.Error(), "days, want at most 36525") || !strings.Contains(err.Error(), "job") {
			t.Errorf("a job at %g s: %v", last, err)
		}
	}
}

// What is left out is counted by reason, with the first of it.
func TestUnusableReasons(t *testing.T) {
	jobs := twoUsers()
	for i := range jobs {
		jobs[i].ID = int64(i + 1)
	}
	jobs[3].Run = math.NaN()
	jobs[5].Run = -1
	jobs[7].Size = workload.Unknown
	jobs[8].Submit = math.NaN()
	_, warnings, err := Fit(context.Background(), workload.JobsOf(jobs), &workload.Header{}, "odd", 8)
	if err != nil || len(warnings) < 3 {
		t.Fatal(warnings, err)
	}
	for i, want := range []string{
		"jobs left out of the model: run time unknown or negative; 2 times, first: job 4 (no-run-time)",
		"jobs left out of the model: size unknown; once: job 8 (no-size)",
		"jobs left out of the model: submission time unknown; once: job 9 (no-submission)",
	} {
		if got := warnings[i].String(); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// One absurd value in the log must not cost the whole model: a job that no model can
// hold is left out, and a wait or status code that none can hold is unknown.
func TestAbsurdValues(t *testing.T) {
	for _, c := range []struct {
		name    string
		set     func(j *workload.Job)
		leftOut int64
	}{
		{"run time", func(j *workload.Job) { j.Run = 1e18 }, 1},
		{"size", func(j *workload.Job) { j.Size = 1 << 40 }, 1},
		{"wait", func(j *workload.Job) { j.Wait = 1e18 }, 0},
		{"status", func(j *workload.Job) { j.Status = 1e18 }, 0},
		{"negative status", func(j *workload.Job) { j.Status = -7 }, 0},
	} {
		jobs := twoUsers()
		for i := range jobs {
			jobs[i].Status = int64(i % 2)
		}
		c.set(&jobs[3])
		_, warnings, err := Fit(context.Background(), workload.JobsOf(jobs), &workload.Header{}, "absurd", 0)
		var n int64
		for _, w := range warnings {
			if strings.HasPrefix(w.Text, "jobs left out") {
				n = w.Count
			}
		}
		if err != nil || n != c.leftOut {
			t.Errorf("%s: %v; %d jobs left out, want %d", c.name, err, n, c.leftOut)
		}
	}
}
