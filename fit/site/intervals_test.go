package site

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/fit/internal/fittest"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

const weekSeconds = 7 * 86400

// drawSite fits a site and draws its intervals.
func drawSite(t testing.TB, jobs workload.JobSeq, o Options, column string) (*Intervals, error) {
	t.Helper()
	by, err := (&Options{By: column}).classes(nil)
	if err != nil {
		t.Fatal(err)
	}
	classes, err := fit.Collect(jobs, fromMonday, fit.CollectOptions{Classes: by, Weeks: true}, nil)
	if err != nil {
		t.Fatal(err)
	}
	site, report, err := Fit(classes, fromMonday, o)
	if err != nil {
		t.Fatal(err)
	}
	return drawIntervals(classes, fromMonday, site, report, o.filled(), nil)
}

// drawn calls drawSite for a site of one class, which must have intervals.
func drawn(t testing.TB, jobs workload.JobSeq, draws int, seed uint64, workers int) *Intervals {
	t.Helper()
	s, err := drawSite(t, jobs, Options{SiteReplicates: draws, Fit: fit.Options{Seed: seed, Workers: workers}}, "")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// siteInterval returns the interval of a parameter, which must exist.
func siteInterval(t testing.TB, s *Intervals, part, name string) Interval {
	t.Helper()
	for _, i := range s.Classes[0].Of {
		if i.Part == part && i.Name == name {
			return i
		}
	}
	t.Fatalf("no parameter %s of %s", name, part)
	return Interval{}
}

// weekOfJobs returns a week of n jobs from its first second to its last, so that the gap between
// repeated weeks is at most a second.
func weekOfJobs(n int) []workload.Job {
	jobs := make([]workload.Job, n)
	for i := range jobs {
		j := workload.UnknownJob()
		fittest.Plain(i, &j)
		// Quadratic, so that gaps differ; the first job is at 0.
		at := float64(i) / float64(n-1)
		j.Submit = math.Floor(at * (0.5 + 0.5*at) * (weekSeconds - 1))
		jobs[i] = j
	}
	return jobs
}

// repeated returns the week one, repeated; change may change any job.
func repeated(weeks int, one []workload.Job, change func(week int, j *workload.Job)) workload.JobSeq {
	return workload.JobSeq(fittest.Jobs(weeks*len(one), func(i int, j *workload.Job) {
		week := i / len(one)
		*j = one[i%len(one)]
		j.Submit += float64(week) * weekSeconds
		if change != nil {
			change(week, j)
		}
	}))
}

// TestIntervalsOfIdenticalWeeks checks that parameters that do not vary from week to week have
// intervals of no width.
func TestIntervalsOfIdenticalWeeks(t *testing.T) {
	s := drawn(t, repeated(9, weekOfJobs(700), nil), 39, 1, 0)
	if s.Weeks != 9 || s.Classes[0].Weeks != 9 || s.Level != 0.95 {
		t.Errorf("%d weeks, %d of the class, level %g", s.Weeks, s.Classes[0].Weeks, s.Level)
	}
	n := 0
	for _, i := range s.Classes[0].Of {
		n++
		// The last week is a second shorter.
		wide := stats.Number(0)
		if strings.HasPrefix(i.Name, "week_") {
			wide = 1e-5
		}
		if i.Why != "" || !(i.High-i.Low <= wide) || i.Replicates != 39 {
			t.Errorf("%s, %s is between %g and %g by %d draws (%s), want no width", i.Part, i.Name, i.Low, i.High, i.Replicates, i.Why)
		}
		fittest.Relative(t, i.Part+", "+i.Name, i.Low, float64(i.Value), 1e-3) // EM's tolerance
	}
	if n != 26 {
		t.Errorf("%d parameters, want 6 of sizes, 7 of run times, 6 of arrivals and 7 weekdays", n)
	}
}

// TestIntervalsOnAnyCores also checks that the seed matters.
func TestIntervalsOnAnyCores(t *testing.T) {
	jobs := repeated(9, weekOfJobs(150), func(week int, j *workload.Job) { j.Run *= float64(1 + week); j.Size += int64(week % 2) })
	one := drawn(t, jobs, 39, 3, 1)
	if d := cmp.Diff(one, drawn(t, jobs, 39, 3, 2), cmpopts.EquateNaNs(), cmp.Transformer("float64", func(n stats.Number) float64 { return float64(n) })); d != "" {
		t.Errorf("two goroutines give another result than one:\n%s", d)
	}
	other := drawn(t, jobs, 39, 4, 2)
	if siteInterval(t, one, PartRunTimes, "shape_1") == siteInterval(t, other, PartRunTimes, "shape_1") {
		t.Error("another seed gives the same interval")
	}
	for _, i := range one.Classes[0].Of {
		if i.Why == "" && !(i.Low <= i.High) {
			t.Errorf("%s, %s is between %g and %g", i.Part, i.Name, i.Low, i.High)
		}
	}
}

// TestIntervalsOfADominatingWeek: eleven weeks have 20 serial jobs of 100, one has 1000 jobs, all
// serial. The number of times a draw contains this week is binomial with n = 12 and p = 1/12: it
// is 0 with probability 0.352, at most 2 with 0.928 and at most 3 with 0.986. So the quantiles at
// 0.025 and 0.975 are 0 and 3, far enough from these probabilities for 999 draws (9 standard
// errors and 3).
func TestIntervalsOfADominatingWeek(t *testing.T) {
	var jobs []workload.Job
	for week := range 12 {
		n, serial := 100, 20
		if week == 5 {
			n, serial = 1000, 1000
		}
		for i := range n {
			j := workload.UnknownJob()
			fittest.Plain(i, &j)
			j.Submit, j.Size = float64(week)*weekSeconds+float64(i)*60+float64(i%7), 4
			j.Run = float64(10 + i%20)
			if i < serial {
				j.Size = 1
			}
			jobs = append(jobs, j)
		}
	}
	s := drawn(t, repeated(1, jobs, nil), 999, 1, 0)
	i := siteInterval(t, s, PartSizes, "serial_share")
	fittest.Relative(t, "value", i.Value, (11*20+1000)/2100., 1e-14)
	fittest.Relative(t, "low", i.Low, 0.2, 1e-14)
	fittest.Relative(t, "high", i.High, (9*20+3*1000)/(9*100+3*1000.), 1e-14)
}

// TestIntervalsOfWhatDrawsLack: only two weeks have gaps at peak hours, one each. A law needs
// both weeks, which 1 - 2 (11/12)^12 + (10/12)^12 = 0.41 of the draws contain.
func TestIntervalsOfWhatDrawsLack(t *testing.T) {
	var jobs []workload.Job
	for week := range 12 {
		for i := range 40 {
			j := workload.UnknownJob()
			fittest.Plain(i, &j)
			j.Submit = float64(week)*weekSeconds + float64(i*300) + float64(i*i%11) // Monday, from midnight on
			jobs = append(jobs, j)
		}
		for k := range 2 * (week / 10) { // the last two
			j := workload.UnknownJob()
			fittest.Plain(k, &j)
			j.Submit = float64(week)*weekSeconds + 12*3600 + float64(k*(week-8)*150)
			jobs = append(jobs, j)
		}
	}
	s := drawn(t, repeated(1, jobs, nil), 199, 1, 0)
	for _, name := range []string{"peak_shape", "peak_scale"} {
		i := siteInterval(t, s, PartArrivals, name)
		want := 0.4079 * 199
		fittest.Near(t, name+": draws that have it", float64(i.Replicates), want, 5*math.Sqrt(want*0.59))
		if !math.IsNaN(float64(i.Low)) || !math.IsNaN(float64(i.High)) || !strings.Contains(i.Why, "of 199 draws do not determine it") {
			t.Errorf("%s is within %g and %g (%q), want no interval", name, i.Low, i.High, i.Why)
		}
	}
	if i := siteInterval(t, s, PartRunTimes, "shape_1"); i.Why != "" {
		t.Errorf("run times have no interval: %s", i.Why)
	}
}

// If the mode of a cycle is slot 30, from 14:30 to 15:00, its peak is at 14:45.
func TestModeOfTheCycle(t *testing.T) {
	fittest.Near(t, "hour", slotHour(30), 14.75, 1e-12)
	fittest.Near(t, "hour after midnight", slotHour(49), 24.25, 1e-12)
}

// TestRefitOfTheWholeLog checks that with every week drawn once, the parameters equal those of
// the site, up to EM's tolerance.
func TestRefitOfTheWholeLog(t *testing.T) {
	check := func(jobs workload.JobSeq, clock workload.Clock, o Options) {
		t.Helper()
		classes, err := fit.Collect(jobs, clock, fit.CollectOptions{Weeks: true}, nil)
		if err != nil {
			t.Fatal(err)
		}
		site, report, err := Fit(classes, clock, o)
		if err != nil {
			t.Fatal(err)
		}
		weeks, _ := fit.WeeksOf(classes)
		refit := &refit{weeks.Of(classes[0]), fitter{o.filled(), clock, &report.Classes[0]}, parametersOf(site.Classes[0], report.Classes[0])}
		times := slices.Repeat([]int{1}, len(weeks))
		for k, value := range refit.drawn(times) {
			p := refit.parameters[k]
			within := 1e-9
			if p.Part == PartRunTimes {
				within = 2e-3 // at most a tenth of the narrowest interval of 48 weeks
			}
			fittest.Relative(t, p.Part+", "+p.Name, value, float64(p.Value), within)
		}
	}
	jobs := repeated(9, weekOfJobs(300), func(week int, j *workload.Job) { j.Run += float64(week * 100); j.Size += int64(week) })
	for _, o := range []Options{{}, {PForm: FormLinear, MinGap: 2}, {PForm: FormConstant, Processors: 12}} {
		check(jobs, fromMonday, o)
	}
	log := fittest.OpenLog(t, fittest.KTH)
	clock, _ := log.Header.Clock()
	check(log.Jobs(), clock, Options{Processors: 100})
}

// A class with jobs in few weeks has no intervals, while the others have theirs; a log of few
// weeks has none.
func TestIntervalsOfFewWeeks(t *testing.T) {
	jobs := repeated(9, weekOfJobs(300), func(week int, j *workload.Job) {
		if week > 4 {
			j.Queue = 0
		}
	})
	s, err := drawSite(t, jobs, Options{SiteReplicates: 39}, "queue_id")
	if err != nil || len(s.Classes) != 2 || s.Classes[0].Weeks != 9 || s.Classes[1].Weeks != 5 {
		t.Fatalf("%+v, %v", s, err)
	}
	for k, c := range s.Classes {
		for _, i := range c.Of {
			if why := []string{"", "the class has jobs in 5 of the weeks, want at least 8"}[k]; i.Why != why {
				t.Errorf("%s: %s, %s: %q", c.Label, i.Part, i.Name, i.Why)
			}
		}
	}
	if _, err := drawSite(t, repeated(7, weekOfJobs(150), nil), Options{SiteReplicates: 39}, ""); err == nil || !strings.Contains(err.Error(), "7 with jobs, want at least 8") {
		t.Error(err)
	}
}
