package score

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// BenchmarkRunTimeTally scores twenty predictors side by side, as the command
// does, with an exact median and with a sketch.
func BenchmarkRunTimeTally(b *testing.B) {
	const n = 100_000
	for _, keep := range []int{n, 1000} {
		b.Run(fmt.Sprintf("jobs=%d/predictors=20/keep=%d", n, keep), func(b *testing.B) {
			r := rand.New(rand.NewPCG(1, 2))
			var times [1024]float64
			for i := range times {
				times[i] = float64(r.IntN(100_000))
			}
			for b.Loop() {
				tallies := make([]RunTimeTally, 20)
				for i := range tallies {
					tallies[i].Keep = keep
				}
				for job := range n {
					for i := range tallies {
						tallies[i].Add(times[(job+i)%len(times)], times[job*7%len(times)])
					}
				}
				for i := range tallies {
					tallies[i].Result()
				}
			}
			b.ReportMetric(n*float64(b.N)/b.Elapsed().Seconds(), "jobs/s")
		})
	}
}
