package model

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/longtest"
)

// falseAlarm is the probability that a check of a correct program fails.
const falseAlarm = 1e-7

// estimatesReference is testdata/estimates.json, made by testdata/estimates.py: the authors'
// model and the parameters passed to its programs. Cases without parameters are compared.
type estimatesReference struct {
	Cases []struct {
		Jobs        int64
		Max         float64 `json:"max_s"`
		Given       []any
		PowerLaw    bool      `json:"power_law"`
		Distinct    int       `json:"distinct"`
		Head        []float64 `json:"head_s"`
		HeadPercent []float64 `json:"head_percent"`
		Tail        []float64 `json:"tail_s"`
		TailPercent []float64 `json:"tail_percent"`
		Counts      []int64
	}
	RankLaws []struct {
		Times int
		Fixed []int
		Law   [][]float64
	} `json:"rank_laws"`
}

func readEstimatesReference(t *testing.T) estimatesReference {
	return longtest.ReadJSON[estimatesReference](t, "testdata/estimates.json")
}

// same reports whether the numbers are equal up to rounding.
func same(got, want []float64) bool {
	return slices.EqualFunc(got, want, func(g, w float64) bool { return math.Abs(g-w) <= 1e-12*math.Abs(w) })
}

// The deterministic parts agree with the reference: times and the counts of all bins exactly,
// shares up to rounding.
func TestTsafrirReference(t *testing.T) {
	compared := 0
	for _, c := range readEstimatesReference(t).Cases {
		if len(c.Given) > 0 || c.PowerLaw || distinctEstimates(c.Jobs) != c.Distinct {
			continue // passed to the program
		}
		compared++
		name := fmt.Sprintf("%d jobs, %g s", c.Jobs, c.Max)
		head := headTimes(c.Max)
		if !slices.Equal(head, c.Head) || !same(headPercents(len(head)), c.HeadPercent) {
			t.Errorf("%s: head %v, want %v", name, head, c.Head)
		}
		tail := tailTimes(head, c.Max, c.Distinct)
		if !slices.Equal(tail, c.Tail) || !same(tailPercents(len(tail)), c.TailPercent) {
			t.Errorf("%s: tail %v, want %v", name, tail, c.Tail)
		}
		for seed := range uint64(5) {
			var counts []int64
			sum := int64(0)
			for _, b := range tsafrirBins(c.Jobs, c.Max, rand.New(rand.NewPCG(seed, 0))) {
				if !slices.Contains(c.Head, b.time) && !slices.Contains(c.Tail, b.time) {
					t.Errorf("%s: %g s is neither of the head nor of the tail", name, b.time)
				}
				counts, sum = append(counts, b.jobs), sum+b.jobs
			}
			slices.SortFunc(counts, func(a, b int64) int { return int(b - a) })
			if sum != c.Jobs || !slices.Equal(counts, c.Counts) {
				t.Errorf("%s: %d jobs, %v, want %v", name, sum, counts, c.Counts)
			}
		}
	}
	if compared < 5 {
		t.Errorf("%d cases compared", compared)
	}
}

// The distribution of ranks is the one that the reference enumerates. By hand: the second time
// draws twice from 3, 3, 4 and 6, and takes the smaller number.
func TestTsafrirRanks(t *testing.T) {
	const n = 20_000
	laws := readEstimatesReference(t).RankLaws
	if got := laws[0].Law[1][:6]; !slices.Equal(got, []float64{0, 0, 3. / 4, 3. / 16, 0, 1. / 16}) {
		t.Fatalf("the reference has %v", got)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for _, law := range laws {
		if slices.Max(law.Fixed) > 0 {
			continue
		}
		counts := make([]map[int64]int, law.Times)
		for i := range counts {
			counts[i] = map[int64]int{}
		}
		for range n {
			for row, rank := range drawRanks(law.Times, rng) {
				counts[row][int64(rank)]++
			}
		}
		for row, p := range law.Law {
			if slices.Max(p) < 1-1e-12 { // otherwise it is constant
				longtest.CheckCounts(t, fmt.Sprintf("%d times: rank of time %d", law.Times, row), counts[row], append([]float64{0}, p...), n, falseAlarm)
			}
		}
	}
}

// assigned assigns estimates as Tsafrir, Etsion and Feitelson (2005) do: from the longest job to
// the shortest, each takes one of the unused estimates that are not below its run time, all
// equally likely.
func assigned(bins []bin, runs []float64, rng *rand.Rand) []float64 {
	var free []float64 // descending
	for _, b := range slices.Backward(bins) {
		free = append(free, slices.Repeat([]float64{b.time}, int(b.jobs))...)
	}
	order := make([]int, len(runs))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return int(math.Copysign(1, runs[b]-runs[a])) })
	got, open := make([]float64, len(runs)), 0
	var unused []float64
	for _, i := range order {
		for ; open < len(free) && free[open] >= runs[i]; open++ {
			unused = append(unused, free[open])
		}
		k := rng.IntN(len(unused))
		got[i] = unused[k]
		unused[k] = unused[len(unused)-1]
		unused = unused[:len(unused)-1]
	}
	return got
}

