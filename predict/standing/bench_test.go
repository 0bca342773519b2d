package standing

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/sched"
	"github.com/loadstone-hpc/loadstone/workload"
)

// BenchmarkScheduler plans for a machine on which so many jobs of 200 users run and wait, and
// answers about a request, when it has learned from 20,000 jobs.
func BenchmarkScheduler(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 2))
	row := int64(0)
	draw := func() *workload.Job {
		j := workload.UnknownJob()
		j.Row, j.User, j.Submit = row, rng.Int64N(200), float64(row)
		row++
		j.Size = min(1<<rng.IntN(7), 1+rng.Int64N(128))
		j.Time = []float64{600, 3600, 14400, 43200, 86400, 172800}[rng.IntN(6)]
		j.Run = j.Time * rng.Float64() * rng.Float64()
		return &j
	}
	s := NewScheduler(&Options{Policy: sched.EASY{}, Quantiles: []float64{0.95}, Confidence: 0.95})
	for range 20_000 {
		j := draw()
		s.Learn(workload.Event{Kind: workload.Submit, Job: j})
		s.Learn(workload.Event{Kind: workload.Finish, Job: j})
	}
	for _, c := range [][2]int{{100, 100}, {1000, 100}, {1000, 1000}, {1000, 10_000}, {20_000, 1000}} {
		m := &predict.Snapshot{Processors: 10}
		for range c[0] {
			j := draw()
			m.Running = append(m.Running, predict.Occupant{Request: &j.Request, Size: j.Size, Age: j.Run})
			m.Processors += j.Size
		}
		for range c[1] {
			m.Queued = append(m.Queued, draw().Request)
		}
		schedules, _ := s.Schedules(m)
		r := draw().Request
		b.Run(fmt.Sprintf("plan/running=%d/pending=%d", c[0], c[1]), func(b *testing.B) {
			for b.Loop() {
				all, _ := s.Schedules(m)
				all.Starts()
			}
		})
		b.Run(fmt.Sprintf("wait/running=%d/pending=%d", c[0], c[1]), func(b *testing.B) {
			for b.Loop() {
				schedules.Wait(&r)
			}
		})
	}
}
