package lifetimes

import (
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/fit/internal/fittest"
	"github.com/loadstone-hpc/loadstone/stats"
)

func remainingAt(t *testing.T, law dist.Law, s fit.Sample, ages ...float64) []Remaining {
	t.Helper()
	r, err := RemainingAt(law, s, ages)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// sameNumbers compares numbers, with NaN equal to NaN.
var sameNumbers = cmp.Comparer(func(x, y stats.Number) bool { return x == y || x != x && y != y })

// TestRemainingByHand: of run times 10, 20, 20 and 71, all four remain at age 0 (median 20, mean
// 30.25), three at 10 (20 less 10; 37 less 10), one at 20, none at 71. With an additional run
// time of 30, the median at 10 is 25 less 10.
func TestRemainingByHand(t *testing.T) {
	s := fit.NewSample(fit.RunTime, []float64{10, 20, 20, 71})
	nan := unknown
	want := []Remaining{
		{Age: 0, Outlived: true, Left: 4, MedianData: 20, MeanData: 30.25, MedianModel: nan, MeanModel: nan},
		{Age: 10, Outlived: true, Left: 3, MedianData: 10, MeanData: 27, MedianModel: nan, MeanModel: nan},
		{Age: 20, Outlived: true, Left: 1, MedianData: 51, MeanData: 51, MedianModel: nan, MeanModel: nan},
		{Age: 71, Outlived: true, MedianData: nan, MeanData: nan, MedianModel: nan, MeanModel: nan},
	}
	if d := cmp.Diff(want, remainingAt(t, nil, s, 0, 10, 20, 71), sameNumbers); d != "" {
		t.Error(d)
	}
	s = fit.NewSample(fit.RunTime, []float64{10, 20, 20, 30, 70})
	if r := remainingAt(t, nil, s, 10)[0]; r.MedianData != 15 || r.MeanData != 25 || r.Left != 4 {
		t.Errorf("%+v, want a median of 15, a mean of 25, 4 left", r)
	}
}

// TestRemainingOfUniformLog compares with the closed forms: the median sqrt(a tmax) - a, largest
// at tmax/4, where it is tmax/4; the mean (tmax-a)/ln(tmax/a) - a.
func TestRemainingOfUniformLog(t *testing.T) {
	law := dist.UniformLog{TMin: 5.8, TMax: 87120}
	for _, a := range []float64{5.8, 60, 3600, 87120.0 / 4, 80000} {
		r := remainingAt(t, law, fit.Sample{}, a)[0]
		fittest.Relative(t, "median", float64(r.MedianModel), math.Sqrt(a*87120)-a, 1e-12)
		fittest.Relative(t, "mean", float64(r.MeanModel), (87120-a)/math.Log(87120/a)-a, 1e-12)
	}
	peak := remainingAt(t, law, fit.Sample{}, 87120.0/4)[0].MedianModel
	fittest.Relative(t, "peak", float64(peak), 87120.0/4, 1e-12)
	for _, a := range []float64{0, 1, 5000, 21000, 22500, 60000} {
		if r := remainingAt(t, law, fit.Sample{}, a)[0]; r.MedianModel >= peak {
			t.Errorf("median at %g is %g, not below that at tmax/4", a, r.MedianModel)
		}
	}
	for _, a := range []float64{87120, 1e6} {
		if r := remainingAt(t, law, fit.Sample{}, a)[0]; !r.Outlived || !math.IsNaN(float64(r.MedianModel)) || !math.IsNaN(float64(r.MeanModel)) {
			t.Errorf("at %g: %+v, want outlived", a, r)
		}
	}
}

// plainLaw hides a law's methods other than those of dist.Law, so that the general formulas are
// used.
type plainLaw struct{ dist.Law }

// TestRemainingOfAnyLaw checks that the general formulas give the closed forms of uniform-log,
// and of an exponential law, which is memoryless. A Pareto-like tail, ln T exponential with a
// mean of m below 1, has the mean remaining lifetime a m/(1-m) and the median a (2^m - 1).
func TestRemainingOfAnyLaw(t *testing.T) {
	u := dist.UniformLog{TMin: 5.8, TMax: 87120}
	for _, a := range []float64{0, 3, 60, 3600, 80000} {
		fittest.Relative(t, "median", medianRemaining(plainLaw{u}, a), u.MedianRemaining(a), 1e-10)
		fittest.Relative(t, "mean", meanRemaining(plainLaw{u}, a), u.MeanRemaining(a), 1e-4) // a corner at tmax
	}
	for _, a := range []float64{0, 1, 1e5} {
		r := remainingAt(t, dist.Exponential{Mean: 500}, fit.Sample{}, a)[0]
		fittest.Relative(t, "median", float64(r.MedianModel), 500*math.Ln2, 1e-9)
		fittest.Relative(t, "mean", float64(r.MeanModel), 500, 1e-9)
	}
	for _, m := range []float64{0.2, 0.5, 0.9} {
		for _, a := range []float64{1, 100, 1e6} {
			r := remainingAt(t, dist.Ln{Inner: dist.Exponential{Mean: m}}, fit.Sample{}, a)[0]
			fittest.Relative(t, "median", float64(r.MedianModel), a*(math.Exp2(m)-1), 1e-9)
			fittest.Relative(t, "mean", float64(r.MeanModel), a*m/(1-m), 1e-9)
		}
	}
	if r := remainingAt(t, dist.Ln{Inner: dist.Gamma{Shape: 4.2, Scale: 1.07}}, fit.Sample{}, 60)[0]; !math.IsInf(float64(r.MeanModel), 1) || !(r.MedianModel > 0) {
		t.Errorf("a distribution without a mean: %+v", r)
	}
}

func TestRemainingRefuses(t *testing.T) {
	good := fit.Sample{Values: []float64{1}, Counts: []float64{1}}
	for _, age := range []float64{-1, math.NaN(), math.Inf(1)} {
		if _, err := RemainingAt(nil, good, []float64{age}); err == nil {
			t.Errorf("age %g is accepted", age)
		}
	}
	if _, err := RemainingAt(dist.UniformLog{TMin: 2, TMax: 1}, good, nil); err == nil {
		t.Error("an invalid distribution is accepted")
	}
	if _, err := RemainingAt(nil, fit.Sample{Values: []float64{1}}, nil); err == nil {
		t.Error("a sample without counts is accepted")
	}
}

func TestAges(t *testing.T) {
	got := Ages(fit.NewSample(fit.RunTime, []float64{1, 7, 9, 1000}), 4)
	for i, want := range []float64{1, 10, 100, 1000} {
		fittest.Relative(t, "age", got[i], want, 1e-12)
	}
	if Ages(fit.NewSample(fit.RunTime, []float64{5, 5}), 4) != nil || Ages(fit.Sample{}, 4) != nil {
		t.Error("one value has ages, want none")
	}
}

// From 1 s to 61^3 s, even steps of the logarithm include 61 s and 61 min, in addition to the
// round ones.
func TestTableAges(t *testing.T) {
	ages := TableAges(fit.Sample{Values: []float64{1, 61 * 61 * 61}, Counts: []float64{1, 1}})
	if len(ages) != 13 || !slices.Contains(ages, MinuteAge) || !slices.Contains(ages, HourAge) || ages[0] != 1 || ages[12] != 61*61*61 {
		t.Fatalf("ages %v", ages)
	}
	for i := 1; i < len(ages); i++ {
		if ages[i] < 1.05*ages[i-1] {
			t.Errorf("ages %g and %g", ages[i-1], ages[i])
		}
	}
	if ages := TableAges(fit.Sample{Values: []float64{7}, Counts: []float64{1}}); !slices.Equal(ages, []float64{MinuteAge, HourAge}) {
		t.Errorf("one run time: %v", ages)
	}
}
