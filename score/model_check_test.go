package score

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

func preset(t *testing.T, name string) model.Site {
	t.Helper()
	site, err := model.Preset(name)
	if err != nil {
		t.Fatal(err)
	}
	return site
}

func checkOf(m ModelCheck, what, class string) Check {
	for _, c := range m.Checks {
		if c.What == what && c.Class == class {
			return c
		}
	}
	return Check{Why: "there is no such check"}
}

// 2 exp(-2 n D²) is the alarm at the band; 100 values, 1e-3.
func TestBand(t *testing.T) {
	if d := band(100, 1e-3); !alike(2*math.Exp(-2*100*d*d), 1e-3) {
		t.Errorf("%g", d)
	}
	// sqrt(2 4 ln 2000 / 100) + 10 ln 2000 / 300.
	if b := bernstein(100, 4, 10, 1e-3); !alike(b, math.Sqrt(8*math.Log(2000)/100)+math.Log(2000)/30) {
		t.Errorf("%g", b)
	}
}

// The mixture over sizes is the sum of the laws at each size, and its groups'.
func TestMixtureIsTheSumOfLawsBySize(t *testing.T) {
	site := preset(t, model.Lublin1999Untyped)
	c := site.Classes[0]
	p := profileOf(ProfileOptions{Model: &site}, jobOf(0, 1, 3, 1), jobOf(1, 2, 128, 1))
	k := &classCheck{class: c, site: &site, processors: site.Processors, stretch: 1, part: &p.part, clock: monday}
	l := k.findLaws()
	means := c.Means(site.Processors)
	if !alike(l.size, means.Size) || math.Abs(l.area/means.Area-1) > 1e-9 {
		t.Errorf("mean size %g and area %g, want %g and %g", l.size, l.area, means.Size, means.Area)
	}
	for _, at := range []float64{1, 10, 300, 7200, 100000} {
		var all, group, weight, square float64
		for n := int64(1); n <= site.Processors; n++ {
			q, law := c.Sizes.Probability(n, site.Processors), c.Lublin().RunTimes.At(n)
			all += q * law.CDF(at)
			if n > 4 && n <= 8 {
				group += q * law.CDF(at)
				weight += q
			}
			if at == 1 {
				square += q * float64(n*n) * (law.Variance() + law.Mean()*law.Mean())
			}
		}
		if got := l.all.upTo(at); math.Abs(got-all) > 1e-12 {
			t.Errorf("up to %g s: %g, want %g", at, got, all)
		}
		if got := l.groups[3].upTo(at); math.Abs(got-group/weight) > 1e-12 {
			t.Errorf("sizes 5-8 up to %g s: %g, want %g", at, got, group/weight)
		}
		if at == 1 && math.Abs(l.areaSquare/square-1) > 1e-6 {
			t.Errorf("mean square of the area %g, want %g", l.areaSquare, square)
		}
	}
	if l.all.upTo(0) != 0 || l.all.upTo(1e9) != 1 {
		t.Error("the ends of the distribution")
	}
	// The probability of sizes up to 2 and 3, one job of which was seen.
	for _, n := range []int64{2, 3, 127} {
		sum := 0.0
		for m := int64(1); m <= n; m++ {
			sum += c.Sizes.Probability(m, site.Processors)
		}
		if got := l.at(n, site.Processors); math.Abs(got-sum) > 1e-12 {
			t.Errorf("up to %d processors: %g, want %g", n, got, sum)
		}
	}
}

// Whole seconds: of two jobs of 0 and 1 s and two of 3 s against a law with
// probabilities 0.1 of less than 2 s and 0.6 of less than 4 s.
func TestRoundedRunTimes(t *testing.T) {
	var s stats.DistinctCounts
	for _, v := range []float64{0, 1, 3, 3} {
		s.Add(v)
	}
	law := dist.HyperGamma{First: dist.Gamma{Shape: 1, Scale: 1}, Second: dist.Gamma{Shape: 4, Scale: 0.5}, P: 1}
	m := mixture{times: model.LnRunTimes{Law: law, MaxLn: 10}, weight: 1, first: 1 / law.First.CDF(10), most: math.Inf(1)}
	f := func(t float64) float64 { return law.First.CDF(math.Log(t)) / law.First.CDF(10) }
	want := slices.Max([]float64{math.Abs(0.5 - f(2)), math.Abs(0.5 - f(3)), 1 - f(4)})
	if got := m.rounded(&s); !alike(got, want) {
		t.Errorf("%g, want %g", got, want)
	}
}

