package site

import (
	"context"
	"testing"

	"github.com/loadstone-hpc/loadstone/fit/internal/fittest"
)

// BenchmarkSite is the fit of a whole site to a compressed file.
func BenchmarkSite(b *testing.B) {
	for b.Loop() {
		if _, err := Compute(context.Background(), fittest.OpenLog(b, fittest.KTH), Options{NoLaws: true, Model: true}); err != nil {
			b.Fatal(err)
		}
	}
}
