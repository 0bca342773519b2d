package capacity

import (
	"math"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/sched"
	"github.com/loadstone-hpc/loadstone/workload"
)

// A job of 250 s on two processors under a limit of 100 s, with 10 s to resume, has parts of 100,
// 100 and 70 s (after the first part 150 s are left, 160 s with 10 s to resume; then 70 s), so that
// 40 processor seconds are redone. On a machine of two processors a job of 30 s submitted at 50 s
// runs after the first part, so that the second part waits 30 s; the last ends at 300 s.
func TestTimeLimit(t *testing.T) {
	jobs := make([]workload.Job, 3)
	for i, x := range []struct{ submit, run float64 }{{0, 250}, {50, 30}, {290, 10}} {
		j := workload.UnknownJob()
		j.Row, j.ID, j.Submit, j.Run, j.Time, j.Size = int64(i), int64(i+1), x.submit, x.run, x.run, 2
		jobs[i] = j
	}
	for beyond, want := range map[string]struct {
		waits          [3]float64
		redone, undone float64
	}{
		split:  {[3]float64{30, 50, 10}, 40, 0},
		capped: {[3]float64{0, 50, 0}, 0, 300},
		refuse: {[3]float64{-1, 0, 0}, 0, 500},
	} {
		l := &limiter{limit: 100, checkpoint: 10, beyond: beyond, most: 10}
		waits, err := simulate(t.Context(), len(jobs), l.limited(workload.JobsOf(jobs)), sched.Config{Processors: 2, Policy: sched.EASY{}})
		if err != nil {
			t.Fatal(err)
		}
		for i, wait := range want.waits {
			if waits[i] != wait && !(wait < 0 && waits[i] != waits[i]) {
				t.Errorf("%s: job %d waits %g s, want %g", beyond, i+1, waits[i], wait)
			}
		}
		if l.jobs != 1 || l.redone != want.redone || l.undone != want.undone {
			t.Errorf("%s: %d jobs, %g redone and %g not done, want 1, %g and %g", beyond, l.jobs, l.redone, l.undone, want.redone, want.undone)
		}
	}
}

// No job requests more than the limit, including jobs that end within it.
func TestRequestsWithinTheLimit(t *testing.T) {
	j := workload.UnknownJob()
	j.ID, j.Submit, j.Run, j.Time, j.Size = 1, 0, 60, 500, 1
	l := &limiter{limit: 100, beyond: split}
	for limited := range l.limited(workload.JobsOf([]workload.Job{j})) {
		if limited.Time != 100 || limited.Run != 60 {
			t.Errorf("a run time of %g s and a request of %g s, want 60 and 100", limited.Run, limited.Time)
		}
	}
}

// The parts of a job run one after the other, even if the log does not number its jobs.
func TestPartsWithoutNumbers(t *testing.T) {
	var want []LimitEffect
	for _, id := range []func(*workload.Job){func(*workload.Job) {}, func(j *workload.Job) { j.ID = workload.Unknown }} {
		log := every(func(j *workload.Job) { j.Run, j.Time = 250, 250; id(j) })
		r, err := Compute(t.Context(), Options{Log: log, Vary: "time-limit=100s", Processors: 4, Twins: 1})
		if err != nil {
			t.Fatal(err)
		}
		if len(want) == 0 {
			want = r.Limits
		} else if got, numbered := r.Limits[1].Mean, want[1].Mean; got != numbered {
			t.Errorf("a mean wait of %g s, with numbers %g", got, numbered)
		}
	}
}

// Of two pools, one of nodes without GPUs and one with four GPUs, the one with GPUs is varied. Four
// jobs of one GPU each are submitted at once: all start on four GPUs.
func TestGPUsVary(t *testing.T) {
	cluster := &sched.Cluster{Pools: []sched.Pool{{Name: "thin", Nodes: 4, Processors: 8}, {Name: "gpu", Nodes: 3, Processors: 8, GPUs: 2}}}
	gpus := func(j *workload.Job) { j.GPUs, j.TakesGPUs = 1, 1 }
	for _, c := range []struct {
		vary, target string
		want         float64
	}{{"gpus", "wait_p99(gpu) <= 59", 4}, {"gpus", "wait_p99(gpu) <= 60", 2}, {"gpu", "wait_p99 <= 59", 2}} {
		r, err := Compute(t.Context(), Options{Log: every(gpus), Cluster: cluster, Vary: c.vary, Target: c.target, Twins: 1})
		if err != nil {
			t.Fatal(c, err)
		}
		if got := float64(r.Answers[0].Size); got != c.want {
			t.Errorf("%v: %g %s, want %g", c, got, r.Unit, c.want)
		}
	}
	// No number of nodes without GPUs gives jobs more GPUs.
	_, err := Compute(t.Context(), Options{Log: every(func(j *workload.Job) { gpus(j); j.Submit = float64(j.ID) * 7200; j.Run, j.Wait = 90000, math.NaN() }), Cluster: cluster, Vary: "thin", Target: "wait_mean <= 1m", Twins: 1})
	if err == nil || !strings.Contains(err.Error(), "no machine of up to") {
		t.Errorf("error %v", err)
	}
}