// A half hour of weight 2 counts twice, one of weight 0 not at all; Sunday's
// count half of Monday's.
func TestUnitsByWeights(t *testing.T) {
	var weights [model.Slots]float64
	for i := range weights {
		weights[i] = 1
	}
	weights[0], weights[1] = 2, 0
	units := unitsByWeights(weights, evenWeek, monday)
	for _, c := range []struct{ from, to, want float64 }{
		{0, 900, 1800}, {900, 1800, 1800}, {1800, 3600, 0}, {3600, 3700, 100}, {0, 86400, 86400}, {600, 7*86400 + 600, 7 * 86400}, {-1800, 0, 1800},
	} {
		if got := units(c.to) - units(c.from); math.Abs(got-c.want) > 1e-6 {
			t.Errorf("from %g to %g: %g, want %g", c.from, c.to, got, c.want)
		}
	}
	week := [model.Weekdays]float64{0.5, 1.5, 1, 1, 1, 1, 1}
	units = unitsByWeights(weights, week, monday)
	if mon, sun := units(86400)-units(0), units(7*86400)-units(6*86400); math.Abs(mon-1.5*86400) > 1e-6 || math.Abs(sun-0.5*86400) > 1e-6 {
		t.Errorf("Monday %g, Sunday %g", mon, sun)
	}
}

// drawn draws jobs of a class of a model, without package generate: arrivals
// without a cycle.
func drawn(site model.Site, n int, seed uint64) *Profile {
	rng := rand.New(rand.NewPCG(seed, 1))
	c := site.Classes[0]
	var cdf []float64
	for s, sum := int64(1), 0.0; s <= site.Processors; s++ {
		sum += c.Sizes.Probability(s, site.Processors)
		cdf = append(cdf, sum)
	}
	p := NewProfile(ProfileOptions{Processors: site.Processors, Clock: monday, Model: &site})
	gap := dist.Ln{Inner: c.Arrivals.Law(), MaxLn: c.Lublin().Gaps.MaxLn}
	at := 0.0
	for range n {
		at += gap.Rand(rng)
		i, _ := slices.BinarySearch(cdf, rng.Float64()*cdf[len(cdf)-1])
		j := jobOf(math.Floor(at), math.Floor(c.Lublin().RunTimes.At(int64(i+1)).Rand(rng)), int64(i+1), 0)
		p.Add(&j)
	}
	return p
}

// Jobs drawn from the laws themselves agree with the model; with it altered,
// the check that is about that part fails. What fit found of its waits is no part of it.
func TestCheckModel(t *testing.T) {
	site := preset(t, model.Lublin1999Untyped)
	site.Check = &model.Check{Policy: model.CheckPolicy, Jobs: 1, Seeds: 1}
	site.Classes[0].Arrivals.Method = model.Stationary
	site.Classes[0].Arrivals.Cycle = nil
	p := drawn(site, 20000, 3)
	m := CheckModel(p, site, CheckOptions{FalseAlarm: 1e-7})
	if !m.Agrees() {
		t.Errorf("%+v", m.Checks)
	}
	for _, what := range []string{SizeOf, RunTimeOf, RunTimeOf + " of size 1", RunTimeOf + " of sizes 3-4", InterarrivalOf, "daily_cycle"} {
		if c := checkOf(m, what, ""); !c.Passed() || c.N == 0 || !(c.Tolerance > 0) {
			t.Errorf("%s: %+v", what, c)
		}
	}
	other := site
	other.Classes = slices.Clone(site.Classes)
	lublin(func(l *model.Lublin) { l.Gaps.Peak.Shape *= 1.05 })(&other.Classes[0])
	m = CheckModel(p, other, CheckOptions{})
	if c := checkOf(m, InterarrivalOf, ""); !c.Failed() || m.Agrees() {
		t.Errorf("%+v", c)
	}
	if c := checkOf(m, SizeOf, ""); !c.Passed() {
		t.Errorf("%+v", c)
	}
	// Arrivals of half the load are twice as far apart.
	if c := checkOf(CheckModel(p, site, CheckOptions{Load: site.OfferedLoad() / 2}), InterarrivalOf, ""); !c.Failed() {
		t.Errorf("%+v", c)
	}
}

// The load is checked where interarrival times have no heavy tail.
func TestCheckLoad(t *testing.T) {
	site := preset(t, model.Lublin1999Untyped)
	c := &site.Classes[0]
	c.Arrivals = model.Arrivals{Method: model.Stationary, Gaps: model.LnGaps{Peak: dist.Gamma{Shape: 500, Scale: 0.01}, MaxLn: 7, ARAR: 1}}
	p := drawn(site, 20000, 4)
	got := checkOf(CheckModel(p, site, CheckOptions{}), "offered_load", "")
	if !got.Passed() || !alike(float64(got.Model), site.OfferedLoad()) || math.Abs(float64(got.Got/got.Model)-1) > 0.1 || got.Tolerance > 0.5*got.Model {
		t.Errorf("%+v", got)
	}
	// Twice the processors is half the load, and other sizes are not looked at.
	other := site
	other.Classes = slices.Clone(site.Classes)
	lublin(func(l *model.Lublin) { l.Gaps.Peak.Shape += 60 })(&other.Classes[0])
	if got := checkOf(CheckModel(p, other, CheckOptions{}), "offered_load", ""); !got.Failed() {
		t.Errorf("%+v", got)
	}
}

