package generate

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/workload"
)

// A shorter log is the beginning of a longer one, by the number of jobs or of days.
func TestPrefix(t *testing.T) {
	whole := collect(t, prepare(t, model.Lublin1999, Options{Jobs: 100_000, Seed: 8}))
	for _, o := range []Options{
		{Jobs: 1}, {Jobs: 2}, {Jobs: workload.DefaultBatchRows - 1}, {Jobs: workload.DefaultBatchRows}, {Jobs: workload.DefaultBatchRows + 1},
		{Days: 0.5}, {Days: 1}, {Days: 30}, {Days: 200}, {Days: 1e-9},
	} {
		o.Seed = 8
		n := int(o.Jobs)
		for o.Days > 0 && whole.submits[n] < o.Days*secondsPerDay {
			n++
		}
		part := collect(t, prepare(t, model.Lublin1999, o))
		if len(part.ids) != n || n > 0 && (part.ids[0] != 1 || part.ids[n-1] != int64(n)) {
			t.Errorf("%d jobs or %g days: %d jobs, want %d", o.Jobs, o.Days, len(part.ids), n)
		}
		part.ids = nil
		if n > 0 && !cmp.Equal(whole.head(n), part, allow) {
			t.Errorf("%d jobs or %g days are not the beginning of the whole", o.Jobs, o.Days)
		}
	}
}

var allow = cmp.AllowUnexported(table{})

// The classes do not depend on each other: the batch jobs of the merged preset are those of the
// batch preset. The merged jobs are in order; at the same instant, interactive jobs come first.
func TestMerge(t *testing.T) {
	both := collect(t, prepare(t, model.Lublin1999, Options{Jobs: 100_000, Seed: 9}))
	for queue, name := range []string{"lublin1999-interactive", model.Lublin1999Batch} {
		alone := collect(t, prepare(t, name, Options{Jobs: 100_000, Seed: 9}))
		part := both.of(int64(queue))
		if !cmp.Equal(alone.head(len(part.sizes)), part, allow) {
			t.Errorf("queue %d differs from %s", queue, name)
		}
	}
	ties := 0
	for i := 1; i < len(both.submits); i++ {
		if both.submits[i] < both.submits[i-1] {
			t.Fatalf("job %d is submitted before the one above it", i+1)
		}
		if both.submits[i] == both.submits[i-1] && both.queues[i] != both.queues[i-1] {
			if ties++; both.queues[i-1] == 1 {
				t.Errorf("job %d: batch before interactive at one instant", i)
			}
		}
	}
	if ties == 0 {
		t.Error("no two classes at one instant: the rule is not tested")
	}
}

// A change to one part of a model does not change the draws of the other parts.
func TestPartsAreIndependent(t *testing.T) {
	generate := func(alter func(*model.Class)) table {
		s := site(t, model.Lublin1999Untyped)
		s.Classes[0].RunTimes.(*model.GammaRunTimes).PSlope = 0 // so that run times do not depend on sizes
		if alter != nil {
			alter(&s.Classes[0])
		}
		return collect(t, build(t, s, Options{Jobs: 50_000, Seed: 1}))
	}
	base := generate(nil)
	for name, tt := range map[string]struct {
		alter                 func(*model.Class)
		submits, sizes, times bool // parts that stay the same
	}{
		"run times": {func(c *model.Class) { c.RunTimes.(*model.GammaRunTimes).Law.First.Scale *= 1.1 }, true, true, false},
		"sizes":     {func(c *model.Class) { c.Sizes.(*model.TwoStageSizes).Log2.P = 0.5 }, true, false, true},
		"arrivals":  {func(c *model.Class) { c.Arrivals.ARAR = 1.1 }, false, true, true},
		"name":      {func(c *model.Class) { c.Name = "other" }, false, false, false},
	} {
		got := generate(tt.alter)
		if same := cmp.Equal(base.submits, got.submits); same != tt.submits {
			t.Errorf("%s: submissions the same: %v", name, same)
		}
		if same := cmp.Equal(base.sizes, got.sizes); same != tt.sizes {
			t.Errorf("%s: sizes the same: %v", name, same)
		}
		if same := cmp.Equal(base.runs, got.runs); same != tt.times {
			t.Errorf("%s: run times the same: %v", name, same)
		}
	}
}

// The streams of consecutive jobs, and of the two parts of a job, are unrelated: their first
// numbers are uniform and uncorrelated.
func TestStreams(t *testing.T) {
	const n = 200_000
	sizes, runs := newStream(1, partSizes, "a"), newStream(1, partRunTimes, "a")
	var pcg rand.PCG
	rng := rand.New(&pcg)
	x, y := make([]float64, n), make([]float64, n)
	for i := range n {
		sizes.seed(&pcg, int64(i))
		x[i] = rng.Float64()
		runs.seed(&pcg, int64(i))
		y[i] = rng.Float64()
	}
	for name, c := range map[string]float64{
		"jobs that follow":  stat.Correlation(x[1:], x[:n-1], nil),
		"every second job":  stat.Correlation(x[2:], x[:n-2], nil),
		"size and run time": stat.Correlation(x, y, nil),
	} {
		checkMean(t, "correlation of "+name, c, 0, 1, n)
	}
	for name, z := range map[string][]float64{"sizes": x, "run times": y} {
		const cells = 256
		var counts [cells]float64
		for _, u := range z {
			counts[int(u*cells)]++
		}
		chi2 := 0.0
		for _, c := range counts {
			chi2 += (c - n/cells) * (c - n/cells) / (n / cells)
		}
		if limit := (distuv.ChiSquared{K: cells - 1}).Quantile(1 - falseAlarm); chi2 > limit {
			t.Errorf("%s: chi-square %g, want at most %g", name, chi2, limit)
		}
	}
}

// A consumer that stops early gets the jobs up to then, with any number of workers.
func TestStopEarly(t *testing.T) {
	for _, workers := range []int{1, 2} {
		n := 0
		for _, err := range prepare(t, model.Lublin1999, Options{Days: model.Slots * 1000, Seed: 1, Workers: workers}).Jobs() {
			if err != nil {
				t.Fatal(err)
			}
			if n++; n == 40_000 {
				break
			}
		}
		if n != 40_000 {
			t.Errorf("%d workers: %d jobs", workers, n)
		}
	}
}
