package site

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/fit/internal/fittest"
	"github.com/loadstone-hpc/loadstone/workload"
)

// TestRefitOfTheWholeLog: with every week drawn once, the parameters are those
// of the site, but for EM's tolerance.
func TestRefitOfTheWholeLog(t *testing.T) {
	check := func(t *testing.T, classes []fit.Class, clock workload.Clock, o Options) {
		t.Helper()
		site, report, err := FitClasses(classes, clock, o)
		if err != nil {
			t.Fatal(err)
		}
		weeks, _ := fit.WeeksOf(classes)
		refit := newClassRefit(weeks.Of(classes[0]), clock, o.filled(), site.Classes[0], report.Classes[0])
		times := make([]int, len(weeks))
		for i := range times {
			times[i] = 1
		}
		for k, value := range refit.drawn(times) {
			p := refit.parameters[k]
			within := 1e-9
			if p.part == PartWork || p.part == PartRunTimes {
				within = 2e-3 // a tenth of the narrowest interval of 48 weeks, or less
			}
			if p.fixed == "" {
				fittest.Relative(t, p.part+", "+p.name, value, p.value, within)
			}
		}
	}
	jobs := repeated(9, weekOfJobs(300), func(week int, j *workload.Job) { j.Run += float64(week * 100); j.Size += int64(week) })
	for _, o := range []Options{
		{}, {PForm: FormLogOdds, MinGap: 2}, {PForm: FormConstant, Processors: 12},
	} {
		classes, err := fit.Collect(jobs, fromMonday(), fit.CollectOptions{Weeks: true}, nil)
		if err != nil {
			t.Fatal(err)
		}
		check(t, classes, fromMonday(), o)
	}
	log := fittest.OpenLog(t, fittest.KTH)
	clock, _ := log.Header.Clock()
	classes, err := fit.Collect(log.Jobs(), clock, fit.CollectOptions{Weeks: true}, nil)
	if err != nil {
		t.Fatal(err)
	}
	check(t, classes, clock, Options{Processors: 100})
}

func TestIntervalsOfSiteRefuse(t *testing.T) {
	collect := func(weeks int, keep bool) ([]fit.Class, Report, func(IntervalOptions) error) {
		jobs := repeated(weeks, weekOfJobs(150), nil)
		classes, err := fit.Collect(jobs, fromMonday(), fit.CollectOptions{Weeks: keep}, nil)
		if err != nil {
			t.Fatal(err)
		}
		site, report, err := FitClasses(classes, fromMonday(), Options{})
		if err != nil {
			t.Fatal(err)
		}
		return classes, report, func(i IntervalOptions) error {
			_, err := DrawIntervals(classes, fromMonday(), site, report, Options{}, i)
			return err
		}
	}
	_, _, seven := collect(7, true)
	_, _, unkept := collect(9, false)
	_, _, nine := collect(9, true)
	for _, tt := range []struct {
		err  error
		want string
	}{
		{seven(IntervalOptions{}), "7 weeks have jobs, want at least 8"},
		{unkept(IntervalOptions{}), "want CollectOptions.Weeks"},
		{nine(IntervalOptions{Level: 1}), "level of the intervals is 1"},
		{nine(IntervalOptions{Level: math.NaN()}), "level of the intervals is NaN"},
		{nine(IntervalOptions{Replicates: 38}), "replicates is 38, want at least 39"},
	} {
		if tt.err == nil || !strings.Contains(tt.err.Error(), tt.want) {
			t.Errorf("error is %v, want %q", tt.err, tt.want)
		}
	}
	if err := seven(IntervalOptions{}); !errors.Is(err, ErrFewWeeks) {
		t.Errorf("%v is not ErrFewWeeks", err)
	}
	if err := nine(IntervalOptions{Replicates: 39}); err != nil {
		t.Error(err)
	}
}

// A class with jobs in few weeks has no intervals, and the others have theirs.
func TestIntervalsOfARareClass(t *testing.T) {
	jobs := repeated(9, weekOfJobs(300), func(week int, j *workload.Job) {
		if week > 4 {
			j.Queue = 0
		}
	})
	s := drawSite(t, jobs, Options{CollectOptions: fit.CollectOptions{By: "queue_id"}}, IntervalOptions{Replicates: 39})
	if len(s.Classes) != 2 || s.Classes[0].Blocks != 9 || s.Classes[1].Blocks != 5 {
		t.Fatalf("classes are %+v", s.Classes)
	}
	for k, c := range s.Classes {
		for _, i := range c.Of {
			why := ""
			if k > 0 {
				why = "the class has jobs in 5 of the weeks, want at least 8"
			}
			if i.Name != "max_ln" && i.Why != why {
				t.Errorf("%s: %s, %s: %q", c.Label, i.Part, i.Name, i.Why)
			}
		}
	}
}
