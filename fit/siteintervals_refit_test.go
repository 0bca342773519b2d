package fit

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/workload"
)

// TestRefitOfTheWholeLog: with every week drawn once, the parameters are those
// of the site, but for EM's tolerance.
func TestRefitOfTheWholeLog(t *testing.T) {
	check := func(t *testing.T, classes []Class, clock workload.Clock, o SiteOptions) {
		t.Helper()
		site, report, err := SiteOf(classes, clock, o)
		if err != nil {
			t.Fatal(err)
		}
		weeks, _ := weeksOf(classes)
		refit := newClassRefit(weeks.of(classes[0]), clock, o.filled(), site.Classes[0], report.Classes[0])
		times := make([]int64, len(weeks.numbers))
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
				relative(t, p.part+", "+p.name, value, p.value, within)
			}
		}
	}
	jobs := repeated(9, weekOfJobs(300), func(week int, j *workload.Job) { j.Run += float64(week * 100); j.Size += int64(week) })
	for _, o := range []SiteOptions{
		{}, {PForm: FormLogOdds, MaxLnRunTime: 12, ShortGap: 1.5}, {PForm: FormConstant, Rounding: RoundedDown, Processors: 12},
	} {
		classes, err := Collect(jobs, fromMonday(), CollectOptions{Weeks: true}, nil)
		if err != nil {
			t.Fatal(err)
		}
		check(t, classes, fromMonday(), o)
	}
	log := openLog(t, kth)
	clock, _ := log.Header.Clock()
	classes, err := Collect(log.Jobs(), clock, CollectOptions{Weeks: true}, nil)
	if err != nil {
		t.Fatal(err)
	}
	check(t, classes, clock, SiteOptions{Processors: 100})
}

func TestIntervalsOfSiteRefuse(t *testing.T) {
	collect := func(weeks int, keep bool) ([]Class, SiteReport, func(SiteIntervalOptions) error) {
		jobs := repeated(weeks, weekOfJobs(150), nil)
		classes, err := Collect(jobs, fromMonday(), CollectOptions{Weeks: keep}, nil)
		if err != nil {
			t.Fatal(err)
		}
		site, report, err := SiteOf(classes, fromMonday(), SiteOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return classes, report, func(i SiteIntervalOptions) error {
			_, err := IntervalsOfSite(classes, fromMonday(), site, report, SiteOptions{}, i)
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
		{seven(SiteIntervalOptions{}), "7 weeks have jobs, want at least 8"},
		{unkept(SiteIntervalOptions{}), "want CollectOptions.Weeks"},
		{nine(SiteIntervalOptions{Level: 1}), "level of the intervals is 1"},
		{nine(SiteIntervalOptions{Level: math.NaN()}), "level of the intervals is NaN"},
		{nine(SiteIntervalOptions{Replicates: 38}), "replicates is 38, want at least 39"},
	} {
		if tt.err == nil || !strings.Contains(tt.err.Error(), tt.want) {
			t.Errorf("error is %v, want %q", tt.err, tt.want)
		}
	}
	if err := seven(SiteIntervalOptions{}); !errors.Is(err, ErrFewWeeks) {
		t.Errorf("%v is not ErrFewWeeks", err)
	}
	if err := nine(SiteIntervalOptions{Replicates: 39}); err != nil {
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
	s := drawSite(t, jobs, SiteOptions{CollectOptions: CollectOptions{By: "queue_id"}}, SiteIntervalOptions{Replicates: 39})
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
