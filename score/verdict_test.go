package score

import (
	"math"
	"testing"

	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// traitJob returns a job for the logs made by hand.
func traitJob(submit, run float64, size, user int64, estimate float64) workload.Job {
	j := workload.UnknownJob()
	j.Submit, j.Run, j.Size, j.User, j.Time = submit, run, size, user, estimate
	return j
}

func traitsOf(processors int64, jobs ...workload.Job) *Traits {
	t := NewTraitsTally(processors)
	for i := range jobs {
		t.Add(&jobs[i])
	}
	return t.Finish()
}

// Two users, five jobs, every number worked out by hand.
//
//	submit   0    0  300  600  900
//	run      1   10  100   10    1
//	size     1    2    4    2    1
//	user     1    1    2    1    2
//	estimate 2   20  100    5    -
func TestTraitsByHand(t *testing.T) {
	got := traitsOf(8,
		traitJob(0, 1, 1, 1, 2), traitJob(0, 10, 2, 1, 20), traitJob(300, 100, 4, 2, 100),
		traitJob(600, 10, 2, 1, 5), traitJob(900, 1, 1, 2, math.NaN()))
	want := map[int]float64{
		// The work is 1 + 20 + 400 + 20 + 1 = 442 processor seconds, out of 900 s on 8
		// processors.
		loadOf: 442.0 / (900 * 8), usersOf: 2,
		// Jobs 3 and 2: (-1·2 + 1·3) / (2·5). Work 41 and 401: 360 / (2·442).
		jobsGini: 0.1, workGini: 360.0 / 884,
		sameUser: 1.0 / 4, // jobs 1 and 2
		// In units of ln 10, the logarithms of run times are 0 1 2 1 0; less the mean .8, they
		// are -.8 .2 1.2 .2 -.8. Products at lag 1: -.16 .24 .24 -.16 = .16; squares .64 .04 1.44
		// .04 .64 = 2.8. Sizes in units of ln 2 give the same numbers.
		runLag: .16 / 2.8, sizeLag: .16 / 2.8,
		// Gaps are 0, 300, 300, 300 s, and 0 counts as 1 s. Their logarithms are 0 c c c; less
		// the mean 3c/4, they are -3 1 1 1 in quarters of c. Products -3 1 1 = -1, squares 12.
		gapLag: -1.0 / 12,
		// Counts per 5 minutes are 2 1 1 1: mean 1.25, variance .25.
		burst5min: .25 / 1.25,
		// The ranks of sizes are 1.5 3.5 5 3.5 1.5, the same as those of run times.
		sizeRank: 1,
		// Run times 1 10 100 10 have ranks 1 2.5 4 2.5; estimates 2 20 100 5 have ranks 1 3 4 2.
		// Products of the deviations from 2.5: 2.25 + 0 + 2.25 + 0 = 4.5; sums of squares 4.5 and
		// 5.
		estimateRank: 4.5 / math.Sqrt(4.5*5),
		// Accuracies are .5 .5 1 .5; two jobs reach their estimate.
		estimateAccuracy: 2.5 / 4, estimateReached: 2.0 / 4,
	}
	for i := distributions; i < traits; i++ {
		x, ok := want[i]
		if !ok { // one interval of an hour or a day has no variance
			x = math.NaN()
		}
		if got := got.values[i]; !alike(got, x) {
			t.Errorf("%s: %g, want %g", traitsOfWorkload[i].name, got, x)
		}
	}
}

// A user's work does not depend on the order of the jobs, although in float64 .1 + .2 + .3
// exceeds .6, and .3 + .2 + .1 does not.
func TestWorkByUserInAnyOrder(t *testing.T) {
	of := func(runs ...float64) *Traits {
		var jobs []workload.Job
		for i, run := range runs {
			jobs = append(jobs, traitJob(float64(i), run, 1, 1, 10))
		}
		return traitsOf(8, jobs...)
	}
	for _, r := range CompareTraits(of(.1, .2, .3), of(.3, .2, .1)) {
		if r.Name == "work_by_user_processor_s" && r.Compared != 0 {
			t.Errorf("distance %v, want 0", r.Compared)
		}
	}
}

// Comparison of two logs: distances by hand, and unknown values.
func TestCompareTraitsByHand(t *testing.T) {
	a := traitsOf(8, traitJob(0, 1, 1, 1, 2), traitJob(10, 10, 2, 1, 20), traitJob(20, 100, 4, 2, 100), traitJob(30, 1000, 8, 2, 1000))
	b := traitsOf(8, traitJob(0, 10, 2, workload.Unknown, 10), traitJob(40, 10, 2, workload.Unknown, 10))
	s := Schedule{Wait: Spread{Mean: 40, Median: 0, Q90: 100}, BoundedSlowdown: Spread{Mean: 2}, Utilisation: .5}
	a.AddSchedule("easy", OpenLoop, s)
	s.Wait = Spread{Mean: 140, Median: 60, Q90: 0}
	s.BoundedSlowdown.Mean, s.Utilisation = 3, .4
	b.AddSchedule("easy", OpenLoop, s)
	v := Verdict{Rows: CompareTraits(a, b)}
	for _, c := range []struct {
		name, policy, as string
		want             float64
		why              string
	}{
		{"run_time_s", "", AsDistance, .5, ""},       // up to below 10: 1/4 and 0; at 10: 2/4 and 1
		{"size_processors", "", AsDistance, .5, ""},  // the same
		{"work_processor_s", "", AsDistance, .5, ""}, // 1 20 400 8000, and 20
		{"interarrival_s", "", AsDistance, 1, ""},    // 10, and 40
		{"estimate_accuracy", "", AsDistance, .5, ""},
		{"jobs_by_user", "", AsDistance, math.NaN(), "unknown in the second"},
		{"users", "", AsRatio, math.NaN(), "unknown in the second"},
		{"offered_load", "", AsRatio, (40.0 / (40 * 8)) / (8421.0 / (30 * 8)), ""},
		{"estimate_accuracy_mean", "", AsDifference, 1 - 3.0/4, ""},
		{"wait_mean_s", "easy", AsRatio, 2, ""},         // 200 over 100
		{"wait_median_s", "easy", AsRatio, 2, ""},       // 120 over 60
		{"wait_q90_s", "easy", AsRatio, 60.0 / 160, ""}, //
		{"bounded_slowdown_mean", "easy", AsRatio, 1.5, ""},
		{"utilisation", "easy", AsRatio, .8, ""},
	} {
		r := v.Row(c.name, c.policy, "")
		if r == nil || r.As != c.as || r.Why != c.why || !alike(r.Compared, c.want) {
			t.Errorf("%s %s: %+v, want %g", c.name, c.policy, r, c.want)
		}
	}
	if r := v.Row("wait_mean_s", "fcfs", ""); r != nil {
		t.Errorf("%+v", r)
	}
	// A log compared with itself.
	for _, r := range CompareTraits(a, a) {
		if want := map[string]float64{AsRatio: 1}[r.As]; r.Why == "" && float64(r.Compared) != want {
			t.Errorf("with itself: %+v", r)
		}
	}
}

// Weeks of 1, 2, ... jobs and an incomplete week: which jobs a draw takes, and at what times it
// places them.
func TestWeeksByHand(t *testing.T) {
	var jobs []workload.Job
	add := func(week, n int) {
		for k := range n {
			jobs = append(jobs, traitJob(1000+float64(week)*weekSeconds+float64(k), 10, 1, int64(week), math.NaN()))
		}
	}
	for week := range 9 {
		add(week, week+1)
	}
	add(9, 1) // at the start of an incomplete week
	w := NewWeeks(jobs)
	if w.N() != 9 || w.Of(1000) != 0 || w.Of(999+weekSeconds) != 0 || w.Of(1000+weekSeconds) != 1 {
		t.Fatalf("%d weeks", w.N())
	}
	s := NewWeeklySchedule("easy", OpenLoop, 10, 2)
	for i := range jobs {
		j := jobs[i]
		j.Wait = float64(w.Of(j.Submit)) * 10
		s.Add(&j, w.Of(j.Submit))
	}
	s.Finish()
	// Week 2 (3 jobs, waits of 20 s) is drawn twice, then week 0 (1 job, no wait).
	got := w.Traits([]int{2, 2, 0}, 2, []*WeeklySchedule{s})
	if n := got.distributions[jobsByUser].N(); n != 2 || got.values[usersOf] != 2 {
		t.Errorf("%d users", n)
	}
	// 7 jobs from 0 s to two weeks: 70 processor seconds on 2 processors.
	if x := got.values[loadOf]; math.Abs(x-70/(2*2*weekSeconds)) > 1e-18 {
		t.Errorf("load %g", x)
	}
	want := [scheduleMeasures]float64{120.0 / 7, 20, 20, (6*3 + 1) / 7.0, 70 / (3 * weekSeconds * 2)}
	for i, x := range want {
		if !alike(got.schedules[0].values[i], x) {
			t.Errorf("%s: %g, want %g", traitsOfSchedule[i].name, got.schedules[0].values[i], x)
		}
	}
	// Draws consist of blocks of four consecutive weeks; all weeks are equally likely.
	times := make([]int, 9)
	for draw := range 900 {
		order := w.Draw(1, draw)
		if len(order) != 9 {
			t.Fatalf("%v", order)
		}
		for k, week := range order {
			times[week]++
			if k%BlockWeeks > 0 && week != (order[k-1]+1)%9 {
				t.Fatalf("no block: %v", order)
			}
		}
	}
	// 900 draws of each week are expected. A block contains a given week with probability 4/9,
	// and there are 9/4 blocks per draw, so the standard deviation is below sqrt(900·2.25·.25) =
	// 22.5; 5 of these are allowed.
	for week, n := range times {
		if n < 900-113 || n > 900+113 {
			t.Errorf("week %d is drawn %d times", week, n)
		}
	}
	if NewWeeks(nil).N() != 0 || NewWeeks(jobs[:1]).N() != 0 {
		t.Error("weeks without a log")
	}
}

// Bootstraps with known values: quantiles, and interpolation between them.
func TestNoise(t *testing.T) {
	v := Verdict{Rows: []VerdictRow{{As: AsRatio, Compared: 1.05}, {As: AsDistance, Compared: .2}, {As: AsRatio, Compared: .5}, {As: AsRatio, Why: "not known"}}}
	var drawn [][]VerdictRow
	for k := range 101 { // 0, 0.01, ..., 1: quantiles 0.05 and 0.95
		x := float64(k) / 100
		drawn = append(drawn, []VerdictRow{{Compared: 0.5 + stats.Number(x)}, {Compared: stats.Number(x / 10)}, {Compared: stats.Number(math.NaN())}, {Compared: 1}})
	}
	v.Noise(drawn)
	r := v.Rows[0]
	if math.Abs(float64(r.NoiseQ05)-.55) > 1e-12 || math.Abs(float64(r.NoiseQ95)-1.45) > 1e-12 || r.NoDifference == nil || !*r.NoDifference {
		t.Errorf("%+v", r)
	}
	if r = v.Rows[1]; r.NoiseQ05 != 0 || math.Abs(float64(r.NoiseQ95)-.095) > 1e-12 || r.NoDifference == nil || *r.NoDifference {
		t.Errorf("%+v", r)
	}
	v.Rows[0].NoDifference, v.Rows[0].Name = nil, "users"
	if v.Noise(drawn); v.Rows[0].NoDifference != nil {
		t.Error("drawn weeks have a value for users of the whole log")
	}
	if v.Rows[2].NoDifference != nil || v.Rows[3].NoDifference != nil || v.Bootstraps != 101 {
		t.Errorf("%+v", v.Rows[2:])
	}
}

// Jobs with unknown values count towards the traits that they determine. In units of ln 10, the
// logarithms of run times are 0 1 2 1 0; so are those of sizes in units of ln 2, and those of the
// gaps of 0, 10, 100, 10, 1 s, because shorter gaps count as 1 s: see TestTraitsByHand.
func TestTraitsOfJobsThatLackSomething(t *testing.T) {
	nan, unknown := math.NaN(), workload.Unknown
	got := traitsOf(2,
		traitJob(0, 1, 1, 7, nan), traitJob(0, 10, 2, 7, nan),
		traitJob(10, 0, 0, unknown, 5), // no run time or size, so no logarithm
		traitJob(nan, 1000, 64, 8, 10), traitJob(9, 1000, 64, 8, 10), traitJob(math.Inf(1), 1000, 64, 8, 10),
		traitJob(110, 100, 4, unknown, nan), traitJob(120, 10, 2, unknown, nan), traitJob(121, 1, 1, unknown, nan))
	for i, want := range map[int]float64{
		runLag: .16 / 2.8, sizeLag: .16 / 2.8, gapLag: .16 / 2.8, sizeRank: 1,
		usersOf: 1, jobsGini: 0, workGini: 0, sameUser: 1, // of one pair
		loadOf:           442.0 / (121 * 2),
		estimateAccuracy: 0, estimateReached: 0, estimateRank: nan, // of one job
		burst5min: nan,
	} {
		if !alike(got.values[i], want) {
			t.Errorf("%s: %g, want %g", traitsOfWorkload[i].name, got.values[i], want)
		}
	}
	for i, want := range map[int]int64{runTime: 6, size: 5, work: 5, interarrival: 5, accuracyOf: 1, jobsByUser: 1, workByUser: 1} {
		if n := got.distributions[i].N(); int64(n) != want {
			t.Errorf("%s: %d values, want %d", traitsOfWorkload[i].name, n, want)
		}
	}
}
