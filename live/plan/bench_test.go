package plan_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/loadstone-hpc/loadstone/live/plan"
	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/workload"
)

// busy is a machine with so many running and pending jobs of 200 users, and a planner that
// has learned from 20,000.
func busy(b testing.TB, runs, pending int) (*plan.Planner, plan.Machine) {
	b.Helper()
	rng := rand.New(rand.NewPCG(1, 2))
	p, err := plan.NewPlanner(plan.Options{})
	if err != nil {
		b.Fatal(err)
	}
	row := int64(0)
	draw := func() workload.Job {
		j := workload.UnknownJob()
		j.Row, j.User, j.Submit = row, rng.Int64N(200), float64(row)
		row++
		j.Size = min(1<<rng.IntN(7), 1+rng.Int64N(128))
		j.Time = []float64{600, 3600, 14400, 43200, 86400, 172800}[rng.IntN(6)]
		j.Run = j.Time * rng.Float64() * rng.Float64()
		return j
	}
	for range 20_000 {
		j := draw()
		p.Submitted(j.Request)
		p.Observe(j)
	}
	var m plan.Machine
	for range runs {
		j := draw()
		m.Running = append(m.Running, predict.Occupant{Request: &j.Request, Size: j.Size, Age: j.Run})
		m.Processors += j.Size
	}
	m.Processors += 10
	for range pending {
		m.Queued = append(m.Queued, draw().Request)
	}
	return p, m
}

func BenchmarkPlan(b *testing.B) {
	for _, c := range [][2]int{{100, 100}, {1000, 100}, {1000, 1000}, {1000, 10_000}, {20_000, 1000}, {20_000, 100_000}} {
		b.Run(fmt.Sprintf("running=%d/pending=%d", c[0], c[1]), func(b *testing.B) {
			p, m := busy(b, c[0], c[1])
			b.ReportAllocs()
			var made *plan.Plan
			for b.Loop() {
				var err error
				if made, err = p.Plan(context.Background(), []plan.Machine{m}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(made.Draws), "draws")
		})
	}
}

func BenchmarkWait(b *testing.B) {
	p, m := busy(b, 1000, 1000)
	made, err := p.Plan(context.Background(), []plan.Machine{m})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		r := m.Queued[i%len(m.Queued)]
		r.Time *= 1.1
		r.Size++
		if _, err := made.Wait(r); err != nil {
			b.Fatal(err)
		}
	}
}
