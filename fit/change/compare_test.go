package change

import (
	"errors"
	"iter"
	"math"
	"math/rand/v2"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/fit/internal/fittest"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// dependent draws a series of whole seconds, uniform-log on [10, top] or
// nearly so, whose neighbours are correlated by phi in a normal score.
func dependent(seed uint64, n int, phi, top float64) Series {
	rng := rand.New(rand.NewPCG(11, seed))
	s := Series{Attribute: fit.RunTime, Label: "seed", Stride: 1, Jobs: int64(n)}
	z := rng.NormFloat64()
	for range n {
		u := math.Erfc(-z/math.Sqrt2) / 2
		s.Values = append(s.Values, math.Round(10*math.Pow(top/10, u)))
		z = phi*z + math.Sqrt(1-phi*phi)*rng.NormFloat64()
	}
	return s
}

func mustCompare(t *testing.T, a, b Series, o CompareOptions) Comparison {
	t.Helper()
	c, err := Compare(a, b, o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func change(t *testing.T, list []Change, name string) Change {
	t.Helper()
	for _, c := range list {
		if c.Name == name {
			return c
		}
	}
	t.Fatalf("no %s among %+v", name, list)
	return Change{}
}

// TestCompareFindsWhatChanged: the longest lifetime, and not the shortest.
func TestCompareFindsWhatChanged(t *testing.T) {
	a, b := dependent(1, 2000, 0.6, 1000), dependent(2, 2000, 0.6, 20000)
	c := mustCompare(t, a, b, CompareOptions{Replicates: 99})
	if c.Family != "uniform-log" || c.Level != 0.95 || c.KS.PValue != 0.01 || c.KS.Method != stats.BlockBootstrapped {
		t.Errorf("%s at %g, p %g (%s); want uniform-log at 0.95, p 0.01 by blocks", c.Family, c.Level, c.KS.PValue, c.KS.Method)
	}
	if longest := change(t, c.Changes, "t_max_s"); !longest.Differs || !(longest.Difference.Low > 5000) || !(longest.A.Low < 1000 && 1000 < longest.A.High) || !(longest.B.Low < 20000 && 20000 < longest.B.High) {
		t.Errorf("longest lifetime %+v, want 1000 and 20000 within their intervals", longest)
	}
	if shortest := change(t, c.Changes, "t_min_s"); shortest.Differs || !(shortest.A.Low < shortest.A.Value && shortest.A.Value < shortest.A.High) {
		t.Errorf("shortest lifetime %+v, want no difference", shortest)
	}
	mean := change(t, c.Changes, "mean")
	sum := 0.0
	for _, v := range a.Values {
		sum += v
	}
	fittest.Relative(t, "mean", float64(mean.A.Value), sum/2000, 1e-12)
	if !mean.Differs || mean.Difference.Value != mean.B.Value-mean.A.Value {
		t.Errorf("mean %+v, want a difference", mean)
	}
	if len(c.Warnings) > 0 {
		t.Errorf("warnings %q", c.Warnings)
	}
}

// TestCompareOfOneLaw: dependent series of one law are told apart by the
// asymptotic p-value, and not by blocks; the mean's interval by blocks is as
// wide as that of independent jobs times sqrt((1+r)/(1-r)) or so.
func TestCompareOfOneLaw(t *testing.T) {
	var blocks, asymptotic, wide, narrow float64
	for seed := range uint64(12) {
		a, b := dependent(100+2*seed, 600, 0.8, 5000), dependent(101+2*seed, 600, 0.8, 5000)
		c := mustCompare(t, a, b, CompareOptions{Replicates: 99, Seed: seed})
		if c.KS.PValue <= 0.05 {
			blocks++
		}
		if c.KS.Asymptotic <= 0.05 {
			asymptotic++
		}
		single := mustCompare(t, a, b, CompareOptions{Replicates: 99, Seed: seed, Block: 1})
		median, one := change(t, c.Changes, "median"), change(t, single.Changes, "median")
		wide += float64(median.A.High - median.A.Low)
		narrow += float64(one.A.High - one.A.Low)
	}
	// P{Bin(12, 0.1) > 5} = 5e-4; half of them are rejected by the naive test.
	if blocks > 5 || asymptotic <= blocks {
		t.Errorf("of 12 pairs %g are told apart by blocks and %g by the asymptotic p", blocks, asymptotic)
	}
	if !(wide > 1.8*narrow) {
		t.Errorf("intervals by blocks are %g wide, by single jobs %g: want near three times", wide, narrow)
	}
}

// TestCompareCountsReplicates: whoever shows progress is called once for each
// replicate of both series.
func TestCompareCountsReplicates(t *testing.T) {
	var told atomic.Int64
	a := dependent(9, 100, 0, 5000)
	mustCompare(t, a, a, CompareOptions{Fit: fit.Options{Replicated: func() { told.Add(1) }}, Replicates: 99})
	if n := told.Load(); n != 2*99 {
		t.Errorf("two series with 99 replicates each called Replicated %d times", n)
	}
}

func TestCompareOnAnyNumberOfWorkers(t *testing.T) {
	a, b := dependent(5, 300, 0.5, 5000), dependent(6, 250, 0.5, 5000)
	o := CompareOptions{Replicates: 59, Seed: 3, Workers: 1, Family: "hyper-gamma"}
	want := mustCompare(t, a, b, o)
	o.Workers = 4
	if d := cmp.Diff(want, mustCompare(t, a, b, o), cmpopts.EquateNaNs(), cmp.Transformer("float64", func(n stats.Number) float64 { return float64(n) })); d != "" {
		t.Errorf("4 workers and 1 differ:\n%s", d)
	}
	if len(want.Changes) != 2+5 {
		t.Errorf("%d changes of a hyper-gamma distribution, want mean, median and 5 parameters", len(want.Changes))
	}
}

// TestCompareOfDegenerateSides: what cannot be fitted is said, and the rest
// is compared.
func TestCompareOfDegenerateSides(t *testing.T) {
	a, b := dependent(7, 200, 0, 5000), Series{Attribute: fit.RunTime, Label: "equal", Jobs: 40, Stride: 1}
	for range 40 {
		b.Values = append(b.Values, 60)
	}
	c := mustCompare(t, a, b, CompareOptions{Replicates: 39})
	if c.B.Report != nil || !strings.Contains(c.B.Why, "(equal)") || len(c.Changes) != 2 || c.A.Report == nil {
		t.Errorf("%+v, want side B reported and not fitted", c.B)
	}
	if m := change(t, c.Changes, "median"); m.B != (Bounded{60, 60, 60}) {
		t.Errorf("median %+v, want 60", m)
	}
	found := false
	for _, w := range c.Warnings {
		found = found || strings.Contains(w, "no parameters to compare")
	}
	if !found {
		t.Errorf("warnings %q, want one of the parameters", c.Warnings)
	}
}

func TestCompareRefuses(t *testing.T) {
	good := dependent(8, 100, 0, 5000)
	few, sizes, bad := good, good, good
	few.Values = good.Values[:29]
	sizes.Attribute = fit.Size
	bad.Values = append([]float64{math.NaN()}, good.Values...)
	for _, tt := range []struct {
		b   Series
		o   CompareOptions
		err string
	}{
		{few, CompareOptions{}, "at least 30"},
		{Series{Attribute: fit.RunTime}, CompareOptions{}, "no values"},
		{sizes, CompareOptions{}, "one attribute"},
		{bad, CompareOptions{}, "value 0"},
		{good, CompareOptions{Level: 1}, "intervals: 1"},
		{good, CompareOptions{Level: math.NaN()}, "level"},
		{good, CompareOptions{Replicates: 10}, "at least 39"},
		{good, CompareOptions{Block: 0.5}, "block: 0.5"},
		{good, CompareOptions{Family: "gama"}, "gama"},
	} {
		if _, err := Compare(good, tt.b, tt.o); err == nil || !strings.Contains(err.Error(), tt.err) {
			t.Errorf("%+v: error is %v, want one with %q", tt.o, err, tt.err)
		}
	}
}

// collectOne is CollectSeries of one attribute.
func collectOne(jobs iter.Seq2[workload.Job, error], a fit.Attribute, o SeriesOptions) (Series, error) {
	all, err := CollectSeries(jobs, []fit.Attribute{a}, o)
	if err != nil {
		return Series{}, err
	}
	return all[0], nil
}

func TestCollectSeries(t *testing.T) {
	submit := []float64{0, 30, 10, math.NaN(), 40, 40, 90}
	run := []float64{5, 7, math.NaN(), 9, 0, math.Inf(1), 4}
	set := func(i int, j *workload.Job) { j.Submit, j.Run, j.Queue = submit[i], run[i], int64(i%2) }
	s, err := collectOne(fittest.Jobs(7, set), fit.RunTime, SeriesOptions{})
	want := Series{Attribute: fit.RunTime, Label: "all", Values: []float64{5, 7, 4}, Stride: 1, Jobs: 3,
		LeftOut: []fit.LeftOut{{Why: "submission unknown", Jobs: 1}, {Why: "run time unknown", Jobs: 1}, {Why: "run time not positive", Jobs: 1}, {Why: "run time infinite", Jobs: 1}}}
	if d := cmp.Diff(want, s); d != "" || err != nil {
		t.Errorf("run times differ (%v):\n%s", err, d)
	}
	// In the order of submission: 0, 10, 30, 40, 40, 90.
	s, err = collectOne(fittest.Jobs(7, set), fit.Interarrival, SeriesOptions{})
	if d := cmp.Diff([]float64{10, 20, 10, 50}, s.Values); d != "" || err != nil {
		t.Errorf("gaps differ (%v):\n%s", err, d)
	}
	// Queue 0: 0, 10, 40, 90.
	s, err = collectOne(fittest.Jobs(7, set), fit.Interarrival, SeriesOptions{Label: "queue 0", Keep: func(j *workload.Job) bool { return j.Queue == 0 }})
	if d := cmp.Diff([]float64{10, 30, 50}, s.Values); d != "" || err != nil || s.Label != "queue 0" {
		t.Errorf("gaps of %s differ (%v):\n%s", s.Label, err, d)
	}
	broken := errors.New("broken")
	if _, err := collectOne(func(yield func(workload.Job, error) bool) { yield(workload.Job{}, broken) }, fit.RunTime, SeriesOptions{}); !errors.Is(err, broken) {
		t.Errorf("error is %v, want that of the jobs", err)
	}
	if _, err := collectOne(fittest.Jobs(1, set), "colour", SeriesOptions{}); err == nil {
		t.Error("attribute colour is taken")
	}
}

// TestCollectSeriesIsBounded: of the jobs 1, 2, 3, ... each 2^k-th is kept,
// beginning with the first.
func TestCollectSeriesIsBounded(t *testing.T) {
	for _, limit := range []int{7, 8} {
		for _, n := range []int{0, 1, 7, 8, 9, 16, 17, 100, 1000} {
			s, err := collectOne(fittest.Jobs(n, func(i int, j *workload.Job) { j.Submit, j.Run = float64(i), float64(i+1) }), fit.RunTime, SeriesOptions{Limit: limit})
			if err != nil {
				t.Fatal(err)
			}
			var want []float64
			for i := 0; i < n; i += int(s.Stride) {
				want = append(want, float64(i+1))
			}
			if d := cmp.Diff(want, s.Values); d != "" || len(s.Values) > limit || s.Jobs != int64(n) || n > 16 && len(s.Values) < 4 {
				t.Errorf("%d jobs, at most %d, stride %d:\n%s", n, limit, s.Stride, d)
			}
		}
	}
}

// TestCompareOfALog: the run times of two halves of a year at KTH.
func TestCompareOfALog(t *testing.T) {
	first, last, _, err := workload.SubmitSpan(fittest.OpenLog(t, fittest.KTH).Jobs())
	if err != nil {
		t.Fatal(err)
	}
	halves, err := workload.Parts(first, last, 2)
	if err != nil {
		t.Fatal(err)
	}
	var series [2]Series
	for i := range series {
		series[i], err = collectOne(fittest.OpenLog(t, fittest.KTH).Jobs(), fit.RunTime, SeriesOptions{Label: halves.Period(int64(i)).Label,
			Keep: func(j *workload.Job) bool { n, ok := halves.Number(j.Submit); return ok && n == int64(i) }})
		if err != nil {
			t.Fatal(err)
		}
	}
	c := mustCompare(t, series[0], series[1], CompareOptions{Replicates: 59})
	t.Logf("D %.4f, p %.3f by blocks of %.0f and %.0f, asymptotic %.2g; %q", c.KS.D, c.KS.PValue, c.A.Block, c.B.Block, c.KS.Asymptotic, c.Warnings)
	for _, p := range c.Changes {
		t.Logf("%s %+v", p.Name, p)
		for _, b := range []Bounded{p.A, p.B} {
			if !(b.Low <= b.Value && b.Value <= b.High) {
				t.Errorf("%s: %+v", p.Name, b)
			}
		}
	}
	if !(c.KS.Asymptotic < 1e-6) || !(c.A.Block > 5) {
		t.Errorf("asymptotic p %g, blocks of %g: want jobs that are alike", c.KS.Asymptotic, c.A.Block)
	}
	if c.A.Jobs+c.B.Jobs != 28468 {
		t.Errorf("%d and %d jobs, want 28468 with a positive run time", c.A.Jobs, c.B.Jobs)
	}
}
