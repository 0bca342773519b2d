package score

import (
	"math"
	"testing"

	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// same holds numbers equal up to rounding, and NaN equal to NaN alone.
func same(got, want float64) bool {
	return got == want || math.Abs(got-want) <= 1e-12*math.Abs(want) || math.IsNaN(got) && math.IsNaN(want)
}

// Jobs that lack something count in what they have. In units of ln 10 the run
// times are 0 1 2 1 0, in units of ln 2 so are the sizes, and the gaps 0, 10, 100,
// 10, 1 s are 0 1 2 1 0 as well, since none counts as less than 1 s: see
// TestTraitsByHand.
func TestTraitsOfJobsThatLackSomething(t *testing.T) {
	nan, unknown := math.NaN(), workload.Unknown
	got := traitsOf(2,
		traitJob(0, 1, 1, 7, nan), traitJob(0, 10, 2, 7, nan),
		traitJob(10, 0, 0, unknown, 5), // neither ran nor has a size: no logarithm
		traitJob(nan, 1000, 64, 8, 10), traitJob(9, 1000, 64, 8, 10), traitJob(math.Inf(1), 1000, 64, 8, 10),
		traitJob(110, 100, 4, unknown, nan), traitJob(120, 10, 2, unknown, nan), traitJob(121, 1, 1, unknown, nan))
	for i, want := range map[int]float64{
		runLag: .16 / 2.8, sizeLag: .16 / 2.8, gapLag: .16 / 2.8, sizeRank: 1,
		usersOf: 1, jobsGini: 0, workGini: 0, sameUser: 1, // of one pair
		loadOf:           442.0 / (121 * 2),
		estimateAccuracy: 0, estimateReached: 0, estimateRank: nan, // of one job
		burst5min: nan,
	} {
		if !same(got.values[i], want) {
			t.Errorf("%s: %g, want %g", traits[i].name, got.values[i], want)
		}
	}
	for i, want := range map[int]int64{runTime: 6, size: 5, work: 5, interarrival: 5, accuracyOf: 1, jobsByUser: 1, workByUser: 1} {
		if n := got.distributions[i].N(); int64(n) != want {
			t.Errorf("%s: %d values, want %d", traitDistances[i], n, want)
		}
	}
	none := traitsOf(2)
	for i, x := range none.values {
		if !math.IsNaN(x) {
			t.Errorf("%s of no jobs: %g", traits[i].name, x)
		}
	}
}

// Counts in hours 2 0 1 and in days 3 0 1: variance over mean by hand.
func TestTraitsOfHoursAndDays(t *testing.T) {
	hours := traitsOf(1, traitJob(0, 1, 1, 1, 1), traitJob(3599, 1, 1, 1, 1), traitJob(7200, 1, 1, 1, 1))
	days := traitsOf(1, traitJob(0, 1, 1, 1, 1), traitJob(1, 1, 1, 1, 1), traitJob(86399, 1, 1, 1, 1), traitJob(2*86400, 1, 1, 1, 1))
	if x := hours.values[burstHour]; !same(x, 1) { // squares 1 1 0 over 2, mean 1
		t.Errorf("hours: %g", x)
	}
	// Mean 4/3; squares 25/9, 16/9 and 1/9 are 42/9, over 2 21/9: 21/12.
	if x := days.values[burstDay]; !same(x, 21.0/12) {
		t.Errorf("days: %g", x)
	}
}

// Ten jobs of a week that wait for 0, 1, ..., 9 s and run for 5 s: half of them wait
// for 4 s at most, nine tenths for 8 s. Those of the other weeks, and jobs without a
// wait, do not count.
func TestWeeklyScheduleByHand(t *testing.T) {
	s := NewWeeklySchedule("easy", ClosedLoop, 10, 2)
	add := func(week int, wait, run float64, size int64) {
		j := traitJob(0, run, size, 1, 1)
		j.Wait = wait
		s.Add(&j, week)
	}
	for week, offset := range []float64{100, 0, 200} {
		for k := range 10 {
			add(week, offset+float64(9-k), 5, 3)
		}
	}
	add(1, -1, 5, 3)
	add(1, math.NaN(), 5, 3)
	add(1, 7, -1, 3)
	add(-1, 7, 5, 3)
	s.Finish()
	got := s.drawn([]int{0, 1}) // week 2 is not whole
	want := ScheduleTraits{Policy: "easy", Loop: ClosedLoop, values: [scheduleMeasures]float64{waitMean: 4.5, waitMedian: 4, waitQ90: 8,
		// max(1, (wait + 5) / 10): six of 1, then 1.1 1.2 1.3 1.4.
		slowdownMean: 1.1, utilisationOf: 150 / (weekSeconds * 2)}}
	for i, x := range want.values {
		if !same(got.values[i], x) {
			t.Errorf("%s: %g, want %g", scheduleTraits[i], got.values[i], x)
		}
	}
	if got.Policy != want.Policy || got.Loop != want.Loop {
		t.Errorf("%+v", got)
	}
	if got = s.drawn([]int{0, 0}); !math.IsNaN(got.values[waitMedian]) || !math.IsNaN(got.values[waitMean]) {
		t.Errorf("of no jobs: %+v", got)
	}
}

// Where one of two logs, or both, tell nothing; one value is something.
func TestCompareTraitsOfFewJobs(t *testing.T) {
	one := traitsOf(8, traitJob(0, 10, 2, 1, 20))
	two := traitsOf(8, traitJob(0, 1, 2, workload.Unknown, 20), traitJob(60, 10, 2, workload.Unknown, 40))
	v := Verdict{Rows: CompareTraits(one, two)}
	for _, c := range []struct {
		name string
		want float64
		why  string
	}{
		{"run_time_s", .5, ""}, {"size_processors", 0, ""},
		{"interarrival_s", math.NaN(), "not known of the first"},
		{"offered_load", math.NaN(), "not known of the first"}, // in no time
		{"users", math.NaN(), "not known of the second"},
		{"same_user_as_before", math.NaN(), "not known of both"},
	} {
		if r := v.Row(c.name, "", ""); r.Why != c.why || !same(float64(r.Compared), c.want) {
			t.Errorf("%+v, want %+v", r, c)
		}
	}
	// Sums in another order round otherwise: that is no difference.
	one.values[jobsGini], two.values[jobsGini] = math.Nextafter(.3, 1), .3
	one.values[loadOf], two.values[loadOf] = .3, math.Nextafter(.3, 1)
	v = Verdict{Rows: CompareTraits(one, two)}
	if r := v.Row("jobs_by_user_gini", "", ""); r.Compared != 0 || r.A != r.B {
		t.Errorf("%+v", r)
	}
	if r := v.Row("offered_load", "", ""); r.Compared != 1 || r.A != r.B {
		t.Errorf("%+v", r)
	}
}

// A log whose numbers differ from all twins' by rounding alone has no rank.
func TestRankOfRoundedNumbers(t *testing.T) {
	of := func(x float64) *Traits {
		z := traitsOf(8, traitJob(0, 10, 1, 1, 20), traitJob(100, 10, 1, 1, 20))
		z.AddSchedule("easy", OpenLoop, Schedule{Wait: Spread{Mean: stats.Number(x)}})
		return z
	}
	log, twins := of(.3), []*Traits{}
	for k := range 20 {
		twins = append(twins, of([]float64{math.Nextafter(.3, 1), math.Nextafter(.3, 0)}[k%2]))
	}
	v := Verdict{Rows: CompareTraits(log, twins[0])}
	v.Rank(log, twins, nil)
	if r := v.Row("wait_mean_s", "easy", ""); !r.Pinned || r.Inside != nil || r.Rank != 11 {
		t.Errorf("%+v", r)
	}
}

func TestComparedAs(t *testing.T) {
	for name, want := range map[string]string{"run_time_s": AsDistance, "estimate_accuracy": AsDistance, "wait_q90_s": AsRatio, "utilisation": AsRatio,
		"offered_load": AsRatio, "users": AsRatio, "dispersion_1_d": AsRatio, "jobs_by_user_gini": AsDifference, "gpu_types": AsDistance, "gpus_asked_mean": AsRatio, "estimate_reached_share": AsDifference, "weather": ""} {
		if got := ComparedAs(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

// Bootstraps that do not vary: what equals them is no difference.
func TestNoiseWithoutVariance(t *testing.T) {
	v := Verdict{Rows: []VerdictRow{{As: AsRatio, Compared: 1}, {As: AsDistance, Compared: 1}, {As: AsRatio, Compared: 1.001}, {As: AsRatio, Compared: .999}}}
	row := VerdictRow{Compared: 1}
	v.Noise([][]VerdictRow{{row, row, row, row}, {row, row, row, row}})
	for i, want := range []bool{true, true, false, false} {
		if r := v.Rows[i]; r.NoDifference == nil || *r.NoDifference != want {
			t.Errorf("%d: %+v", i, r)
		}
	}
	v = Verdict{Rows: []VerdictRow{{As: AsRatio, Compared: 1}}}
	if v.Noise(nil); v.Rows[0].NoDifference != nil || v.Bootstraps != 0 {
		t.Errorf("of no bootstraps: %+v", v.Rows[0])
	}
}

// The ends of 19 twins and of 39, where two at either end are outside. A distance
// is one of the gap of workload k of n, as long as k: from all of them it is
// max(k-1, n-k) / n, so that the first and the last are equally far, and so on.
func TestRankEnds(t *testing.T) {
	of := func(x float64) *Traits {
		z := traitsOf(8, traitJob(0, 10, 1, 1, 20), traitJob(100*x, 10, 1, 1, 20))
		z.AddSchedule("easy", OpenLoop, Schedule{Wait: Spread{Mean: stats.Number(x)}})
		return z
	}
	for _, c := range []struct {
		twins                   int
		x, rank                 float64
		inside                  bool
		distanceRank, falseRate float64
		near                    bool
	}{
		{19, 1, 1, false, 19.5, 10, false}, {19, 2.5, 2, true, 17.5, 10, true}, {19, 19.5, 19, true, 17.5, 10, true}, {19, 20.5, 20, false, 19.5, 10, false},
		{39, 2.5, 2, false, 37.5, 10, false}, {39, 3.5, 3, true, 35.5, 10, true}, {39, 38.5, 38, true, 35.5, 10, true}, {39, 39.5, 39, false, 37.5, 10, false},
	} {
		var twins []*Traits
		for k := range c.twins {
			twins = append(twins, of(float64(2+k)))
		}
		log := of(c.x)
		v := Verdict{Rows: CompareTraits(log, twins[0])}
		v.Rank(log, twins, nil)
		r, d := v.Row("wait_mean_s", "easy", ""), v.Row("interarrival_s", "", "")
		if float64(r.Rank) != c.rank || r.RankOf != c.twins+1 || r.Inside == nil || *r.Inside != c.inside || float64(v.FalseAlarm) != c.falseRate {
			t.Errorf("%+v: %+v", c, r)
		}
		if float64(d.Rank) != c.distanceRank || d.Inside == nil || *d.Inside != c.near {
			t.Errorf("%+v: %+v", c, d)
		}
		tested, inside := 0, 0
		for _, r := range v.Rows {
			if r.Inside != nil {
				tested++
				if *r.Inside {
					inside++
				}
			}
		}
		if v.Replicas != c.twins || v.Tested != tested || v.Inside != inside || !same(float64(v.InsidePct), 100*float64(inside)/float64(tested)) {
			t.Errorf("%+v: %d of %d rows inside, %g %%; want %d of %d", c, v.Inside, v.Tested, v.InsidePct, inside, tested)
		}
	}
}
