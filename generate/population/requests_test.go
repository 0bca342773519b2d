package population

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/longtest"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/internal/judge"
	"github.com/loadstone-hpc/loadstone/model/population"
	"github.com/loadstone-hpc/loadstone/workload"
)

// asking returns jobs whose users request round times: each user's own or, if that is too short,
// the next one that is long enough; one job in five ends at it. Memory depends on the user and
// the queue on the estimate, and users have one or two applications.
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

// shares returns the shares of the jobs by estimate, memory, queue and status, of those that
// reached their estimates, and of those with the estimate of their user's previous job.
func shares(t *testing.T, jobs []workload.Job) map[string]float64 {
	out, last, n := map[string]float64{}, map[int64]float64{}, float64(len(jobs))
	repeats, following := 0.0, 0.0
	for i := range jobs {
		j := &jobs[i]
		out[fmt.Sprint("estimate ", j.Time)] += 1 / n
		out[fmt.Sprint("memory ", j.Memory)] += 1 / n
		out[fmt.Sprint("queue ", j.Queue)] += 1 / n
		out[fmt.Sprint("reached ", j.Run >= .99*j.Time)] += 1 / n
		out[fmt.Sprint("status ", j.Status)] += 1 / n
		if before, ok := last[j.User]; ok {
			following++
			if before == j.Time {
				repeats++
			}
		}
		last[j.User] = j.Time
		if j.Run > 1.1*j.Time+60 {
			t.Errorf("job %d runs for %g s, asked for %g", j.ID, j.Run, j.Time)
		}
	}
	out["estimate of the job before"] = repeats / following
	return out
}

func TestRequests(t *testing.T) {
	log := asking()
	m := fitTo(t, log)
	jobs, _ := made(t, m, Options{Seed: 1, Jobs: 20000})
	want, got := shares(t, log), shares(t, jobs)
	if len(got) != len(want) {
		t.Errorf("other values than the log's: %v", got)
	}
	for name, share := range want {
		by := .05
		if name == "estimate of the job before" {
			by = .12
		}
		if math.Abs(got[name]-share) > by {
			t.Errorf("%s: %.3f, in the log %.3f", name, got[name], share)
		}
	}
	of := map[int64]int64{}
	for _, j := range jobs {
		if u, ok := of[j.Application]; ok && u != j.User {
			t.Fatalf("application %d is of users %d and %d", j.Application, u, j.User)
		}
		of[j.Application] = j.User
	}
	sameOnCores(t, m, Options{Seed: 5})
	sameOnCores(t, m, Options{Seed: 5, Jobs: 10000})
	// The load is as requested even if estimates end jobs.
	for _, load := range []float64{m.Log.Load, .3, 1.2} {
		if _, c := made(t, m, Options{Load: load, Seed: 2}); math.Abs(c.Load(m.Processors)/load-1) > .01 {
			t.Errorf("load %.4f, want %.4f", c.Load(m.Processors), load)
		}
	}
	// Jobs do not have what the model lacks.
	m.Estimates, m.Memory, m.Queues = population.Estimates{}, population.Atoms{}, population.Atoms{}
	m.Applications, m.Statuses = population.Applications{}, population.Statuses{}
	jobs, _ = made(t, m, Options{})
	for _, j := range jobs {
		if !math.IsNaN(j.Time) || !math.IsNaN(j.Memory) || j.Queue != workload.Unknown || j.Application != workload.Unknown || j.Status != workload.StatusCompleted {
			t.Fatalf("%+v", j)
		}
	}
}

// A job that stays below an estimate of one second has a run time of 0 s, not of -1 s, which
// would mean unknown.
func TestShortEstimates(t *testing.T) {
	log := asking()
	for i := range log {
		log[i].Time = []float64{1, 2, 43200}[log[i].User%3]
		log[i].Run = math.Min(log[i].Run, log[i].Time)
	}
	m := fitTo(t, log)
	for _, load := range []float64{0, .01} {
		jobs, _ := made(t, m, Options{Seed: 1, Load: load, Jobs: 1000})
		for _, j := range jobs {
			if !(j.Run >= 0) {
				t.Fatalf("load %g: job %d, of an estimate of %g s, runs for %g s", load, j.ID, j.Time, j.Run)
			}
		}
	}
}

// Any field may be missing from a model that Decode accepts: jobs can still be drawn.
func TestTakenOut(t *testing.T) {
	longtest.Only(t)
	m := fitTo(t, asking())
	file, err := m.Encode()
	if err != nil {
		t.Fatal(err)
	}
	tried := 0
	jobtest.Without(t, file, func(path, name string, text []byte) {
		if m, err := population.Decode("x", text); err == nil && name != "about" {
			tried++
			if jobs, _ := made(t, m, Options{Jobs: 300}); len(jobs) != 300 {
				t.Errorf("%s taken out: %d jobs", path, len(jobs))
			}
		}
	})
	if tried < 10 {
		t.Errorf("%d models tried", tried)
	}
}
