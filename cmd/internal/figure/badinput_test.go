package figure

import (
	"io"
	"math"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/dist"
)

// Extreme numbers are drawn or refused, but never a panic.
func TestExtremesDoNotPanic(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	odd := []float64{-inf, -1, 0, 5e-324, 1e-300, 1, 1e300, math.MaxFloat64, inf, nan}
	for _, a := range odd {
		for _, b := range odd {
			s := Sample{[]float64{a, b}, []float64{1, 1}}
			k := 0
			law := Law{Name: "\xff\x00\n", CDF: func(float64) float64 { k++; return odd[k%len(odd)] }, Density: func(float64) float64 { k++; return odd[k%len(odd)] }}
			_ = Distribution(io.Discard, "svg", "", RunTime, s, []Law{law})
			_ = Density(io.Discard, "svg", "", Size, s, []Law{law})
			_ = QQ(io.Discard, "svg", "", Size, []Pairs{{"x", []float64{a, b}, []float64{b, 1}}})
			_ = RemainingLifetime(io.Discard, "svg", "", []Remaining{{"x", []float64{a, b, 1}, []float64{b, a, 1}, nil}, {"y", []float64{1, a}, nil, []float64{b, 1}}})
			_ = DailyCycle(io.Discard, "svg", "", Day{Jobs: [48]float64{a, b, 1}}, []Cycle{{"x", dist.Gamma{Shape: a, Scale: b}}})
			_ = WeeklyCycle(io.Discard, "svg", "", [7]float64{a, b})
		}
	}
}

func TestLongNamesAreCut(t *testing.T) {
	var b strings.Builder
	long := "a_very_long_name_of_a_log_file"
	for range 4 {
		long += long
	}
	if err := Distribution(&b, "svg", long, RunTime, Sample{[]float64{1, 2}, []float64{1, 1}}, []Law{{Name: long, CDF: func(float64) float64 { return 0.5 }}}); err != nil {
		t.Fatal(err)
	}
	texts(t, "long names", b.String())
	got := fitting(long, 10, 300)
	if w := textWidth(got, 10); w > 300 || w < 280 {
		t.Errorf("%q is %v wide, want just below 300", got, w)
	}
	if got := fitting("a\nb\x00\xff", 10, 300); got != `a\nb\x00\xff` { // as everywhere, see internal/printable
		t.Errorf("%q", got)
	}
}
