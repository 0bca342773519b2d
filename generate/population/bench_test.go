package population

import (
	"context"
	"testing"
)

// BenchmarkJobs makes 200,000 jobs.
func BenchmarkJobs(b *testing.B) {
	w, err := New(fitted(b), Options{Jobs: 200_000, Seed: 1})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		for range w.Jobs(context.Background()) {
		}
	}
	b.ReportMetric(2e5*float64(b.N)/b.Elapsed().Seconds(), "jobs/s")
}
