package score

import (
	"math"
	"slices"
	"testing"
	"time"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/workload"
)

// monday is a clock that begins on Monday, 1 January 2001, at midnight.
var monday = workload.Clock{Start: time.Date(2001, 1, 1, 0, 0, 0, 0, time.UTC), Known: true}

func jobOf(submit, run float64, size int64) workload.Job {
	j := workload.UnknownJob()
	j.Submit, j.Run, j.Size = submit, run, size
	return j
}

func profileOf(o ProfileOptions, jobs ...workload.Job) *Profile {
	if o.Clock.Start.IsZero() {
		o.Clock = monday
	}
	p := NewProfile(o)
	for i := range jobs {
		p.Add(&jobs[i])
	}
	return p
}

// alike reports whether numbers are equal up to rounding; NaN equals only NaN.
func alike[F ~float64](x F, want float64) bool {
	got := float64(x)
	return got == want || math.Abs(got-want) <= 1e-12*math.Abs(want) || math.IsNaN(got) && math.IsNaN(want)
}

// Four jobs compared with three, by hand.
func TestCompareByHand(t *testing.T) {
	a := profileOf(ProfileOptions{Name: "a", Processors: 4},
		jobOf(0, 100, 4), jobOf(10, 50, 2), jobOf(20, 10, 2), jobOf(30, 20, 4))
	b := profileOf(ProfileOptions{Name: "b", Processors: 8},
		jobOf(0, 10, 1), jobOf(1800, 50, 3), jobOf(86400, 200, 8))
	c := Compare(a, b)
	check := func(result any, want map[string]float64) { t.Helper(); jobtest.CheckNumbers(t, result, want) }
	// The work is 400 + 100 + 20 + 80 over 30 s on 4 processors, and 10 + 150 + 1600 over a day
	// on 8.
	check(c.A, map[string]float64{"jobs": 4, "processors": 4, "offered_load": 600 / 120.0, "serial_pct": 0, "power_of_two_pct": 100})
	check(c.B, map[string]float64{"jobs": 3, "processors": 8, "offered_load": 1760 / (86400 * 8.0), "serial_pct": 100. / 3, "power_of_two_pct": 50})
	// Run times are 10, 20, 50, 100 and 10, 50, 200: at 10, 20, 50, 100, 200 the distribution
	// functions are 1/4, 1/2, 3/4, 1, 1 and 1/3, 1/3, 2/3, 2/3, 1.
	run := c.Attributes[0]
	check(run, map[string]float64{
		"ks_d": 1.0 / 3, "ks_at": 100, "a_median": 35, "b_median": 50, "a_mean": 45, "ks_d_by_chance_1_pct": 1,
		"wasserstein":    10/12.0 + 30/6.0 + 50/12.0 + 100/3.0,
		"wasserstein_ln": math.Log(2)/12 + math.Log(2.5)/6 + math.Log(2)/12 + math.Log(2)/3,
	})
	check(c.Attributes[3], map[string]float64{"a_jobs": 3, "b_jobs": 2, "ks_d": 1, "b_mean": 43200})
	if run.Name != "run_time_s" || c.A.Name != "a" {
		t.Errorf("%+v, %+v", run, c.A)
	}
	// Sizes 1; 2; 3 and 4; 5 to 8.
	var groups []int64
	for _, g := range c.SizeGroups {
		groups = append(groups, g.From, g.To)
	}
	if !slices.Equal(groups, []int64{1, 1, 2, 2, 3, 4, 5, 8}) {
		t.Errorf("groups %v", groups)
	}
	// Jobs of size 3 to 4: run times 20 and 100 in a, 50 in b.
	check(c.SizeGroups[2], map[string]float64{"a_pct": 50, "b_pct": 100. / 3, "a_run_time_median_s": 60, "ks_d": 0.5})
	check(c.SizeGroups[0], map[string]float64{"a_run_time_median_s": math.NaN(), "ks_d": math.NaN()})
	// Half hours 0 and 1: a has all jobs in the first, b 2/3 and 1/3; scaled to 3 jobs, (3-2)²/5
	// + 1²/1. Monday and Tuesday have the same shares.
	check(*c.Day, map[string]float64{"chi_square_measure": 0.2 + 1, "moved_pct": 100. / 3, "jobs": 3})
	check(*c.Week, map[string]float64{"chi_square_measure": 1.2})
	if !alike(c.Day.A[0], 1) || !alike(c.Day.B[1], 1./3) || !alike(c.Week.B[1], 2./3) || !alike(c.Week.B[2], 1./3) {
		t.Errorf("day %+v, week %+v", c.Day, c.Week)
	}
	// The deviations are 1, -1, -1, 1 and 55, 5, -35, -25, as in package inspect's test.
	check(c.Correlations[0], map[string]float64{"a": 60 / (2 * 70.0)})
	check(c.Correlations[1], map[string]float64{"a": 1 / math.Sqrt(5), "b": 1})
}

