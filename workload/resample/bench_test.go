package resample

import (
	"context"
	"fmt"
	"testing"

	"github.com/loadstone-hpc/loadstone/workload"
)

// BenchmarkTwin makes a million jobs of logs of some length: as jobs, and as the
// batches that writers take.
func BenchmarkTwin(b *testing.B) {
	for _, users := range []int{4, 100, 1000} {
		jobs := madeUp(users, 50, 40)
		w, err := New(context.Background(), workload.JobsOf(jobs), zurich(), Options{Jobs: 1e6, Seed: 1})
		if err != nil {
			b.Fatal(err)
		}
		defer w.Close()
		b.Run(fmt.Sprintf("log=%d/form=jobs", len(jobs)), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				for range w.Jobs(context.Background()) {
				}
			}
			b.ReportMetric(1e6*float64(b.N)/b.Elapsed().Seconds(), "jobs/s")
		})
		b.Run(fmt.Sprintf("log=%d/form=batches", len(jobs)), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				for range workload.Batches(w.Jobs(context.Background()), nil) {
				}
			}
			b.ReportMetric(1e6*float64(b.N)/b.Elapsed().Seconds(), "jobs/s")
		})
	}
}

// BenchmarkNew reads a log.
func BenchmarkNew(b *testing.B) {
	jobs := madeUp(1000, 50, 40)
	b.ReportAllocs()
	for b.Loop() {
		w, err := New(context.Background(), workload.JobsOf(jobs), zurich(), Options{})
		if err != nil {
			b.Fatal(err)
		}
		w.Close()
	}
	b.ReportMetric(float64(len(jobs)*b.N)/b.Elapsed().Seconds(), "jobs/s")
}
