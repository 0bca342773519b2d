package generate

import "testing"

// BenchmarkEstimates gives a million jobs estimates by Tsafrir's model.
func BenchmarkEstimates(b *testing.B) {
	const n = 1_000_000
	runs := logUniformRuns(n, 18*hour)
	bins := drawnBins(b, TsafrirModel{Jobs: n, Max: 18 * hour})
	counts := mustCount(b, bins, runs)
	law, err := NewConditional(bins, counts, 1, "")
	if err != nil {
		b.Fatal(err)
	}
	jobs, requested := numbers(n), inBatches(b, law, runs, n)
	for b.Loop() {
		if err := law.Estimate(jobs, runs, requested); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(n*float64(b.N)/b.Elapsed().Seconds(), "jobs/s")
}
