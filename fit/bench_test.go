package fit

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/loadstone-hpc/loadstone/dist"
)

// wholeSeconds makes n run times as a log has them: whole seconds up to
// 45 hours, of the batch preset's law.
func wholeSeconds(n int) []float64 {
	law := dist.Ln{Inner: batch(0.65), MaxLn: 12}
	rng := rand.New(rand.NewPCG(1, 1))
	t := make([]float64, n)
	for i := range t {
		t[i] = math.Floor(law.Rand(rng))
	}
	return t
}

// BenchmarkHyperGamma is a fit from the jobs' values to convergence, the
// counting of distinct values and all starts included.
func BenchmarkHyperGamma(b *testing.B) {
	for _, jobs := range []int{10000, 100000, 1000000} {
		values := wholeSeconds(jobs)
		for _, workers := range []int{1, 2} {
			b.Run(fmt.Sprintf("jobs=%d/workers=%d", jobs, workers), func(b *testing.B) {
				var r Report
				var distinct int
				for b.Loop() {
					s := NewSample(RunTime, values)
					distinct = len(s.Values)
					var err error
					if r, err = Fit("hyper-gamma", RunTime, s, Options{Workers: workers}); err != nil || r.Status != Converged {
						b.Fatal(r.Status, err)
					}
				}
				b.ReportMetric(float64(distinct), "distinct")
				b.ReportMetric(float64(r.Iterations), "steps")
			})
		}
	}
}

func BenchmarkUniformLog(b *testing.B) {
	for _, jobs := range []int{10000, 1000000} {
		values := wholeSeconds(jobs)
		b.Run(fmt.Sprintf("jobs=%d", jobs), func(b *testing.B) {
			for b.Loop() {
				if _, err := Fit("uniform-log", RunTime, NewSample(RunTime, values), Options{}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(jobs)*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mjobs/s")
		})
	}
}
