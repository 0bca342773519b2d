package generate

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/workload"
)

// assigned gives every job an estimate by the procedure of Tsafrir, Etsion and
// Feitelson (2005): from the longest job down, each takes one of the unused
// estimates that are not below its run time, all alike. The bins have as many
// jobs as there are run times.
func assigned(bins Bins, runs []float64, rng *rand.Rand) []float64 {
	order := make([]int, len(runs))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(runs[b], runs[a]) })
	var unused []float64 // that are not below the run time
	next, requested := len(bins)-1, make([]float64, len(runs))
	for _, i := range order {
		for ; next >= 0 && bins[next].Time >= runs[i]; next-- {
			unused = append(unused, slices.Repeat([]float64{bins[next].Time}, int(bins[next].Jobs))...)
		}
		k, last := rng.IntN(len(unused)), len(unused)-1
		requested[i] = unused[k]
		unused[k], unused = unused[last], unused[:last]
	}
	return requested
}

// The law of the assignment is the one that the reference enumerates.
func TestAssignedReference(t *testing.T) {
	const n = 20_000
	rng := rand.New(rand.NewPCG(1, 2))
	for _, r := range readEstimatesReference(t).Assignments {
		counts, p := map[int64]int{}, make([]float64, len(r.Law))
		for i, l := range r.Law {
			p[i] = l.P
		}
		for range n {
			got := assigned(r.Bins, r.Runs, rng)
			at := -1
			for i, l := range r.Law {
				if slices.Equal(l.Estimates, got) {
					at = i
				}
			}
			counts[int64(at)]++
		}
		checkCounts(t, fmt.Sprint(r.Runs), counts, p, n)
	}
}

func drawnBins(t testing.TB, m TsafrirModel) Bins {
	t.Helper()
	bins, err := m.Draw(7, "")
	if err != nil {
		t.Fatal(err)
	}
	return bins
}

// logUniformRuns are n whole run times, ln uniform up to most.
func logUniformRuns(n int, most float64) []float64 {
	rng := rand.New(rand.NewPCG(3, 4))
	runs := make([]float64, n)
	for i := range runs {
		runs[i] = math.Floor(math.Pow(most, rng.Float64()))
	}
	return runs
}

func mustCount(t testing.TB, bins Bins, runs []float64) *RunTimeCounts {
	t.Helper()
	c, err := bins.Count()
	if err != nil {
		t.Fatal(err)
	}
	c.Add(runs)
	return c
}

// inBatches numbers the jobs from 0.
func inBatches(t testing.TB, e Estimator, runs []float64, size int) []float64 {
	t.Helper()
	jobs, got := numbers(len(runs)), make([]float64, len(runs))
	for at := 0; at < len(runs); at += size {
		end := min(at+size, len(runs))
		if err := e.Estimate(jobs[at:end], runs[at:end], got[at:end]); err != nil {
			t.Fatal(err)
		}
	}
	return got
}

func numbers(n int) []int64 {
	jobs := make([]int64, n)
	for i := range jobs {
		jobs[i] = int64(i)
	}
	return jobs
}

// A run time that is exactly an estimate can have it; one just above cannot.
func TestLadder(t *testing.T) {
	edges := []float64{1e-300, 1, math.Nextafter(1, 2), 60, 61, 3600, 1e9}
	l := newLadder(edges)
	for i, e := range edges {
		if got := l.find(e); got != i {
			t.Errorf("%g is at %d, want %d", e, got, i)
		}
		if i > 0 {
			if got := l.find(math.Nextafter(edges[i-1], 2e9)); got != i {
				t.Errorf("just above %g is at %d, want %d", edges[i-1], got, i)
			}
		}
	}
	if l.find(0) != 0 {
		t.Error("0 is not at the first")
	}
	tiny := newLadder([]float64{5e-324})
	if tiny.find(0) != 0 || tiny.find(5e-324) != 0 {
		t.Error("the smallest number there is")
	}
}

// conditional gives all jobs estimates by the law of these bins and run times.
func conditional(t *testing.T, bins Bins, runs []float64) ([]float64, error) {
	t.Helper()
	law, err := NewConditional(bins, mustCount(t, bins, runs), 1, "")
	if err != nil {
		return nil, err
	}
	return inBatches(t, law, runs, len(runs)), nil
}

func TestConditionalDegenerate(t *testing.T) {
	// One job, any run time.
	one := drawnBins(t, TsafrirModel{Jobs: 1, Max: hour})
	for _, r := range []float64{0, 1, 3600, 1e8} {
		if got, err := conditional(t, one, []float64{r}); err != nil || got[0] != hour {
			t.Errorf("one job of %g s: %v, %v", r, got, err)
		}
	}
	// All run times above the maximum: they count as it, and only as many can
	// be as have it.
	bins := drawnBins(t, TsafrirModel{Jobs: 1000, Max: 2 * hour})
	long := slices.Repeat([]float64{1e6}, 1000)
	var e *LongRunsError
	if _, err := conditional(t, bins, long); !errors.As(err, &e) || e.Runs != 1 || e.Max != 2*hour || e.Longer != bins[len(bins)-2].Time {
		t.Errorf("all run times above the maximum: %v", err)
	}
	all := TsafrirModel{Jobs: 1000, Max: 2 * hour, Given: []Bin{{2 * hour, 1000}}}
	if got, err := conditional(t, drawnBins(t, all), long); err != nil || slices.Max(got) != 2*hour || slices.Min(got) != 2*hour {
		t.Errorf("all have the maximum: %v", err)
	}
	if c := mustCount(t, bins, long); c.counts[len(bins)-1] != 1000 {
		t.Errorf("%d of 1000 run times above the maximum count as the maximum", c.counts[len(bins)-1])
	}
	// What is unknown has no estimate and takes none: the law is that of 15 and 5.
	two := Bins{{10, 1}, {20, 1}}
	got, err := conditional(t, two, []float64{math.NaN(), 15, math.Inf(1), -1, 5})
	if err != nil || got[1] != 20 || got[4] != 10 || !math.IsNaN(got[0]) || !math.IsNaN(got[2]) || !math.IsNaN(got[3]) {
		t.Errorf("unknown run times: %v, %v", got, err)
	}
	// Errors.
	var o *workload.OptionError
	if _, err := conditional(t, two, []float64{math.NaN()}); !errors.As(err, &o) {
		t.Errorf("no run time: %v", err)
	}
	if _, err := NewConditional(nil, mustCount(t, two, []float64{1}), 1, ""); !errors.As(err, &o) {
		t.Errorf("no bins: %v", err)
	}
	if _, err := NewConditional(two, mustCount(t, Bins{{10, 1}, {21, 1}}, []float64{1, 2}), 1, ""); !errors.As(err, &o) {
		t.Errorf("counted by other bins: %v", err)
	}
	for _, b := range []Bins{{}, {{0, 1}}, {{math.NaN(), 1}}, {{5, 0}}, {{5, 1}, {5, 1}}, {{5, 1}, {4, 1}}, {{math.Inf(1), 1}}, {{5, model.MaxEstimateJobs}, {6, 1}}, make(Bins, model.MaxEstimateBins+1)} {
		if err := b.Validate(); !errors.As(err, &o) {
			t.Errorf("bins %.40v: %v", fmt.Sprint(b), err)
		}
	}
}
