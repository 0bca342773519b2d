package site

import (
	"testing"

	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/fit/internal/fitted"
	"github.com/loadstone-hpc/loadstone/fit/internal/fittest"
)

// BenchmarkSite is the fit of a whole site, from what a Collector holds and
// from the compressed file.
func BenchmarkSite(b *testing.B) {
	b.Run("log=kth/from=collected", func(b *testing.B) {
		c := fitted.CollectLog(b, fittest.KTH)
		log := fittest.OpenLog(b, fittest.KTH)
		clock, _ := log.Header.Clock()
		for b.Loop() {
			if _, _, err := FitClasses([]fit.Class{c}, clock, Options{Name: "kth"}); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("log=kth/from=file", func(b *testing.B) {
		for b.Loop() {
			log := fittest.OpenLog(b, fittest.KTH)
			clock, _ := log.Header.Clock()
			if _, _, err := Fit(log.Jobs(), clock, Options{Name: "kth"}); err != nil {
				b.Fatal(err)
			}
		}
	})
}
