package population

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	fit "github.com/loadstone-hpc/loadstone/fit/population"
	"github.com/loadstone-hpc/loadstone/internal/judge"
	"github.com/loadstone-hpc/loadstone/model/population"
	"github.com/loadstone-hpc/loadstone/workload"
)

// asking are jobs whose users ask for round times: each user for its own, or for the
// next that is long enough, with one job in five ended at it. Memory is the user's,
// the queue goes by the estimate, and users have one or two applications.
func asking() []workload.Job {
	rng := rand.New(rand.NewPCG(3, 4))
	round := []float64{600, 3600, 14400, 43200}
	jobs := judge.MadeUp(60, 10, 12)
	for i := range jobs {
		j := &jobs[i]
		k := int(j.User) % len(round)
		for k < len(round)-1 && round[k] < j.Run {
			k++
		}
		j.Time, j.Memory, j.Queue = round[k], float64(1+j.User%3)*1000, int64(k+10)
		j.Application, j.Status = j.User*10+int64(rng.IntN(2)), workload.StatusCompleted
		if rng.IntN(5) == 0 {
			j.Run = j.Time
		}
		if j.Run >= j.Time {
			j.Run, j.Status = j.Time, workload.StatusFailed
		}
	}
	return jobs
}

func TestRequests(t *testing.T) {
	log := asking()
	m, _, err := fit.Fit(context.Background(), workload.JobsOf(log), &workload.Header{}, "asking", 64)
	if err != nil {
		t.Fatal(err)
	}
	jobs, _ := made(t, m, Options{Seed: 1, Jobs: 20000})
	type counts struct {
		time, memory                     map[float64]float64
		queue                            map[int64]float64
		reached, failed, same, following float64
		apps                             map[int64]map[int64]bool
	}
	count := func(jobs []workload.Job) counts {
		c := counts{time: map[float64]float64{}, memory: map[float64]float64{}, queue: map[int64]float64{}, apps: map[int64]map[int64]bool{}}
		last := map[int64]workload.Job{}
		n := float64(len(jobs))
		for _, j := range jobs {
			c.time[j.Time] += 1 / n
			c.memory[j.Memory] += 1 / n
			c.queue[j.Queue] += 1 / n
			if j.Run >= .99*j.Time {
				c.reached += 1 / n
			}
			if j.Status == workload.StatusFailed {
				c.failed += 1 / n
			}
			if p, ok := last[j.User]; ok {
				c.following++
				if p.Time == j.Time {
					c.same++
				}
			}
			last[j.User] = j
			if c.apps[j.User] == nil {
				c.apps[j.User] = map[int64]bool{}
			}
			c.apps[j.User][j.Application] = true
			if j.Run > 1.1*j.Time+60 {
				t.Errorf("job %d runs for %g s, asked for %g", j.ID, j.Run, j.Time)
			}
		}
		return c
	}
	want, got := count(log), count(jobs)
	near := func(what string, got, want, by float64) {
		t.Helper()
		if math.Abs(got-want) > by {
			t.Errorf("%s: %.3f, in the log %.3f", what, got, want)
		}
	}
	for x, share := range want.time {
		near("share of an estimate", got.time[x], share, .05)
	}
	for x, share := range want.memory {
		near("share of a memory", got.memory[x], share, .05)
	}
	for x, share := range want.queue {
		near("share of a queue", got.queue[x], share, .05)
	}
	if len(got.time) != len(want.time) || len(got.memory) != len(want.memory) || len(got.queue) != len(want.queue) {
		t.Errorf("other values than the log's: %v %v %v", got.time, got.memory, got.queue)
	}
	near("reached", got.reached, want.reached, .05)
	near("failed", got.failed, want.failed, .05)
	near("estimate of the job before", got.same/got.following, want.same/want.following, .12)
	of := map[int64]int64{}
	for user, apps := range got.apps {
		for a := range apps {
			if u, ok := of[a]; ok && u != user {
				t.Fatalf("application %d is of users %d and %d", a, u, user)
			}
			of[a] = user
		}
	}
	equalOnCores := func(o Options) {
		a, b := o, o
		a.Workers, b.Workers = 1, 4
		x, _ := made(t, m, a)
		y, _ := made(t, m, b)
		for i := range x {
			if x[i].Time != y[i].Time || x[i].Status != y[i].Status || x[i].Application != y[i].Application || x[i].Queue != y[i].Queue {
				t.Fatalf("%+v: job %d depends on the number of cores", o, i+1)
			}
		}
	}
	equalOnCores(Options{Seed: 5})
	equalOnCores(Options{Seed: 5, Jobs: 10000})
}

// The load is that asked for also where estimates end jobs.
func TestRequestsLoad(t *testing.T) {
	m, _, err := fit.Fit(context.Background(), workload.JobsOf(asking()), &workload.Header{}, "asking", 64)
	if err != nil {
		t.Fatal(err)
	}
	for _, load := range []float64{0, .3, 1.2} {
		want := load
		if want == 0 {
			want = m.Log.Load
		}
		if _, c := made(t, m, Options{Load: load, Seed: 2}); math.Abs(c.Load(m.Processors)/want-1) > .01 {
			t.Errorf("load %.4f, want %.4f", c.Load(m.Processors), want)
		}
	}
}

// Parts that the model does not have, jobs do not either.
func TestWithoutRequests(t *testing.T) {
	m, _, err := fit.Fit(context.Background(), workload.JobsOf(asking()), &workload.Header{}, "asking", 64)
	if err != nil {
		t.Fatal(err)
	}
	m.Estimates, m.Memory, m.Queues = population.Estimates{}, population.Atoms{}, population.Atoms{}
	m.Applications, m.Statuses = population.Applications{}, population.Statuses{}
	jobs, _ := made(t, m, Options{})
	for _, j := range jobs {
		if !math.IsNaN(j.Time) || !math.IsNaN(j.Memory) || j.Queue != workload.Unknown || j.Application != workload.Unknown || j.Status != workload.StatusCompleted {
			t.Fatalf("%+v", j)
		}
	}
}

// A job below an estimate of one second has a run time of 0 s, not of -1 s, which
// would be unknown.
func TestShortEstimates(t *testing.T) {
	log := asking()
	for i := range log {
		log[i].Time = []float64{1, 2, 43200}[log[i].User%3]
		log[i].Run = math.Min(log[i].Run, log[i].Time)
	}
	m, _, err := fit.Fit(context.Background(), workload.JobsOf(log), &workload.Header{}, "short", 64)
	if err != nil {
		t.Fatal(err)
	}
	for _, load := range []float64{0, .01} {
		jobs, _ := made(t, m, Options{Seed: 1, Load: load, Jobs: 1000})
		for _, j := range jobs {
			if !(j.Run >= 0) {
				t.Fatalf("load %g: job %d, of an estimate of %g s, runs for %g s", load, j.ID, j.Time, j.Run)
			}
		}
	}
}
