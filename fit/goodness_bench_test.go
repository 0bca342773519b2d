package fit

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/loadstone-hpc/loadstone/stats"
)

// BenchmarkGoodness is a fit of a million jobs with a bootstrap of 200
// replicates: the p-value and intervals alone, with the other tests, and with
// sequential stopping.
func BenchmarkGoodness(b *testing.B) {
	s := NewSample(RunTime, wholeSeconds(1000000))
	for _, o := range []struct {
		name    string
		options Options
	}{
		{"intervals", Options{Replicates: 200, Intervals: 0.95}},
		{"intervals+tests", Options{Replicates: 200, Intervals: 0.95, Tests: true}},
		{"sequential", Options{Replicates: 200, Sequential: 10, Tests: true}},
	} {
		for _, family := range []string{"hyper-gamma", "gamma"} {
			b.Run(fmt.Sprintf("family=%s/options=%s", family, o.name), func(b *testing.B) {
				for b.Loop() {
					if _, err := Fit(family, RunTime, s, o.options); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(len(s.Values)), "distinct")
			})
		}
	}
}

// BenchmarkRoundedBootstrap is the bootstrap of a million jobs where the
// likelihood is of cells: one draw of a replicate, and fits with twenty.
func BenchmarkRoundedBootstrap(b *testing.B) {
	s := NewSample(RunTime, wholeSeconds(1000000))
	o := Options{Rounding: RoundedDown, Replicates: 20}
	for _, family := range []string{"gamma", "hyper-gamma"} {
		b.Run("fit/family="+family, func(b *testing.B) {
			for b.Loop() {
				if _, err := Fit(family, RunTime, s, o); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	b.Run("draw", func(b *testing.B) {
		t := emTask(b, s, o)
		law := batch(0.65)
		draw := t.bootstrap(law, stats.Tests{}).Draw
		rng := rand.New(rand.NewPCG(1, 1))
		for b.Loop() {
			draw(rng, law, 1000000)
		}
	})
}
