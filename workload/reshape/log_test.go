package reshape

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/workload"
)

// opener opens a log of the jobs, any number of times, and counts.
func opener(opened *int, header []string, jobs []workload.Job) func() (*workload.Log, error) {
	return func() (*workload.Log, error) {
		*opened++
		return workload.LogOf("log.swf", workload.Header{Lines: header}, jobs), nil
	}
}

func rulesOf(warnings []workload.Warning) (rules []string) {
	for _, w := range warnings {
		rules = append(rules, w.Rule)
	}
	return rules
}

func TestSampleOfALog(t *testing.T) {
	jobs := numbered(100, 10)
	jobs[3].User = workload.Unknown
	for _, c := range []struct {
		o            SampleOptions
		opened, jobs int // 0 jobs: any number
		what         string
		rules        []string
	}{
		{SampleOptions{Fraction: 1}, 1, 100, "each job with probability 1", nil},
		{SampleOptions{Jobs: 7}, 2, 7, "7 of 100 jobs, all choices as likely", nil},
		{SampleOptions{Jobs: 700}, 2, 100, "100 of 100 jobs, all choices as likely", []string{"few-jobs"}},
		{SampleOptions{Fraction: 1, By: "user_id"}, 2, 99, "", []string{"left-out"}},
	} {
		opened := 0
		s, err := Sample(t.Context(), opener(&opened, []string{" MaxJobs: 100"}, jobs), c.o)
		if err != nil {
			t.Fatal(err)
		}
		got := jobtest.Collect(t, s.Jobs)
		h := s.Header("loadstone sample", "a sample")
		if n, _ := h.Int("MaxJobs"); len(got) != c.jobs || n != int64(c.jobs) || opened != c.opened || c.what != "" && s.What != c.what || !slices.Equal(rulesOf(s.Warnings()), c.rules) {
			t.Errorf("%+v: %d jobs, MaxJobs %d, opened %d times, %q, %v", c.o, len(got), n, opened, s.What, s.Warnings())
		}
		s.Close()
	}
}

