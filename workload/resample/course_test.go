package resample

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/sched"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Parts of 100 s on 2 processors: 400 processor seconds leave a queue of 100 s, 100 more leave one
// of 50 s, and then none. The averages for the jobs waiting in these parts are 1, 2 and 1 jobs, and
// 50, 75 and 25 s.
func TestStrainByHand(t *testing.T) {
	c := course{width: 100, capacity: 2, loads: []load{{400, 1, .1}, {100, 2, .02}, {0, 1, 0}}}
	want := strain{60 + (50+2*75+25)/4., 1 + (50*.1+75*.02)/4, (1 + 4 + 1) / 16.}
	if got := c.strain(); math.Abs(got.wait-want.wait)+math.Abs(got.slowdown-want.slowdown)+math.Abs(got.bursts-want.bursts) > 1e-12 {
		t.Errorf("%+v, want %+v", got, want)
	}
	c.capacity = math.Inf(1)
	if got := c.strain(); got.wait != 60 || got.slowdown != 1 {
		t.Errorf("a machine of unknown size: %+v, want no waits", got)
	}
}

// If all users are moved by the same number of weeks, their course has no misfit to itself as the
// target, for periods of whole weeks and others, in a later lap and in part of one. Moved by
// another number of weeks, it has.
func TestMisfit(t *testing.T) {
	_, w := twin(t, madeUp(60, 40, 12), zurich(), Options{})
	for _, lap := range []int64{0, 3} {
		for _, window := range []float64{w.span, 100 * day, 8.3 * day} {
			r := w.ring(lap)
			at := func(move int) *course {
				c := w.course(1, window)
				for u := range w.users {
					c.add(w.users[u].lots(&r), move, 1)
				}
				return c
			}
			fit := newFit(at(7))
			if x := fit.misfit(at(7)); x > 1e-12 {
				t.Errorf("lap %d, %g s: the target's own misfit is %g", lap, window, x)
			}
			if x := fit.misfit(at(9)); x < .1 {
				t.Errorf("lap %d, %g s: two weeks on, the misfit is %g", lap, window, x)
			}
		}
	}
}

// SDSC-SP2, with the week with the most work of one user repeated to require two machine-weeks.
// Twins that only level the work of weeks place that week on other users' busy weeks, and their
// waits are 1.99 times the log's.
func TestDominatingUser(t *testing.T) {
	if testing.Short() {
		t.Skip("long under the race detector")
	}
	const processors = 128
	log := jobtest.Open(t, "SDSC-SP2-1998.simulated-waits.swf.gz")
	jobs := jobtest.Collect(t, workload.InOrder(log.Jobs(), nil))
	type userWeek struct{ user, week int64 }
	weekOf := func(j *workload.Job) userWeek { return userWeek{j.User, int64((j.Submit - jobs[0].Submit) / week)} }
	work := map[userWeek]float64{}
	var most userWeek
	for i := range jobs {
		w := weekOf(&jobs[i])
		if work[w] += max(0, float64(jobs[i].Size)*jobs[i].Run); work[w] > work[most] {
			most = w
		}
	}
	for _, j := range jobs {
		for n := 1.0; weekOf(&j) == most && n < 2*processors*week/work[most]; n++ {
			jobs = append(jobs, j)
		}
	}
	slices.SortStableFunc(jobs, func(a, b workload.Job) int { return int(a.Submit - b.Submit) })
	wait := func(jobs []workload.Job) (mean float64) {
		config := sched.Config{Processors: processors, Policy: sched.EASY{}, Estimator: sched.Perfect{}}
		for j, err := range sched.Simulate(workload.JobsOf(jobs), config, nil) {
			if err != nil {
				t.Fatal(err)
			}
			mean += j.Wait / float64(len(jobs))
		}
		return mean
	}
	var ratios []float64
	for seed := range uint64(5) {
		made, _ := twin(t, jobs, log.Header, Options{Seed: seed + 1})
		ratios = append(ratios, wait(made)/wait(jobs))
	}
	slices.Sort(ratios)
	if ratios[2] < 1/1.4 || ratios[2] > 1.4 {
		t.Errorf("mean waits over the log's: %.2f, want a median within 1.4", ratios)
	}
}

// Waits are 100 s for all jobs except those of two months, which wait 10,000 s: they vary.
func TestWaitsVary(t *testing.T) {
	for _, c := range []struct {
		name string
		edit func(i int, j *workload.Job)
		want bool
	}{
		{"even waits", func(_ int, j *workload.Job) { j.Wait = 100 }, false},
		{"two months", func(_ int, j *workload.Job) {
			if j.Wait = 100; j.Submit > 20*week && j.Submit < 28*week {
				j.Wait = 10000
			}
		}, true},
		{"no waits", func(_ int, j *workload.Job) { j.Wait = math.NaN() }, false},
	} {
		w, err := New(context.Background(), workload.JobsOf(edited(madeUp(60, 40, 12), c.edit)), zurich(), Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := rules(w)["waits-vary"] == 1; got != c.want {
			t.Errorf("%s: %v", c.name, w.Warnings())
		}
	}
	// By hand: of 8 weeks the last four wait 120 s, the others 0 s. A circular block contains 0 to
	// 4 of these, in proportions 1:2:2:2:1, and of two blocks together 5/64 contain at most one:
	// the 5 % quantile is one, and the 95 % quantile seven.
	weeks := make([]Week, 8)
	for i := range weeks {
		weeks[i] = Week{float64(i/4) * 120, 1}
	}
	if low, high := WaitsVary(weeks); low != (60+120/8.)/120 || high != (60+7*120/8.)/120 {
		t.Errorf("%g to %g, want .625 and 1.375", low, high)
	}
}
