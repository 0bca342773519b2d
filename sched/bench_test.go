package sched

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/loadstone-hpc/loadstone/workload"
)

// madeUp draws a log at an offered load: Poisson arrivals, sizes 2^0..2^6,
// uniform-log run times of 10 s to 10 h,
// estimates up to five times as long.
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

// queueLength sums up how many jobs wait at each start.
type queueLength struct{ starts, queued, most int }

func (q *queueLength) Blocked(*workload.Request, *State) {}
func (q *queueLength) Started(_ Task, s *State) {
	q.starts++
	q.queued += s.Queued()
	q.most = max(q.most, s.Queued())
}

func benchmark(b *testing.B, jobs []workload.Job, cfg Config) {
	b.Helper()
	simulate := func(o Observer) {
		for _, err := range Simulate(stream(jobs), cfg, o) {
			if err != nil {
				b.Fatal(err)
			}
		}
	}
	for b.Loop() {
		simulate(nil)
	}
	b.ReportMetric(float64(len(jobs))*float64(b.N)/b.Elapsed().Seconds(), "jobs/s")
	var q queueLength
	simulate(&q)
	b.ReportMetric(float64(q.queued)/float64(q.starts), "queued")
	b.ReportMetric(float64(q.most), "queued-most")
}

// Growth with the machine and the load: loads near 1 give long queues.
func BenchmarkFCFS(b *testing.B) {
	for _, processors := range []int64{128, 8192} {
		for _, load := range []float64{0.5, 0.9} {
			b.Run(fmt.Sprintf("processors=%d/load=%g", processors, load), func(b *testing.B) {
				benchmark(b, madeUp(1_000_000, processors, load), Config{Processors: processors})
			})
		}
	}
}

func BenchmarkBackfilling(b *testing.B) {
	for _, c := range []struct {
		policy Policy
		jobs   int
	}{{EASY{}, 300_000}, {SJF{}, 300_000}, {Conservative{}, 30_000}} {
		for _, processors := range []int64{128, 1024, 8192} {
			for _, load := range []float64{0.5, 0.9, 1} {
				b.Run(fmt.Sprintf("policy=%s/processors=%d/load=%g", c.policy.Name(), processors, load), func(b *testing.B) {
					benchmark(b, madeUp(c.jobs, processors, load), Config{Processors: processors, Policy: c.policy})
				})
			}
		}
	}
}

// BenchmarkPlainEASY is a rival for BenchmarkBackfilling/policy=easy on the same
// logs: the EASY of lists that tests tie rules.
func BenchmarkPlainEASY(b *testing.B) {
	for _, processors := range []int64{128, 1024} {
		for _, load := range []float64{0.5, 0.9, 1} {
			b.Run(fmt.Sprintf("processors=%d/load=%g", processors, load), func(b *testing.B) {
				jobs := madeUp(300_000, processors, load)
				for b.Loop() {
					plainEASY(jobs, processors, tieRules{})
				}
				b.ReportMetric(float64(len(jobs))*float64(b.N)/b.Elapsed().Seconds(), "jobs/s")
			})
		}
	}
}

// BenchmarkFeedback is EASY on one log of users, open and closed.
func BenchmarkFeedback(b *testing.B) {
	for _, load := range []float64{0.5, 0.9, 1} {
		jobs, _, _ := linked(b, waited(b, ofUsers(madeUp(300_000, 1024, load), 1000), 2048))
		for _, feedback := range []bool{false, true} {
			b.Run(fmt.Sprintf("load=%g/feedback=%t", load, feedback), func(b *testing.B) {
				benchmark(b, jobs, Config{Processors: 1024, Policy: EASY{}, Feedback: feedback})
			})
		}
	}
}
