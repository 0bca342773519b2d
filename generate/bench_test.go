package generate

import (
	"fmt"
	"testing"

	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/workload"
)

// BenchmarkBatches makes a million jobs, as batches in memory and as text of
// the standard workload format.
func BenchmarkBatches(b *testing.B) {
	for _, to := range []string{"memory", "swf"} {
		for _, name := range []string{model.Lublin1999, model.Lublin1999Batch} {
			for _, workers := range []int{1, 2} {
				b.Run(fmt.Sprintf("to=%s/model=%s/workers=%d", to, name, workers), func(b *testing.B) {
					w := prepare(b, name, Options{Jobs: 1e6, Seed: 1, Workers: workers})
					var text []byte
					for b.Loop() {
						for batch, err := range w.Batches() {
							if err != nil {
								b.Fatal(err)
							}
							if to == "swf" {
								text = workload.AppendSWF(text[:0], batch)
							}
						}
					}
					b.ReportMetric(1e6*float64(b.N)/b.Elapsed().Seconds(), "jobs/s")
				})
			}
		}
	}
}

// BenchmarkClock is the part that is not parallel.
func BenchmarkClock(b *testing.B) {
	w := prepare(b, model.Lublin1999Batch, Options{Jobs: 1})
	c := w.classes[0].arrivals.start()
	for b.Loop() {
		c.next()
	}
}