// What cannot be checked says why.
func TestWhatCannotBeChecked(t *testing.T) {
	site := preset(t, model.Lublin1999)
	classless := CheckModel(profileOf(ProfileOptions{Model: &site}, jobOf(0, 1, 1, 0), jobOf(9, 1, 1, 0)), site, CheckOptions{})
	if c := checkOf(classless, SizeOf, "batch"); c.Why != "no job has queue_id 1" || classless.Agrees() || !math.IsNaN(float64(c.Value)) {
		t.Errorf("%+v", c)
	}
	untyped := preset(t, model.Lublin1999Untyped)
	for _, c := range []struct {
		profile *Profile
		site    model.Site
		what    string
		want    string
	}{
		{profileOf(ProfileOptions{Model: &untyped}), untyped, SizeOf, "no jobs"},
		{profileOf(ProfileOptions{Model: &untyped}, jobOf(0, 1, 1, 0)), untyped, InterarrivalOf, "fewer than two submissions"},
		{profileOf(ProfileOptions{}, jobOf(0, 1, 1, 0), jobOf(5, 1, 1, 0)), untyped, InterarrivalOf, "made without the model"},
		{profileOf(ProfileOptions{Model: &untyped}, jobOf(0, 1, 1, 0), jobOf(5, 1, 1, 0)), untyped, "daily_cycle", "whole days, want 30"},
		{profileOf(ProfileOptions{Model: &untyped}, jobOf(0, 1, 1, 0), jobOf(5, 1, 1, 0)), untyped, "offered_load", "too few"},
		{profileOf(ProfileOptions{Model: &untyped}, jobOf(0, 1, workload.Unknown, 0)), untyped, SizeOf, "no size is known"},
	} {
		if got := checkOf(CheckModel(c.profile, c.site, CheckOptions{}), c.what, ""); !strings.Contains(got.Why, c.want) || got.Failed() || got.Passed() {
			t.Errorf("%s: %+v, want %q", c.what, got, c.want)
		}
	}
	zone, err := time.LoadLocation("Europe/Stockholm")
	if err != nil {
		t.Fatal(err)
	}
	swedish := workload.Clock{Start: time.Date(2001, 3, 1, 0, 0, 0, 0, zone), Known: true}
	p := profileOf(ProfileOptions{Model: &untyped, Clock: swedish}, jobOf(0, 1, 1, 0), jobOf(60*86400, 1, 1, 0))
	if got := checkOf(CheckModel(p, untyped, CheckOptions{}), InterarrivalOf, ""); !strings.Contains(got.Why, "daylight saving time") {
		t.Errorf("%+v", got)
	}
	// A size that the model does not have.
	p = profileOf(ProfileOptions{Model: &untyped}, jobOf(0, 1, 500, 0))
	if got := checkOf(CheckModel(p, untyped, CheckOptions{}), RunTimeOf+" of sizes 257-512", ""); got.Value != 1 {
		t.Errorf("%+v", got)
	}
}

// Egypt's clocks went forward and back twice in 2010; from 9 to 30 September
// they were an hour ahead. India's have been left alone since 1945, and to know
// it of 30 million years takes no time.
func TestSteadyClock(t *testing.T) {
	for _, tt := range []struct {
		zone        string
		first, last time.Time
		want        bool
	}{
		{"Africa/Cairo", time.Date(2010, 8, 15, 0, 0, 0, 0, time.UTC), time.Date(2010, 9, 5, 0, 0, 0, 0, time.UTC), true},
		{"Africa/Cairo", time.Date(2010, 9, 3, 0, 0, 0, 0, time.UTC), time.Date(2010, 10, 10, 0, 0, 0, 0, time.UTC), false},
		{"Asia/Kolkata", time.Date(1950, 1, 1, 0, 0, 0, 0, time.UTC), time.Unix(1e15, 0), true},
		{"Europe/Zurich", time.Date(2010, 1, 1, 0, 0, 0, 0, time.UTC), time.Unix(1e15, 0), false},
	} {
		zone, err := time.LoadLocation(tt.zone)
		if err != nil {
			t.Fatal(err)
		}
		c := classCheck{clock: workload.Clock{Start: time.Unix(0, 0).In(zone), Known: true},
			part: &part{first: float64(tt.first.Unix()), last: float64(tt.last.Unix())}}
		if got := c.steadyClock(); got != tt.want {
			t.Errorf("%s from %v to %v: steady %v, want %v", tt.zone, tt.first, tt.last, got, tt.want)
		}
	}
}