// logUniformRuns returns n run times from 1 s to most whose logarithms are evenly spaced.
func logUniformRuns(n int, most float64) []float64 {
	runs := make([]float64, n)
	for i := range runs {
		runs[i] = math.Floor(math.Exp(math.Log(most) * (float64(i) + 0.5) / float64(n) * 0.9))
	}
	return runs
}

// countRuns returns the number of run times by bin.
func countRuns(bins []bin, runs []float64) []float64 {
	rows, counts := timesOf(bins), make([]float64, len(bins))
	for _, r := range runs {
		if row, ok := rowOf(rows, r); ok {
			counts[row]++
		}
	}
	return counts
}

// shares returns the probabilities of the estimates for a row of run times.
func (l *EstimateLaw) shares(row int) []float64 {
	const n = 1 << 16
	p := make([]float64, len(l.times))
	for i := range n {
		p[l.pick(row, (float64(i)+0.5)/n)] += 1. / n
	}
	return p
}

// By hand: with bins 10, 20, 20, 30 and run times 25, 15, 5, 5, a quarter of the jobs takes the
// only 30, a quarter takes half of the 20s, and the others take the 10 and the remaining 20, in
// equal shares. With bins 10, 20, 30, 30 and run times 30, 1, 1, 1, half of the 30s are taken,
// and the rest is shared equally. With the maximum as the only bin, none is left for two run
// times equal to it.
func TestConditionalByHand(t *testing.T) {
	for _, c := range []struct {
		bins []bin
		runs []float64
		want [][]float64
	}{
		{[]bin{{10, 1, 0}, {20, 2, 0}, {30, 1, 0}}, []float64{25, 15, 5, 5}, [][]float64{{0.5, 0.5, 0}, {0, 1, 0}, {0, 0, 1}}},
		{[]bin{{10, 1, 0}, {20, 1, 0}, {30, 2, 0}}, []float64{30, 1, 1, 1}, [][]float64{{1. / 3, 1. / 3, 1. / 3}, {0, 0.5, 0.5}, {0, 0, 1}}},
	} {
		got, err := newConditional(c.bins, countRuns(c.bins, c.runs))
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range c.want {
			if p := got.shares(i); !slices.EqualFunc(p, want, func(a, b float64) bool { return math.Abs(a-b) < 1e-4 }) {
				t.Errorf("%v for %v: row %d is %v, want %v", c.bins, c.runs, i, p, want)
			}
		}
		// A run time equal to an estimate can have it; one just above it cannot.
		for run, want := range map[float64]int{0: 0, 10: 0, math.Nextafter(10, 11): 1, 30: 2, 1e300: 2} {
			if row, ok := rowOf(got.rows, run); row != want || !ok {
				t.Errorf("a run of %g s is in row %d, want %d", run, row, want)
			}
		}
		if e := got.Draw(nil, math.NaN()); !math.IsNaN(e) {
			t.Errorf("an unknown run time: %g", e)
		}
	}
	bins := []bin{{10, 2, 0}, {30, 2, 0}}
	if _, err := newConditional(bins, countRuns(bins, []float64{30, 30, 30, 1})); err == nil || !strings.Contains(err.Error(), "30, but 75 % of the jobs run longer than 10 s, and 50 %") {
		t.Errorf("three of four runs above 10 s: %v", err)
	}
}