func TestAutocorrelations(t *testing.T) {
	// Jobs per hour are 2, 0, 1, 1: mean 1, deviations 1, -1, 0, 0, so r(1) = -1/2.
	a := profileOf(ProfileOptions{}, jobOf(0, 1, 1), jobOf(5, math.E, 1), jobOf(7200, 1, 1), jobOf(10800, math.E, 1))
	c := Compare(a, a)
	if p := c.Autocorrelations[0]; p.Name != "jobs an hour, lag 1" || !alike(p.A, -0.5) {
		t.Errorf("%+v", p)
	}
	// ln run times are 0, 1, 0, 1: the products are -1/4, three times, and the squares sum to 1.
	if p := c.Autocorrelations[3]; p.Name != "ln run time, lag 1" || math.Abs(float64(p.A)+0.75) > 1e-12 {
		t.Errorf("%+v", p)
	}
}

// A value that a log lacks is reported as missing, and is not a number.
func TestWhatCannotBeCompared(t *testing.T) {
	nan := math.NaN()
	full := func() *Profile {
		return profileOf(ProfileOptions{Processors: 4}, jobOf(0, 3, 2), jobOf(9, 4, 1), jobOf(20, 5, 1))
	}
	whys := func(c Comparison) map[string]string {
		m := map[string]string{}
		for _, n := range c.NotCompared {
			m[n.What] = n.Why
		}
		return m
	}
	none := Compare(full(), profileOf(ProfileOptions{}))
	for _, what := range []string{"run_time_s", "size_processors", "work_processor_s", "interarrival_s", "cycles", "offered load", "size and run time, Pearson", "ln run time, lag 1"} {
		if whys(none)[what] == "" {
			t.Errorf("no note about %s: %v", what, none.NotCompared)
		}
	}
	if none.Day != nil || !math.IsNaN(float64(none.Attributes[0].D)) || !math.IsNaN(float64(none.B.Serial)) {
		t.Errorf("%+v", none)
	}
	one := Compare(profileOf(ProfileOptions{Processors: 4}, jobOf(7, 3, 2)), full())
	if w := whys(one); w["interarrival_s"] != "unknown for all jobs of the first" || w["offered load"] != "submissions cover no time in the first" || w["run_time_s"] != "" {
		t.Errorf("one job: %v", w)
	}
	bare := Compare(full(), profileOf(ProfileOptions{}, jobOf(nan, 3, workload.Unknown), jobOf(nan, math.Inf(1), workload.Unknown), jobOf(1e300, -5, workload.Unknown)))
	if w := whys(bare); w["size_processors"] == "" || w["cycles"] == "" || w["run_time_s"] != "" || w["offered load"] != "the processors of the machine are not known in the second" {
		t.Errorf("without sizes and submissions: %v", w)
	}
	if bare.B.Jobs != 3 || bare.Attributes[0].B.Jobs != 1 {
		t.Errorf("%+v", bare)
	}
}

// Jobs out of order are sorted.
func TestProfileOutOfOrder(t *testing.T) {
	p := profileOf(ProfileOptions{}, jobOf(30, 1, 1), jobOf(0, 1, 1), jobOf(10, 1, 1))
	c := Compare(p, p)
	if x := c.Attributes[3]; x.A.Jobs != 2 || x.A.Mean != 15 || x.A.Q05 < 10 {
		t.Errorf("%+v", x)
	}
}

// Workloads are compared by nodes, GPUs and memory if either has them, and by waits if both have:
// jobs drawn from a model have none.
func TestCompareOptional(t *testing.T) {
	profile := func(gpus int64, waits ...float64) *Profile {
		p := NewProfile(ProfileOptions{})
		for i, wait := range waits {
			j := jobOf(float64(i), 10, 1)
			j.Wait = wait
			if gpus != workload.Unknown {
				j.TakesGPUs = gpus * int64(i%2)
			}
			p.Add(&j)
		}
		return p
	}
	nan, none := math.NaN(), workload.Unknown
	for _, c := range []struct {
		a, b *Profile
		last string // last attribute
		want Attribute
	}{
		{profile(none, 1, 2), profile(none, nan, nan), "interarrival_s", Attribute{}},
		{profile(4, nan, nan), profile(4, nan, nan, nan, nan), "gpus", Attribute{}},
		{profile(4, nan, nan), profile(4, nan), "gpus", Attribute{D: 0.5}},
		{profile(4, nan), profile(none, nan), "gpus", Attribute{Why: "unknown for all jobs of the second"}},
		{profile(none, 0, 2, 10), profile(none, 1, 3, 20, nan), "wait_time_s", Attribute{D: 1.0 / 3}},
	} {
		all := Compare(c.a, c.b).Attributes
		x := all[len(all)-1]
		if x.Name != c.last || x.Why != c.want.Why || c.last != "interarrival_s" && x.Why == "" && !alike(x.D, float64(c.want.D)) {
			t.Errorf("%+v, want %s %+v", x, c.last, c.want)
		}
	}
}
