package fit

import (
	"fmt"
	"testing"
)

// BenchmarkGoodness is a fit of a million jobs with a bootstrap of 200
// replicates: the p-value and intervals alone, and with the other tests.
func BenchmarkGoodness(b *testing.B) {
	s := NewSample(RunTime, wholeSeconds(1000000))
	for _, o := range []struct {
		name    string
		options Options
	}{
		{"intervals", Options{Replicates: 200, Intervals: 0.95}},
		{"intervals+tests", Options{Replicates: 200, Intervals: 0.95, Tests: true}},
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
