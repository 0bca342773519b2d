package figure

import (
	"io"
	"math"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/dist"
)

func TestBadInputIsAnError(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	ok := Sample{[]float64{1, 2}, []float64{1, 1}}
	for _, s := range []Sample{
		{}, {[]float64{1}, nil}, {[]float64{2, 1}, []float64{1, 1}}, {[]float64{1, 1}, []float64{1, 1}},
		{[]float64{nan}, []float64{1}}, {[]float64{inf}, []float64{1}}, {[]float64{1}, []float64{-1}},
		{[]float64{1}, []float64{nan}}, {[]float64{1}, []float64{0}}, {[]float64{0.5}, []float64{1}},
	} {
		if Distribution(io.Discard, "svg", "", RunTime, s, nil) == nil || Density(io.Discard, "svg", "", RunTime, s, nil) == nil {
			t.Errorf("%v: no error", s)
		}
	}
	if err := RemainingLifetime(io.Discard, "svg", "", []Remaining{{Name: "the log", Age: []float64{1}, Median: []float64{0}}}); err == nil || !strings.Contains(err.Error(), "no age has a positive remaining lifetime") {
		t.Errorf("nothing remains: %v", err)
	}
	none := Law{Name: "x", CDF: func(float64) float64 { return nan }, Density: func(float64) float64 { return nan }}
	for name, err := range map[string]error{
		"quantity":         Distribution(io.Discard, "svg", "", "memory", ok, nil),
		"density quantity": Density(io.Discard, "svg", "", "memory", ok, nil),
		"q-q quantity":     QQ(io.Discard, "svg", "", "memory", nil),
		"law":              Distribution(io.Discard, "svg", "", RunTime, ok, []Law{none}),
		"density":          Density(io.Discard, "svg", "", RunTime, ok, []Law{none}),
		"no pairs":         QQ(io.Discard, "svg", "", RunTime, nil),
		"no ages":          RemainingLifetime(io.Discard, "svg", "", nil),
		"uneven ages":      RemainingLifetime(io.Discard, "svg", "", []Remaining{{Age: []float64{1}, Mean: []float64{1}}, {Age: []float64{1}, Median: []float64{1, 2}}}),
		"none remains":     RemainingLifetime(io.Discard, "svg", "", []Remaining{{Age: []float64{1, 2}, Mean: []float64{0, nan}}}),
		"empty day":        DailyCycle(io.Discard, "svg", "", Day{}, nil),
		"negative jobs":    DailyCycle(io.Discard, "svg", "", Day{Jobs: [48]float64{-1, 2}}, nil),
		"cycle elsewhere":  DailyCycle(io.Discard, "svg", "", Day{Jobs: [48]float64{1}}, []Cycle{{"x", dist.Gamma{Shape: 1e6, Scale: 1}}}),
		"no profiles":      ParallelismProfiles(io.Discard, "svg", "", nil),
		"uneven path":      SpeedupCurves(io.Discard, "svg", "", []Path{{"x", []float64{1}, nil}}),
		"path of nothing":  Varied(io.Discard, "svg", "", "load", "wait", []Trend{{Path{"x", []float64{nan}, []float64{1}}, []float64{0}, []float64{1}}}),
		"uneven trend":     Varied(io.Discard, "svg", "", "load", "wait", []Trend{{Path{"x", []float64{1}, []float64{1}}, nil, []float64{1}}}),
		"allocated memory": AllocatedJobs(io.Discard, "svg", "", "memory", "jobs", ok, Law{}),
		"uneven waits":     PredictedWaits(io.Discard, "svg", "", "bias", Waits{[]float64{1}, nil}),
		"waits of nothing": PredictedWaits(io.Discard, "svg", "", "bias", Waits{[]float64{0, 1}, []float64{1, -1}}),
		"empty week":       WeeklyCycle(io.Discard, "svg", "", [7]float64{}),
		"NaN on a day":     WeeklyCycle(io.Discard, "svg", "", [7]float64{1, nan}),
	} {
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

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
