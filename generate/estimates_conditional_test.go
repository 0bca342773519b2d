package generate

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/par"
	"github.com/loadstone-hpc/loadstone/workload"
)

// By hand: bins 10, 20, 20, 30 and runs 25, 15, 5, 5: a quarter of the jobs
// takes the only 30, a quarter half of the 20s, and the others the 10 and what
// is left of the 20s, as much. Bins 10, 20, 30, 30 and runs 30, 1, 1, 1: half of the 30s
// go, and the rest is alike.
func TestConditionalByHand(t *testing.T) {
	for _, c := range []struct {
		bins Bins
		runs []float64
		want [][]float64
	}{
		{Bins{{10, 1}, {20, 2}, {30, 1}}, []float64{25, 15, 5, 5}, [][]float64{{0.5, 0.5}, {1}, {1}}},
		{Bins{{10, 1}, {20, 1}, {30, 2}}, []float64{30, 1, 1, 1}, [][]float64{{1. / 3, 1. / 3, 1. / 3}, {0.5, 0.5}, {1}}},
	} {
		got, err := NewConditional(c.bins, mustCount(t, c.bins, c.runs), 1, "")
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range c.want {
			if p := got.law(i); !same(p, want) {
				t.Errorf("%v for %v: row %d is %v, want %v", c.bins, c.runs, i, p, want)
			}
		}
	}
}

// law returns the probabilities of the estimates of a row, from its own up to
// the last that it may have.
func (c *Conditional) law(row int) (p []float64) {
	for k := row; k < c.end[row]; k++ {
		next := 0.0
		if k+1 < c.end[row] {
			next = c.above[k+1]
		}
		p = append(p, (c.above[k]-next)/c.above[row])
	}
	return p
}

// The conditional law is what the assignment tends to: of the estimates that
// it gives to the jobs of one range, as many have each as the law says (within
// the noise of independent draws, which is larger). And with the law the bins
// come out.
func TestConditionalAgainstAssignment(t *testing.T) {
	const n = 200_000
	bins := drawnBins(t, TsafrirModel{Jobs: n, Max: 18 * hour, Distinct: 30})
	runs := logUniformRuns(n, 18*hour)
	counts := mustCount(t, bins, runs)
	law, err := NewConditional(bins, counts, 1, "")
	if err != nil {
		t.Fatal(err)
	}
	paper := assigned(bins, runs, rand.New(rand.NewPCG(1, 2)))
	for name, got := range map[string][]float64{"assigned": paper, "drawn": inBatches(t, law, runs, n)} {
		cells := make([]map[int64]int, len(bins))
		for i := range cells {
			cells[i] = map[int64]int{}
		}
		all := map[int64]int{}
		for i, e := range got {
			if e < runs[i] {
				t.Fatalf("%s: %g s for a run of %g s", name, e, runs[i])
			}
			at, _ := slices.BinarySearch(law.rows.edges, e)
			cells[law.rows.find(runs[i])][int64(at)]++
			all[int64(at)]++
		}
		for i, c := range cells[:len(bins)-1] {
			p := make([]float64, len(bins))
			copy(p[i:], law.law(i))
			checkCounts(t, name+": runs up to "+formatSeconds(bins[i].Time), c, p, int(counts.counts[i]))
		}
		p := make([]float64, len(bins))
		for i, b := range bins {
			p[i] = float64(b.Jobs) / n
		}
		checkCounts(t, name+": all", all, p, n)
	}
}

// Whoever asks for which jobs, in whatever order and on however many cores, a
// job's estimate is its own.
func TestEstimatesAnyOrder(t *testing.T) {
	const n, size = 20_000, 1000
	runs := logUniformRuns(n, 4*hour)
	bins := drawnBins(t, TsafrirModel{Jobs: n, Max: 4 * hour})
	law, err := NewConditional(bins, mustCount(t, bins, runs[:size]), 9, "batch")
	if err != nil {
		t.Fatal(err)
	}
	uniform, err := NewUniformEstimates(5, false, 9, "batch")
	if err != nil {
		t.Fatal(err)
	}
	for name, e := range map[string]Estimator{"conditional": law, "uniform": uniform} {
		want := inBatches(t, e, runs, n)
		got, jobs := make([]float64, n), numbers(n)
		par.Each(4, n/size, func(k int) {
			at := (n/size - 1 - k) * size
			if err := e.Estimate(jobs[at:at+size], runs[at:at+size], got[at:at+size]); err != nil {
				t.Error(err)
			}
		})
		if !slices.Equal(got, want) {
			t.Errorf("%s: in parts: other estimates", name)
		}
		jobs[0] = n
		if err := e.Estimate(jobs[:1], runs[:1], got[:1]); err != nil || got[0] == want[0] && got[0] != runs[0] && name == "uniform" {
			t.Errorf("%s: another number gives the same estimate, %v", name, err)
		}
	}
}

func TestConditionalErrors(t *testing.T) {
	bins := drawnBins(t, TsafrirModel{Jobs: 1000, Max: hour})
	var long *LongRunsError
	if _, err := NewConditional(bins, mustCount(t, bins, []float64{3600, 3600}), 1, ""); !errors.As(err, &long) {
		t.Errorf("all runs of the maximum: %v", err)
	}
	var o *workload.OptionError
	if _, err := NewConditional(bins, nil, 1, ""); !errors.As(err, &o) {
		t.Errorf("no count: %v", err)
	}
	law, err := NewConditional(bins, mustCount(t, bins, []float64{0}), 1, "")
	if err != nil {
		t.Fatal(err)
	}
	if err := law.Estimate(nil, []float64{1}, nil); !errors.As(err, &o) {
		t.Errorf("columns of different lengths: %v", err)
	}
	// What the count had none of has a law too.
	got := inBatches(t, law, []float64{3600, 3599, 1e9}, 3)
	for _, e := range got {
		if e != hour {
			t.Errorf("estimates %v, want 3600 each", got)
		}
	}
}
