package predict

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// BenchmarkBMBP learns and predicts: waits that stay alike, so that the
// history grows, and waits that change every thousand jobs.
func BenchmarkBMBP(b *testing.B) {
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
				p, err := NewBMBP(0.95, 0.95, BoundOptions{})
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
