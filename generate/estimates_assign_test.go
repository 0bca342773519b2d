package generate

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/workload"
)

// The assignment's law is that of the procedure, job by job, which the
// reference enumerates.
func TestAssignReference(t *testing.T) {
	const n = 20_000
	for _, r := range readEstimatesReference(t).Assignments {
		counts, p := map[int64]int{}, make([]float64, len(r.Law))
		for i, l := range r.Law {
			p[i] = l.P
		}
		for seed := range uint64(n) {
			got, err := Assign(r.Bins, r.Runs, seed, "")
			if err != nil {
				t.Fatal(err)
			}
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

// By hand: with estimates 10, 20, 20 and 30, the run of 25 takes the 30, that
// of 15 a 20, and the two of 5 share the 10 and the other 20.
func TestAssignByHand(t *testing.T) {
	bins := Bins{{10, 1}, {20, 2}, {30, 1}}
	seen := map[[2]float64]int{}
	for seed := range uint64(1000) {
		got, err := Assign(bins, []float64{5, 25, 5, 15}, seed, "")
		if err != nil {
			t.Fatal(err)
		}
		if got[1] != 30 || got[3] != 20 {
			t.Fatalf("estimates %v", got)
		}
		seen[[2]float64{got[0], got[2]}]++
	}
	if len(seen) != 2 {
		t.Errorf("the short jobs got %v", seen)
	}
	checkShare(t, "10 to the first", seen[[2]float64{10, 20}], 1000, 0.5)
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

// Every estimate is at least the run time and at most the maximum, every bin is
// used as often as it says, and it is one whether jobs come at once, or in
// batches of any size.
func TestAssign(t *testing.T) {
	const n = 50_000
	bins := drawnBins(t, TsafrirModel{Jobs: n, Max: 18 * hour})
	runs := logUniformRuns(n, 18*hour)
	whole, err := Assign(bins, runs, 5, "x")
	if err != nil {
		t.Fatal(err)
	}
	used := map[float64]int64{}
	for i, e := range whole {
		used[e]++
		if e < runs[i] || e > 18*hour {
			t.Fatalf("an estimate of %g s for a run of %g s", e, runs[i])
		}
	}
	for _, b := range bins {
		if used[b.Time] != b.Jobs {
			t.Errorf("%d jobs have %g s, want %d", used[b.Time], b.Time, b.Jobs)
		}
	}
	first, second := mustCount(t, bins, runs[:n/3]), mustCount(t, bins, runs[n/3:])
	if err := second.Merge(first); err != nil {
		t.Fatal(err)
	}
	a, err := NewAssignment(bins, second, 5, "x")
	if err != nil {
		t.Fatal(err)
	}
	for _, size := range []int{1, 999, n} {
		if got := inBatches(t, a.Start(), runs, size); !slices.Equal(got, whole) {
			t.Errorf("batches of %d: other estimates", size)
		}
	}
	if other, _ := Assign(bins, runs, 6, "x"); slices.Equal(other, whole) {
		t.Error("seeds 5 and 6 give the same estimates")
	}
	if other, _ := Assign(bins, runs, 5, "y"); slices.Equal(other, whole) {
		t.Error("classes x and y give the same estimates")
	}
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

func TestAssignDegenerate(t *testing.T) {
	// One job, any run time.
	one := drawnBins(t, TsafrirModel{Jobs: 1, Max: hour})
	for _, r := range []float64{0, 1, 3600, 1e8} {
		if got, err := Assign(one, []float64{r}, 1, ""); err != nil || got[0] != hour {
			t.Errorf("one job of %g s: %v, %v", r, got, err)
		}
	}
	// All run times above the maximum: they count as it, and only as many can
	// be as have it.
	bins := drawnBins(t, TsafrirModel{Jobs: 1000, Max: 2 * hour})
	long := slices.Repeat([]float64{1e6}, 1000)
	var e *LongRunsError
	if _, err := Assign(bins, long, 1, ""); !errors.As(err, &e) || e.Runs != 1 || e.Max != 2*hour || e.Longer != bins[len(bins)-2].Time {
		t.Errorf("all run times above the maximum: %v", err)
	}
	all := TsafrirModel{Jobs: 1000, Max: 2 * hour, Given: []Bin{{2 * hour, 1000}}}
	if got, err := Assign(drawnBins(t, all), long, 1, ""); err != nil || slices.Max(got) != 2*hour || slices.Min(got) != 2*hour {
		t.Errorf("all have the maximum: %v", err)
	}
	if c := mustCount(t, bins, long); c.Cut() != 1000 || bins.Cut(long) != 1000 || slices.Max(long) != 2*hour {
		t.Error("not all are cut")
	}
	// What is unknown has no estimate and takes none.
	two := Bins{{10, 1}, {20, 1}}
	got, err := Assign(two, []float64{math.NaN(), 15, math.Inf(1), -1, 5}, 1, "")
	if err != nil || got[1] != 20 || got[4] != 10 || !math.IsNaN(got[0]) || !math.IsNaN(got[2]) || !math.IsNaN(got[3]) {
		t.Errorf("unknown run times: %v, %v", got, err)
	}
	// Errors.
	var o *workload.OptionError
	if _, err := Assign(two, []float64{1}, 1, ""); !errors.As(err, &o) {
		t.Errorf("two estimates for one job: %v", err)
	}
	if _, err := Assign(two, []float64{math.NaN()}, 1, ""); !errors.As(err, &o) {
		t.Errorf("no run time: %v", err)
	}
	if _, err := Assign(nil, []float64{1}, 1, ""); !errors.As(err, &o) {
		t.Errorf("no bins: %v", err)
	}
	if _, err := NewAssignment(two, mustCount(t, Bins{{10, 1}, {21, 1}}, []float64{1, 2}), 1, ""); !errors.As(err, &o) {
		t.Errorf("counted by other bins: %v", err)
	}
	a, err := NewAssignment(two, mustCount(t, two, []float64{1, 15}), 1, "")
	if err != nil {
		t.Fatal(err)
	}
	if err := a.Start().Estimate(numbers(2), []float64{15, 15}, make([]float64, 2)); !errors.As(err, &o) {
		t.Errorf("other run times than counted: %v", err)
	}
	if err := a.Start().Estimate(nil, []float64{15}, nil); !errors.As(err, &o) {
		t.Errorf("columns of different lengths: %v", err)
	}
	for _, b := range []Bins{{}, {{0, 1}}, {{math.NaN(), 1}}, {{5, 0}}, {{5, 1}, {5, 1}}, {{5, 1}, {4, 1}}, {{math.Inf(1), 1}}, {{5, model.MaxEstimateJobs}, {6, 1}}, make(Bins, model.MaxEstimateBins+1)} {
		if err := b.Validate(); !errors.As(err, &o) {
			t.Errorf("bins %.40v: %v", fmt.Sprint(b), err)
		}
	}
}

// Counts of parts add up to the count of the whole.
func TestRunTimeCountsMerge(t *testing.T) {
	bins := Bins{{10, 1}, {20, 2}}
	c, other := mustCount(t, bins, []float64{5, 10, 11, math.NaN()}), mustCount(t, bins, []float64{0, 20, 21, 1e9, -1, math.Inf(1)})
	if err := c.Merge(other); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(c.counts, []int64{3, 4}) || c.Jobs() != 7 || c.Cut() != 2 || c.Unknown() != 3 {
		t.Errorf("%v, %d jobs, %d cut, %d unknown", c.counts, c.Jobs(), c.Cut(), c.Unknown())
	}
	var o *workload.OptionError
	if err := c.Merge(mustCount(t, Bins{{10, 1}}, nil)); !errors.As(err, &o) || c.Jobs() != 7 {
		t.Errorf("merged with a count by other bins: %v", err)
	}
	// An assignment has a largest number of jobs, a law has not.
	c.counts = []int64{MaxAssignedJobs, 1}
	large := Bins{{10, MaxAssignedJobs}, {20, 1}}
	if _, err := NewAssignment(large, c, 1, ""); !errors.As(err, &o) {
		t.Errorf("more jobs than an assignment can have: %v", err)
	}
	if _, err := NewConditional(large, c, 1, ""); err != nil {
		t.Error(err)
	}
}

// The k-th of what a tree counts is found and taken, whatever its length.
func TestTree(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for n := 1; n <= 40; n++ {
		tr, grown, plain := make(tree, n), make(tree, n), []int{}
		for i := range n {
			tr[i] = rng.Uint32N(4)
			grown.add(i, tr[i])
			plain = append(plain, slices.Repeat([]int{i}, int(tr[i]))...)
		}
		tr.build()
		if !slices.Equal(tr, grown) || tr.sum() != int64(len(plain)) {
			t.Fatalf("%d: built %v, grown %v, sum %d of %d", n, tr, grown, tr.sum(), len(plain))
		}
		for len(plain) > 0 {
			k := rng.IntN(len(plain))
			if got := tr.take(int64(k)); got != plain[k] {
				t.Fatalf("%d: the %d-th is %d, want %d", n, k, got, plain[k])
			}
			plain = slices.Delete(plain, k, k+1)
		}
	}
}
