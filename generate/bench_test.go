package generate

import (
	"fmt"
	"testing"

	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/workload/swf"
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
								text = swf.Append(text[:0], batch)
							}
						}
					}
					b.ReportMetric(1e6*float64(b.N)/b.Elapsed().Seconds(), "jobs/s")
				})
			}
		}
	}
}

// BenchmarkForms makes 100,000 jobs, in memory on one core, of the other forms
// that a model can have and with each extension.
func BenchmarkForms(b *testing.B) {
	lublin := site(b, model.Lublin1999)
	for _, c := range []struct {
		form string
		site model.Site
		o    Options
	}{
		{"lublin2003", site(b, model.Lublin2003), Options{}},
		{"work", site(b, model.Lublin2003Work), Options{}},
		{"malleable", site(b, model.Downey1997Rigid), Options{}},
		{"table", completedFeitelson(b), Options{}},
		{"expected-interarrival", lublin, Options{Method: model.ExpectedInterarrival}},
		{"bags", withBags(lublin, 10), Options{}},
		{"users", withUsers(lublin, 100), Options{}},
	} {
		b.Run("form="+c.form, func(b *testing.B) {
			c.o.Jobs, c.o.Seed, c.o.Workers = 1e5, 1, 1
			w := build(b, c.site, c.o)
			for b.Loop() {
				for _, err := range w.Batches() {
					if err != nil {
						b.Fatal(err)
					}
				}
			}
			b.ReportMetric(1e5*float64(b.N)/b.Elapsed().Seconds(), "jobs/s")
		})
	}
}
