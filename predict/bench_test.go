package predict

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/loadstone-hpc/loadstone/workload"
)

func BenchmarkDowney(b *testing.B) {
	for _, running := range []int{10, 100, 1000} {
		rng := rand.New(rand.NewPCG(1, 2))
		h := &Head{Needed: 20}
		for range running {
			h.Running = append(h.Running, Occupant{Size: 1 << rng.IntN(7), Age: 40000 * rng.Float64()})
		}
		h.Running[0].Size = 32
		for _, p := range []HeadPredictor{DowneyA{law}, DowneyAExact{Lifetimes: law}, DowneyB{law}} {
			b.Run(fmt.Sprintf("predictor=%s/running=%d", p.Name(), running), func(b *testing.B) {
				for b.Loop() {
					p.Predict(h)
				}
			})
		}
	}
}

func BenchmarkBMBP(b *testing.B) {
	benchmarkBound(b, func() (BoundPredictor, error) { return NewBMBP(0.95, 0.95, BoundOptions{}) })
}
func BenchmarkChebyshev(b *testing.B) {
	benchmarkBound(b, func() (BoundPredictor, error) { return NewChebyshev(0.95, 0.95, BoundOptions{}) })
}

func BenchmarkQBETS(b *testing.B) {
	benchmarkBound(b, func() (BoundPredictor, error) { return NewQBETS(0.95, 0.95, ByRequestedTime, BoundOptions{}) })
}

// benchmarkBound learns and predicts: waits that stay alike, so that the
// history grows, and waits that change every thousand jobs.
func benchmarkBound(b *testing.B, make func() (BoundPredictor, error)) {
	const n = 200_000
	for _, changing := range []bool{false, true} {
		b.Run(fmt.Sprintf("jobs=%d/changing=%v", n, changing), func(b *testing.B) {
			rng := rand.New(rand.NewPCG(1, 2))
			waits := []float64{}
			level := 1000.0
			for i := range n {
				if changing && i%1000 == 0 {
					level = 1000 * math.Exp(2*rng.NormFloat64())
				}
				waits = append(waits, math.Floor(level*rng.ExpFloat64()))
			}
			j := waited(0, 0)
			for b.Loop() {
				p, err := make()
				if err != nil {
					b.Fatal(err)
				}
				for i, w := range waits {
					given, _ := p.Predict(j.Request)
					j.Wait = w
					j.Time = 600 * float64(1+i%7)
					p.Observe(j, given)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/job")
		})
	}
}

// BenchmarkQueueWaits predicts in a queue that grows to about a thousand jobs,
// which come ten at a time. One predictor keeps its run times, the other asks for
// them anew.
func BenchmarkQueueWaits(b *testing.B) {
	const n = 4000
	rng := rand.New(rand.NewPCG(1, 2))
	var jobs []workload.Job
	now := 0.0
	for i := range n {
		now += float64(rng.IntN(10))
		if i%10 == 0 {
			now += 700
		}
		jobs = append(jobs, sized(now, float64(1+rng.IntN(600)), 1+rng.Int64N(32)))
	}
	for _, p := range []struct {
		name  string
		fresh func() Simulated
	}{
		{"known", func() Simulated {
			return Simulated{RunTimes: []RunTimePredictor{runTimes(func(r *workload.Request) float64 { return jobs[r.Row].Run })}}
		}},
		{"corrected", func() Simulated { return Simulated{RunTimes: []RunTimePredictor{&meanBySize{}}, Corrected: true} }},
	} {
		b.Run("predictor="+p.name, func(b *testing.B) {
			queued := 0
			for b.Loop() {
				queued = 0
				for w, err := range QueueWaits(stream(jobs), QueueConfig{Processors: 64}, []Simulated{p.fresh()}) {
					if err != nil {
						b.Fatal(err)
					}
					queued += w.Queued
				}
			}
			b.ReportMetric(float64(queued)/n, "queued")
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(queued), "ns/queued")
		})
	}
}

// meanBySize predicts the mean run time of the jobs of a size that have ended.
type meanBySize struct{ sum, n [33]float64 }

func (m *meanBySize) Predict(r workload.Request) (workload.Prediction, bool) {
	return workload.Prediction{Seconds: m.sum[r.Size] / m.n[r.Size]}, m.n[r.Size] > 0
}

func (m *meanBySize) Observe(j workload.Job) {
	m.sum[j.Size] += j.Run
	m.n[j.Size]++
}
