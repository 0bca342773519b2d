package sched

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/loadstone-hpc/loadstone/workload"
)

// madeUp draws a log at an offered load: Poisson arrivals, sizes 2^0..2^6,
// uniform-log run times of 10 s to 10 h.
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
	}
	return jobs
}

func BenchmarkFCFS(b *testing.B) {
	const n = 1_000_000
	for _, processors := range []int64{128, 8192} {
		for _, load := range []float64{0.5, 0.9} {
			b.Run(fmt.Sprintf("processors=%d/load=%g", processors, load), func(b *testing.B) {
				jobs := madeUp(n, processors, load)
				for b.Loop() {
					for _, err := range Simulate(stream(jobs), Config{Processors: processors}, nil) {
						if err != nil {
							b.Fatal(err)
						}
					}
				}
				b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "jobs/s")
			})
		}
	}
}
