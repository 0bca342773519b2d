package grid

import (
	"fmt"
	"testing"

	"github.com/loadstone-hpc/loadstone/workload"
)

// BenchmarkSimulate: the two workloads of the paper's sizes and loads, under
// each policy.
func BenchmarkSimulate(b *testing.B) {
	for _, c := range []struct {
		model, grid string
		jobs        int64
		load        float64
	}{{"das3-like", "das3", 220_000, 0.3}, {"das3-like", "das3", 220_000, 0.7}, {"auvergrid-like", "auvergrid", 90_000, 0.7}} {
		jobs := synthetic(b, c.model, c.jobs, c.load, 1)
		g, err := Preset(c.grid)
		if err != nil {
			b.Fatal(err)
		}
		for _, p := range PaperPolicies() {
			b.Run(fmt.Sprintf("grid=%s/jobs=%d/load=%g/policy=%s", c.grid, c.jobs, c.load, p.Name()), func(b *testing.B) {
				b.ReportAllocs()
				n := 0
				for b.Loop() {
					for _, err := range Simulate(workload.JobsOf(jobs), Config{Grid: g, Policy: p}) {
						if err != nil {
							b.Fatal(err)
						}
						n++
					}
				}
				b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "jobs/s")
			})
		}
	}
}

// BenchmarkOverload: more work than the grid can do, so that queues grow without
// end, and what ECT expects of them with them.
func BenchmarkOverload(b *testing.B) {
	g, err := Preset("das3")
	if err != nil {
		b.Fatal(err)
	}
	for _, n := range []int64{5_000, 10_000, 20_000, 40_000} {
		jobs := synthetic(b, "das3-like", n, 1.5, 1)
		for _, p := range []Policy{ECTPerfect{}, ECT{}, ECT{Forecast{Own: true}}, ECT{Forecast{Uncorrected: true}}} {
			f, _ := p.(ECT)
			b.Run(fmt.Sprintf("load=1.5/jobs=%d/policy=%s/own=%v/corrected=%v", n, p.Name(), f.Own, !f.Uncorrected), func(b *testing.B) {
				for b.Loop() {
					for _, err := range Simulate(workload.JobsOf(jobs), Config{Grid: g, Policy: p}) {
						if err != nil {
							b.Fatal(err)
						}
					}
				}
			})
		}
	}
}