func TestScaleOfALog(t *testing.T) {
	var jobs []workload.Job
	for i := range 4000 { // 1 processor of 10 is busy: a load of 0.1
		j := workload.UnknownJob()
		j.ID, j.Row, j.Submit, j.Run, j.Size, j.Allocated = int64(i+1), int64(i), 100*float64(i), 100, 1, 1
		jobs = append(jobs, j)
	}
	opened := 0
	open := opener(&opened, []string{" MaxProcs: 10", " UnixStartTime: 0"}, jobs)
	s, err := Scale(t.Context(), open, ScaleOptions{Load: 0.05, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	n := len(jobtest.Collect(t, s.Jobs))
	// 4000 jobs of 100 s in the 399,900 s from the first to the last submission.
	if before := 4000 * 100 / (10 * 399_900.0); s.Method != Thin || s.Processors != 10 || math.Abs(s.Before-before) > 1e-15 || opened != 3 || n < 1800 || n > 2200 {
		t.Errorf("%d jobs by %s, before %g: %+v", n, s.Method, s.Before, s)
	}
	s, err = Scale(t.Context(), open, ScaleOptions{Load: 0.2, Method: Interarrival})
	if err != nil {
		t.Fatal(err)
	}
	n = len(jobtest.Collect(t, s.Jobs))
	if n != 4000 || math.Abs(s.Reached()-0.2) > 0.01 || opened != 6 || !slices.Equal(rulesOf(s.Warnings()), []string{"header-clock"}) {
		t.Errorf("%d jobs, load %g, opened %d times, %v", n, s.Reached(), opened, s.Warnings())
	}
	s, err = Scale(t.Context(), open, ScaleOptions{Times: 2, Method: Interarrival})
	if err != nil {
		t.Fatal(err)
	}
	jobtest.Collect(t, s.Jobs)
	if s.Asked != 2*s.Before || math.Abs(s.Reached()-0.2) > 0.01 {
		t.Errorf("twice the load: %g asked for, %g reached", s.Asked, s.Reached())
	}
	if _, err := Scale(t.Context(), opener(&opened, nil, jobs), ScaleOptions{Load: 1}); !errors.Is(err, workload.ErrNoMachine) {
		t.Errorf("a machine of unknown size: %v", err)
	}
}

func TestSplitOfALog(t *testing.T) {
	opened := 0
	open := opener(&opened, []string{" UnixStartTime: 0", " TimeZoneString: UTC"}, numbered(10, 2))
	s, err := Split(t.Context(), open, SplitOptions{Parts: 3})
	if err != nil {
		t.Fatal(err)
	}
	log, _ := open()
	var last []int
	err = s.Jobs(log.Jobs(), 1, 3, func(part int, j *workload.Job) error { last = append(last, part); return nil })
	// 10 jobs in 3 parts: 3, 3 and 4.
	if err != nil || opened != 3 || s.Log != "log.swf" || len(s.Parts) != 3 || s.Parts[2].Jobs != 4 || !slices.Equal(last, []int{0, 0, 0, 1, 1, 1, 1}) || len(s.Warnings) > 0 {
		t.Errorf("%+v, %v, %v", s, last, err)
	}
}

func TestOptionsOfLogsAreChecked(t *testing.T) {
	none := func() (*workload.Log, error) { return nil, errors.New("it was opened") }
	for _, c := range []struct {
		call   func() error
		option string
	}{
		{func() error { _, err := Sample(t.Context(), none, SampleOptions{}); return err }, "jobs"},
		{func() error { _, err := Sample(t.Context(), none, SampleOptions{Fraction: 0.5, Jobs: 3}); return err }, "fraction"},
		{func() error { _, err := Sample(t.Context(), none, SampleOptions{Fraction: math.NaN()}); return err }, "fraction"},
		{func() error { _, err := Sample(t.Context(), none, SampleOptions{Jobs: 3, By: "run"}); return err }, "by"},
		{func() error { _, err := Scale(t.Context(), none, ScaleOptions{}); return err }, "load"},
		{func() error { _, err := Scale(t.Context(), none, ScaleOptions{Load: 1, Times: 1}); return err }, "times"},
		{func() error { _, err := Scale(t.Context(), none, ScaleOptions{Times: -1}); return err }, "times"},
		{func() error { _, err := Scale(t.Context(), none, ScaleOptions{Load: 1, Processors: -1}); return err }, "procs"},
		{func() error { _, err := Scale(t.Context(), none, ScaleOptions{Load: 1, Method: "squeeze"}); return err }, "method"},
		{func() error { _, err := Split(t.Context(), none, SplitOptions{}); return err }, "parts"},
		{func() error { _, err := Split(t.Context(), none, SplitOptions{Parts: MaxParts + 1}); return err }, "parts"},
		{func() error { _, err := Split(t.Context(), none, SplitOptions{Parts: 2, By: "user_id"}); return err }, "parts"},
		{func() error { _, err := Split(t.Context(), none, SplitOptions{By: "job_id"}); return err }, "by"},
	} {
		var fault *workload.OptionError
		if err := c.call(); !errors.As(err, &fault) || fault.Option != c.option {
			t.Errorf("error %v, want one of option %s", err, c.option)
		}
	}
	opened := 0
	var fault *workload.OptionError
	if _, err := Split(t.Context(), opener(&opened, nil, numbered(3, 1)), SplitOptions{At: []string{"1996-12-24"}}); !errors.As(err, &fault) || fault.Option != "at" {
		t.Errorf("a date in a log without one: %v", err)
	}
}

func TestCleanOfALog(t *testing.T) {
	opened := 0
	for text, kept := range map[string]int{"user=0": 5, "user=0..1": 0} {
		log, _ := opener(&opened, []string{" MaxJobs: 10"}, numbered(10, 2))()
		f, err := ParseFilter(text)
		if err != nil {
			t.Fatal(err)
		}
		var gone []Removal
		c := Clean(t.Context(), log, []Filter{f}, func(r Removal) error { gone = append(gone, r); return nil })
		if kept == 0 {
			if err := failing(c.Jobs); err == nil || err.Error() != "log.swf: the filters remove all 10 jobs: no output is written" {
				t.Errorf("%s: error %v", text, err)
			}
			continue
		}
		got := jobtest.Collect(t, c.Jobs)
		h := c.Header("loadstone clean")
		if n, _ := h.Int("MaxJobs"); len(got) != kept || n != int64(kept) || len(gone) != 10-kept || len(c.Warnings()) > 0 {
			t.Errorf("%s: %d jobs, MaxJobs %d, %d removals, %v", text, len(got), n, len(gone), c.Warnings())
		}
	}
}