// The conditional distribution is the limit of the assignment: among the jobs of one range of run
// times, each estimate is assigned as often as the distribution predicts (within the noise of
// independent draws, which is larger). Drawing from it also reproduces the bins.
func TestConditionalAgainstAssignment(t *testing.T) {
	const n = 200_000
	bins, runs := tsafrirBins(800, 18*hour, rand.New(rand.NewPCG(1, 1))), logUniformRuns(n, 18*hour) // with few distinct estimates
	for i := range bins {
		bins[i].jobs *= n / 800
	}
	counts := countRuns(bins, runs)
	law, err := newConditional(bins, counts)
	if err != nil {
		t.Fatal(err)
	}
	drawn := make([]float64, n)
	rng := rand.New(rand.NewPCG(3, 4))
	for i, r := range runs {
		drawn[i] = law.Draw(rng, r)
	}
	for name, got := range map[string][]float64{"assigned": assigned(bins, runs, rand.New(rand.NewPCG(1, 2))), "drawn": drawn} {
		cells, all := make([]map[int64]int, len(bins)), map[int64]int{}
		for i := range cells {
			cells[i] = map[int64]int{}
		}
		for i, e := range got {
			if e < runs[i] {
				t.Fatalf("%s: %g s for a run of %g s", name, e, runs[i])
			}
			at, _ := slices.BinarySearch(law.times, e)
			row, _ := rowOf(law.rows, runs[i])
			cells[row][int64(at)]++
			all[int64(at)]++
		}
		p := make([]float64, len(bins))
		for i, b := range bins {
			p[i] = float64(b.jobs) / n
			longtest.CheckCounts(t, fmt.Sprintf("%s: runs up to %g s", name, b.time), cells[i], law.shares(i), int(counts[i]), falseAlarm)
		}
		longtest.CheckCounts(t, name+": all", all, p, n, falseAlarm)
	}
}

// Each estimate has the share of jobs that the model of 2005 gives its bin, by a chi-square test.
func TestTsafrirKeepsTheBins(t *testing.T) {
	const n, most = 60_000, 64800
	runTimes, sizes := preset(t, Lublin1999Untyped).Classes[0].RunTimes, rand.New(rand.NewPCG(4, 4))
	runs := make([]float64, n)
	for i := range runs {
		runs[i] = min(most, runTimes.Draw(sizes, 1))
	}
	law, err := (&TsafrirEstimates{Max: most}).Law(n, func(i int64) float64 { return runs[i] }, rand.New(rand.NewPCG(1, 1)))
	if err != nil {
		t.Fatal(err)
	}
	bins := tsafrirBins(n, most, rand.New(rand.NewPCG(1, 1)))
	p := make([]float64, len(bins))
	for i, b := range bins {
		p[i] = float64(b.jobs) / n
	}
	counts := map[int64]int{}
	rng := rand.New(rand.NewPCG(2, 2))
	for _, run := range runs {
		estimate := law.Draw(rng, run)
		at, ok := slices.BinarySearch(timesOf(bins), estimate)
		if !ok {
			t.Fatalf("an estimate of %g s", estimate)
		}
		counts[int64(at)]++
	}
	longtest.CheckCounts(t, "estimates", counts, p, n, falseAlarm)
}

// twoEstimates describes a log with two estimates, 100 s and 1000 s.
func twoEstimates() *LogEstimates {
	return &LogEstimates{Bins: []LogEstimate{
		{Time: 100, Accuracy: [AccuracyCells]int64{10: 10, 15: 5, 29: 5}},
		{Time: 1000, Accuracy: [AccuracyCells]int64{10: 40, 20: 40}},
	}}
}

// By hand: of the jobs with an estimate of 100 s, 10 run 2.5 to 5 s, 5 run 25 to 30 s and 5 run
// 95 to 100 s; of those with 1000 s, 40 run 25 to 50 s and 40 run 500 to 550 s.
func TestLogLaw(t *testing.T) {
	law, err := twoEstimates().Law(100, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ run, want float64 }{ // want: the share of the 100 s estimate
		{2, 0.2}, // 1.83 to 2 s has no job, so the shares of all jobs
		{3, 1},
		{27.5, 1 / 2.6}, // 26.9 to 29.3 s: 1 job per second, and 1.6
		{40, 0},
		{60, 0.2}, // 58.7 to 64 s: no job
		{100, 1},  // 98.7 to 100 s
		{101, 0}, {1000, 0},
	} {
		row, _ := rowOf(law.rows, c.run)
		if got := law.shares(row); math.Abs(got[0]-c.want) > 1e-4 || math.Abs(got[0]+got[1]-1) > 1e-9 {
			t.Errorf("a run of %g s: %v, want %v", c.run, got, c.want)
		}
	}
}
