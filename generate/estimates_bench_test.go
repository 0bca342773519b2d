package generate

import (
	"testing"

	"github.com/loadstone-hpc/loadstone/fit"
)

// BenchmarkEstimates gives a million jobs their estimates.
func BenchmarkEstimates(b *testing.B) {
	const n = 1_000_000
	runs := logUniformRuns(n, 18*hour)
	bins := drawnBins(b, TsafrirModel{Jobs: n, Max: 18 * hour})
	counts := mustCount(b, bins, runs)
	law, err := NewConditional(bins, counts, 1, "")
	if err != nil {
		b.Fatal(err)
	}
	uniform, err := NewUniformEstimates(5, true, 1, "")
	if err != nil {
		b.Fatal(err)
	}
	jobs, requested := numbers(n), inBatches(b, law, runs, n)
	counter, err := fit.NewEstimateCounter(0)
	if err != nil {
		b.Fatal(err)
	}
	if err := counter.Add(runs, requested); err != nil {
		b.Fatal(err)
	}
	l, err := counter.Result()
	if err != nil {
		b.Fatal(err)
	}
	logged, err := NewLogLaw(l, 1, "")
	if err != nil {
		b.Fatal(err)
	}
	for name, f := range map[string]func() error{
		"uniform":     func() error { return uniform.Estimate(jobs, runs, requested) },
		"conditional": func() error { return law.Estimate(jobs, runs, requested) },
		"count":       func() error { mustCount(b, bins, runs); return nil },
		"log":         func() error { return logged.Estimate(jobs, runs, requested) },
	} {
		b.Run("by="+name, func(b *testing.B) {
			for b.Loop() {
				if err := f(); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(n*float64(b.N)/b.Elapsed().Seconds(), "jobs/s")
		})
	}
}
