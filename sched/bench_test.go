package sched

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/workload"
)

// madeUp draws a log with an offered load: Poisson arrivals, sizes 2^0..2^6, log-uniform run times
// from 10 s to 10 h, and estimates up to five times as long.
func madeUp(n int, processors int64, load float64) []workload.Job {
	rng := rand.New(rand.NewPCG(1, 2))
	jobs := make([]workload.Job, n)
	const low, high = 10, 36000.0
	meanRun := (high - low) / math.Log(high/low)
	meanSize := 127.0 / 7
	gap := meanRun * meanSize / (load * float64(processors))
	now := 0.0
	for i := range jobs {
		now += math.Round(gap * rng.ExpFloat64())
		run := math.Round(low * math.Exp(rng.Float64()*math.Log(high/low)))
		jobs[i] = job(now, run, 1<<rng.IntN(7))
		jobs[i].Time = math.Ceil(run*(1+4*rng.Float64())/300) * 300 // [R, 5R], in steps of five minutes
	}
	return jobs
}

// kb is one KB of memory, in GB.
const kb = 1.0 / KBPerGB

// madeUpNeeds gives the jobs memory, a quarter of them GPUs, and each one of three partitions, the
// third of which overlaps the two others.
func madeUpNeeds(jobs []workload.Job) {
	rng := rand.New(rand.NewPCG(3, 4))
	for i := range jobs {
		j := &jobs[i]
		j.Partition = 1
		j.MemoryTotal = float64(j.Size * (1 + rng.Int64N(8)))
		if rng.IntN(4) == 0 {
			j.TakesGPUs, j.Partition = 1+rng.Int64N(4), 2
		}
		if rng.IntN(4) == 0 {
			j.Partition = 3
		}
	}
}

// Time as a function of machine size and load: loads near 1 give long queues.
func BenchmarkPolicies(b *testing.B) {
	for _, c := range []struct {
		policy Policy
		jobs   int
	}{{FCFS{}, 1_000_000}, {EASY{}, 300_000}, {SJF{}, 300_000}, {Conservative{}, 30_000}} {
		for _, processors := range []int64{128, 1024, 8192} {
			for _, load := range []float64{0.5, 0.9, 1} {
				b.Run(fmt.Sprintf("policy=%s/processors=%d/load=%g", c.policy.Name(), processors, load), func(b *testing.B) {
					jobs := madeUp(c.jobs, processors, load)
					for b.Loop() {
						for _, err := range Simulate(stream(jobs), Config{Processors: processors, Policy: c.policy}, nil) {
							jobtest.NoError(b, err)
						}
					}
					b.ReportMetric(float64(len(jobs))*float64(b.N)/b.Elapsed().Seconds(), "jobs/s")
				})
			}
		}
	}
}
