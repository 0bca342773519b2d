package capacity

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/loadstone-hpc/loadstone/sched"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

func TestParseTarget(t *testing.T) {
	for text, want := range map[string]Target{
		"wait_p95 <= 1h":              {"wait_p95", 0.95, "", 3600},
		" wait_mean<=90 ":             {"wait_mean", 0, "", 90},
		"wait_p99.5(a queue) <= 1-00": {"wait_p99.5(a queue)", 0.995, "a queue", 86400},
	} {
		if got, err := ParseTarget(text); err != nil || math.Abs(got.Quantile-want.Quantile) > 1e-12 || got.Name != want.Name || got.Class != want.Class || got.Limit != want.Limit {
			t.Errorf("%s: %+v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "wait_p95", "wait_p0 <= 1h", "wait_p100 <= 1h", "wait_p95 < 1h", "wait_p95 <= 0", "wait_p95 <= -1h", "wait_p95 <= soon", "wait_median <= 1h", "wait_p95() <= 1h"} {
		if _, err := ParseTarget(text); err == nil {
			t.Errorf("%q: no error", text)
		}
	}
}

// every returns the jobs of five weeks: every ten hours four jobs of 60 s, on one processor each,
// are submitted at once.
func every(edit func(*workload.Job)) *workload.Log {
	var jobs []workload.Job
	for i := range 4 * 84 {
		j := workload.UnknownJob()
		j.Row, j.ID, j.User = int64(i), int64(i+1), int64(i%9)
		j.Submit, j.Run, j.Time, j.Processors, j.Size = float64(i/4*36000), 60, 90, 1, 1
		j.Partition, j.Wait = int64(i%4), 0
		if edit != nil {
			edit(&j)
		}
		jobs = append(jobs, j)
	}
	return workload.LogOf("made", workload.Header{}, jobs)
}

// On n processors the k-th of the four jobs waits floor(k/n) minutes (k = 0 to 3): at most one
// minute on two processors, and three minutes on one. The mean is 90 s on one and 30 s on two.
func TestSmallestMachine(t *testing.T) {
	for target, want := range map[string]float64{
		"wait_p99 <= 59": 4, "wait_p99 <= 60": 2, "wait_p99 <= 119": 2, "wait_p99 <= 180": 1, "wait_p50 <= 60": 1, "wait_p50 <= 59": 2,
		"wait_mean <= 90": 1, "wait_mean <= 89": 2, "wait_mean <= 15": 3, "wait_mean <= 14": 4,
	} {
		for _, today := range []int64{4, 9} {
			r, err := Compute(t.Context(), Options{Log: every(nil), Target: target, Processors: today, Twins: 1, Policies: []string{"fcfs"}})
			if err != nil {
				t.Fatal(target, err)
			}
			a := r.Answers[0]
			if float64(a.Size) != want || a.RelativeOnly {
				t.Errorf("%s from %d: %g, want %g", target, today, a.Size, want)
			}
			if !(a.Low <= a.Size && a.Size <= a.High) {
				t.Errorf("%s: %g is not in %g to %g", target, a.Size, a.Low, a.High)
			}
		}
	}
}

func TestBadInput(t *testing.T) {
	for says, o := range map[string]Options{
		"jobs take processors, for longer than 0 s, in 0 of the log's weeks": {Log: every(func(j *workload.Job) { j.Run = 0 })},
		"such as no gpu": {Log: every(nil), Target: "wait_p95(gpu) <= 1m"},
		"time limits with `beyond` and `checkpoint`": {Log: every(nil), Checkpoint: 60},
		"no job has a user":                          {Log: every(func(j *workload.Job) { j.User = workload.Unknown })},
		"no job has an estimate":                     {Log: every(func(j *workload.Job) { j.Time = math.NaN() })},
		"the log has 2.47 weeks":                     {Log: every(func(j *workload.Job) { j.Submit /= 2 })},
		"the log has 5.04e+03 weeks":                 {Log: every(func(j *workload.Job) { j.Submit *= 1020 })},
		"want `by` with it":                          {Log: every(nil), Target: "wait_p95(3) <= 1m"},
		"a class that has jobs":                      {Log: every(nil), Target: "wait_p95(77) <= 1m", By: "partition"},
		"want one of fcfs":                           {Log: every(nil), Policies: []string{"hard"}},
		"no jobs":                                    {Log: workload.LogOf("made", workload.Header{}, nil)},
		workload.ErrNoMachine.Error():                {Log: every(nil), Processors: -1},
	} {

		if o.Target == "" {
			o.Target = "wait_p95 <= 1m"
		}
		if o.Processors++; o.Processors > 0 {
			o.Processors = 4
		}
		if _, err := Compute(t.Context(), o); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("error %v, want %s", err, says)
		}
	}
}

// A policy's answer, interval and curve do not depend on its position in the list: the same weeks
// are drawn for all policies.
func TestPoliciesInAnyOrder(t *testing.T) {
	found := map[string]Answer{}
	for _, policies := range [][]string{{"easy", "fcfs"}, {"fcfs", "easy"}} {
		busier := every(func(j *workload.Job) {
			j.Run *= 1 + math.Mod(math.Floor(j.Submit/(7*86400)), 3)
			j.Processors, j.Size = 100, 100
		})
		r, err := Compute(t.Context(), Options{Log: busier, Target: "wait_mean <= 40", Processors: 400, Twins: 1, Policies: policies})
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range r.Answers {
			if before, ok := found[a.Policy]; ok && (a.Low != before.Low || a.High != before.High || a.ChangeHigh != before.ChangeHigh) {
				t.Errorf("%v: %+v, and before %+v", policies, a, before)
			}
			found[a.Policy] = a
		}
	}
}

// The answer is the smallest machine on its own curve that meets the target, even if few machines
// may be simulated: between 192 and 240 processors, where 200 is the smallest.
func TestSmallestOfItsCurve(t *testing.T) {
	for _, most := range []int64{1, 6000, 1e6} {
		simulations := int64(0)
		log := every(func(j *workload.Job) { j.Processors, j.Size = 100, 100 })
		r, err := Compute(t.Context(), Options{Log: log, Target: "wait_p99 <= 60", Processors: 375, Twins: 1, MostJobs: most, Workers: 1, Simulated: func() { simulations++ }})
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range r.Curve {
			if p.Value <= 60 && float64(p.Size) < float64(r.Answers[0].Size) {
				t.Errorf("%d jobs at the most: %g processors, but %d meet the target", most, r.Answers[0].Size, p.Size)
			}
		}
		if limit := 4 + 9 + most/336; simulations > limit { // growing until one fails, around the answer, and the allowed ones
			t.Errorf("%d simulations, want at most %d", simulations, limit)
		}
	}
}

// A machine that cannot hold any job is too small, and so is every smaller one.
func TestMachinesThatNoJobFits(t *testing.T) {
	log := every(func(j *workload.Job) { j.Processors, j.Size = 100, 100 })
	r, err := Compute(t.Context(), Options{Log: log, Target: "wait_p99 <= 9999h", Processors: 375, Twins: 1})
	if err != nil {
		t.Fatal(err)
	}
	if a := r.Answers[0]; a.Size != 100 || a.Low < 100 {
		t.Errorf("%g processors, from %g, want 100 and none fewer", a.Size, a.Low)
	}
}

// A machine that meets the target is not the answer if a larger one fails. If no machine above the
// failing one meets the target, the answer is the machine that was looked for.
func TestNoAnswerBelowAFailure(t *testing.T) {
	s := &search{study: &study{weeks: 1}, target: Target{Limit: 60}}
	for i, excess := range []float64{30, 90, 30, 30} {
		s.curves = []curve{append(slices.Concat(s.curves...), &outcome{size: int64(i + 1), weeks: []weekOutcome{{1, excess}}})}
	}
	if got := s.smallest(s.curves[0][3]); got.size != 3 {
		t.Errorf("%d processors, want 3", got.size)
	}
	s.curves[0] = s.curves[0][:2]
	if got := s.smallest(s.curves[0][0]); got.size != 1 {
		t.Errorf("%d processors, want 1", got.size)
	}
}

// Replicates that have no week with a known value do not count.
func TestUnknownReplicates(t *testing.T) {
	s := &study{o: &Options{Seed: 1}, behaviours: 1, weeks: 4, sets: []*jobSet{{work: []float64{1, 2, 3, 4}}}}
	firstWeek := func(_ int, weeks site) float64 {
		if weeks[0].week > 0 {
			return math.NaN()
		}
		return 7
	}
	if low, high := s.spread(firstWeek, 1); low != 7 || high != 7 {
		t.Errorf("%g to %g, want 7", low, high)
	}
	if low, high := s.spread(func(int, site) float64 { return math.NaN() }, 1); low == low || high == high {
		t.Errorf("%g to %g, want none", low, high)
	}
}

// Four simultaneous jobs are in a partition each: on two processors the jobs of the last two
// partitions wait a minute. Their waits need no further simulations.
func TestClasses(t *testing.T) {
	simulations := map[string]int{}
	for _, by := range []string{"", "partition"} {
		r, err := Compute(t.Context(), Options{Log: every(nil), Target: "wait_p99 <= 60", Processors: 4, Twins: 1, By: by, Workers: 1, Simulated: func() { simulations[by]++ }})
		if err != nil {
			t.Fatal(err)
		}
		for i, c := range r.Classes {
			want := ClassWait{Policy: "easy", Class: strconv.Itoa(i), Jobs: 84, Answer: stats.Number(60 * (i / 2))}
			if c != want {
				t.Errorf("%+v, want %+v", c, want)
			}
		}
	}
	if simulations[""] != simulations["partition"] {
		t.Error(simulations)
	}
}

// In the log the jobs of four users are submitted at once; in a twin they are not, so that no job
// waits.
func TestTwinsThatWaitLess(t *testing.T) {
	for rule, log := range map[string]*workload.Log{"twins-differ": every(nil), "": every(func(j *workload.Job) { j.User = 1 })} {
		r, err := Compute(t.Context(), Options{Log: log, Target: "wait_mean <= 30", Processors: 4, Twins: 3})
		if err != nil {
			t.Fatal(err)
		}
		found := ""
		for _, w := range r.Warnings {
			if w.Rule == "twins-differ" {
				found = w.Rule
			}
		}
		if found != rule {
			t.Errorf("%q in place of %q: %+v, %+v", found, rule, r.Answers, r.Curve)
		}
	}
}

// On a machine where no job waits, an eager user's second job is submitted 10 s after the end of
// the first, for which it waited in the log. The third, which came three minutes after the end of
// the second, keeps its submission time.
func TestEagerUsers(t *testing.T) {
	set := new(jobSet)
	for i, x := range []struct{ submit, wait, run, think float64 }{{0, 100, 50, math.NaN()}, {160, 0, 20, 10}, {360, 0, 30, 20}} {
		j := workload.UnknownJob()
		j.ID, j.Submit, j.Wait, j.Run, j.Think = int64(i+1), x.submit, x.wait, x.run, x.think
		if i > 0 {
			j.Preceding = int64(i)
		}
		set.add(&j, "")
	}
	var submits []float64
	for j := range set.eager().jobs() {
		submits = append(submits, j.Submit)
	}
	if want := []float64{0, 60, 360}; !slices.Equal(submits, want) {
		t.Errorf("submitted at %v, want %v", submits, want)
	}
}

// Bounds the time of a study as a multiple of that of one simulation of the log, for a log of 200
// thousand jobs. The bound on the number of jobs simulated corresponds to a minute on two cores.
func BenchmarkStudy(b *testing.B) {
	m := model{1024, 0.75}
	jobs := m.jobs(9, rand.New(rand.NewPCG(1, 1)))
	var one time.Duration
	for b.Loop() {
		start := time.Now()
		if _, err := simulate(b.Context(), len(jobs), workload.JobsOf(jobs), sched.Config{Processors: m.processors, Policy: sched.EASY{}}); err != nil {
			b.Fatal(err)
		}
		one += time.Since(start)
		if _, err := Compute(b.Context(), Options{Log: workload.LogOf("made", workload.Header{}, jobs), Target: "wait_p95 <= 1h", Processors: m.processors}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(b.Elapsed().Seconds()/one.Seconds(), "simulations")
	b.ReportMetric(float64(len(jobs)), "jobs")
}
