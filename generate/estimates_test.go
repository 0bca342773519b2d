package generate

import (
	"crypto/sha256"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/longtest"
	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/workload"
)

// estimatesReference is testdata/estimates.json, by testdata/estimates.py: the authors' model
// with what its programs are told, of which cases without are compared.
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

// same compares numbers of which only rounding may differ.
func same(got, want []float64) bool {
	return slices.EqualFunc(got, want, func(g, w float64) bool { return math.Abs(g-w) <= 1e-12*math.Abs(w) })
}

// What is not left to chance is as the reference has it: times exactly, shares to rounding, and
// the counts of all bins exactly.
func TestTsafrirReference(t *testing.T) {
	compared := 0
	for _, c := range readEstimatesReference(t).Cases {
		if len(c.Given) > 0 || c.PowerLaw || distinctEstimates(c.Jobs) != c.Distinct {
			continue // a number that the program was told
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
			for _, b := range tsafrirBins(c.Jobs, c.Max, seed, "") {
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

// The ranks' law is the one that the reference enumerates. By hand: the second
// time draws twice from 3, 3, 4 and 6, and takes the smaller.
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
			if slices.Max(p) < 1-1e-12 { // else it is always the same
				checkCounts(t, fmt.Sprintf("%d times: rank of time %d", law.Times, row), counts[row], append([]float64{0}, p...), n)
			}
		}
	}
}

// assigned gives estimates as Tsafrir, Etsion and Feitelson (2005) do: from the longest job down,
// each takes one of the unused estimates that are not below its run time, all equally likely.
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

// logUniformRuns are run times from 1 s to most, whose logarithms are even.
func logUniformRuns(n int, most float64) []float64 {
	runs := make([]float64, n)
	for i := range runs {
		runs[i] = math.Floor(math.Exp(math.Log(most) * (float64(i) + 0.5) / float64(n) * 0.9))
	}
	return runs
}

// countRuns counts run times by the bins.
func countRuns(bins []bin, runs []float64) []float64 {
	rows, counts := timesOf(bins), make([]float64, len(bins))
	for _, r := range runs {
		if row, ok := rowOf(rows, r); ok {
			counts[row]++
		}
	}
	return counts
}

// shares are the probabilities of the estimates of a row of run times.
func (e *estimator) shares(row int) []float64 {
	const n = 1 << 16
	p := make([]float64, len(e.times))
	for i := range n {
		p[e.pick(row, (float64(i)+0.5)/n)] += 1. / n
	}
	return p
}

// By hand: bins 10, 20, 20, 30 and runs 25, 15, 5, 5: a quarter of the jobs
// takes the only 30, a quarter half of the 20s, and the others the 10 and what
// is left of the 20s, as much. Bins 10, 20, 30, 30 and runs 30, 1, 1, 1: half of the 30s
// go, and the rest is alike. With the maximum alone there is none for two runs of it.
func TestConditionalByHand(t *testing.T) {
	for _, c := range []struct {
		bins []bin
		runs []float64
		want [][]float64
	}{
		{[]bin{{10, 1, 0}, {20, 2, 0}, {30, 1, 0}}, []float64{25, 15, 5, 5}, [][]float64{{0.5, 0.5, 0}, {0, 1, 0}, {0, 0, 1}}},
		{[]bin{{10, 1, 0}, {20, 1, 0}, {30, 2, 0}}, []float64{30, 1, 1, 1}, [][]float64{{1. / 3, 1. / 3, 1. / 3}, {0, 0.5, 0.5}, {0, 0, 1}}},
	} {
		got, err := newConditional(c.bins, countRuns(c.bins, c.runs), 1, "")
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range c.want {
			if p := got.shares(i); !slices.EqualFunc(p, want, func(a, b float64) bool { return math.Abs(a-b) < 1e-4 }) {
				t.Errorf("%v for %v: row %d is %v, want %v", c.bins, c.runs, i, p, want)
			}
		}
		// A run time that is exactly an estimate can have it; one just above cannot.
		for run, want := range map[float64]int{0: 0, 10: 0, math.Nextafter(10, 11): 1, 30: 2, 1e300: 2} {
			if row, ok := rowOf(got.rows, run); row != want || !ok {
				t.Errorf("a run of %g s is in row %d, want %d", run, row, want)
			}
		}
		if e := got.draw(newDrawer(), 1, math.NaN()); !math.IsNaN(e) {
			t.Errorf("an unknown run time: %g", e)
		}
	}
	bins := []bin{{10, 2, 0}, {30, 2, 0}}
	if _, err := newConditional(bins, countRuns(bins, []float64{30, 30, 30, 1}), 1, "x"); err == nil || !strings.Contains(err.Error(), "30, but 75 % of the jobs of class x run longer than 10 s, and 50 %") {
		t.Errorf("three of four runs above 10 s: %v", err)
	}
}

// The conditional law is what the assignment tends to: of the estimates that
// it gives to the jobs of one range, as many have each as the law says (within
// the noise of independent draws, which is larger). And with the law the bins
// come out.
func TestConditionalAgainstAssignment(t *testing.T) {
	const n = 200_000
	bins, runs := tsafrirBins(800, 18*hour, 1, ""), logUniformRuns(n, 18*hour) // of few different estimates
	for i := range bins {
		bins[i].jobs *= n / 800
	}
	counts := countRuns(bins, runs)
	law, err := newConditional(bins, counts, 1, "")
	if err != nil {
		t.Fatal(err)
	}
	drawn := make([]float64, n)
	for i, r := range runs {
		drawn[i] = law.draw(newDrawer(), int64(i), r)
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
			checkCounts(t, fmt.Sprintf("%s: runs up to %g s", name, b.time), cells[i], law.shares(i), int(counts[i]))
		}
		checkCounts(t, name+": all", all, p, n)
	}
}

// twoEstimates is a log of two estimates, 100 s and 1000 s.
func twoEstimates() *model.Estimates {
	return &model.Estimates{Kind: model.LogEstimates, LeftOut: 1, Overrun: 3, Bins: []model.LogEstimate{
		{Time: 100, Jobs: 20, Accuracy: [model.AccuracyCells]int64{10: 10, 15: 5, 29: 5}},
		{Time: 1000, Jobs: 80, Accuracy: [model.AccuracyCells]int64{10: 40, 20: 40}},
	}}
}

// By hand: of the 100 s estimates, 10 jobs from 2.5 to 5 s, 5 from 25 to 30 s
// and 5 from 95 to 100 s; of the 1000 s ones, 40 from 25 to 50 s and 40 from 500
// to 550 s.
func TestLogLaw(t *testing.T) {
	law := newLogLaw(twoEstimates(), 1, "")
	for _, c := range []struct{ run, want float64 }{ // the share of 100 s
		{2, 0.2}, // 1.83 to 2 s: nobody, so the jobs
		{3, 1},
		{27.5, 1 / 2.6}, // 26.9 to 29.3 s: 1 job a second, and 1.6
		{40, 0},
		{60, 0.2}, // 58.7 to 64 s: nobody
		{100, 1},  // 98.7 to 100 s
		{101, 0}, {1000, 0},
	} {
		row, _ := rowOf(law.rows, c.run)
		if got := law.shares(row); math.Abs(got[0]-c.want) > 1e-4 || math.Abs(got[0]+got[1]-1) > 1e-9 {
			t.Errorf("a run of %g s: %v, want %v", c.run, got, c.want)
		}
	}
}

// asked are what jobs ran for and asked for, and the text of all else.
type asked struct {
	runs, requested []float64
	rest            string
	cut             int64
}

func jobsAsked(t testing.TB, w *Workload) (a asked) {
	t.Helper()
	var made Made
	rest := sha256.New()
	for j, err := range workload.Jobs(w.Counted(&made)) {
		if err != nil {
			t.Fatal(err)
		}
		a.runs, a.requested = append(a.runs, j.Run), append(a.requested, j.Time)
		fmt.Fprintln(rest, j.ID, j.Submit, j.Size, j.User, j.Queue, j.Think)
	}
	a.rest, a.cut = fmt.Sprintf("%x", rest.Sum(nil)), made.Cut
	return a
}

func withEstimates(t testing.TB, name string, e *model.Estimates) model.Site {
	s := site(t, name)
	s.Classes = slices.Clone(s.Classes)
	for i := range s.Classes {
		s.Classes[i].Estimates = e
	}
	return s
}

// Estimates change nothing but the requested times, and run times above the
// largest of Tsafrir's. They are the same on any number of cores, and in order:
// never below the run time.
func TestWorkloadEstimates(t *testing.T) {
	const n = workload.DefaultBatchRows + 99
	log := twoEstimates()
	for name, tt := range map[string]struct {
		model string
		e     *model.Estimates
		o     Options
		most  float64
	}{
		"tsafrir": {model.Lublin1999Untyped, nil, Options{Estimates: EstimatesTsafrir, MaxEstimate: 64800}, 64800},
		"classes": {model.Lublin1999, &model.Estimates{Kind: "tsafrir", Max: 86400}, Options{Estimates: EstimatesTsafrir}, 86400},
		"days":    {model.Lublin1999Untyped, nil, Options{Days: 30, Estimates: EstimatesTsafrir, MaxEstimate: 64800}, 64800},
		"log":     {model.Lublin1999, log, Options{}, math.Inf(1)},
		"log, on": {model.Lublin1999Untyped, log, Options{Estimates: EstimatesOfModel}, math.Inf(1)},
	} {
		s := withEstimates(t, tt.model, tt.e)
		tt.o.Seed, tt.o.Workers = 3, 2
		if tt.o.Days == 0 {
			tt.o.Jobs = n
		}
		got := jobsAsked(t, build(t, s, tt.o))
		one := tt.o
		one.Workers = 1
		if other := jobsAsked(t, build(t, s, one)); !slices.Equal(got.requested, other.requested) || !slices.Equal(got.runs, other.runs) || got.cut != other.cut {
			t.Errorf("%s: one worker gives other jobs", name)
		}
		one.Estimates, one.MaxEstimate = EstimatesNone, 0
		none := jobsAsked(t, build(t, s, one))
		if got.rest != none.rest {
			t.Errorf("%s: estimates change more than requested times", name)
		}
		cut := int64(0)
		top := 1000.0 // of the log's
		for i, r := range got.requested {
			want := got.runs[i]
			if tt.e == log {
				want = min(want, top)
			}
			if !(r >= want) {
				t.Fatalf("%s: job %d runs %g s and asked for %g", name, i+1, got.runs[i], r)
			}
			if r > tt.most || got.runs[i] > tt.most {
				t.Fatalf("%s: job %d asked for %g s, ran %g", name, i+1, r, got.runs[i])
			}
			if !math.IsNaN(none.requested[i]) {
				t.Fatalf("%s: estimates none, and %g s", name, none.requested[i])
			}
			if got.runs[i] != min(none.runs[i], tt.most) {
				t.Fatalf("%s: job %d runs %g s, without estimates %g", name, i+1, got.runs[i], none.runs[i])
			}
			if none.runs[i] > tt.most {
				cut++
			}
		}
		if cut != got.cut {
			t.Errorf("%s: %d run times cut, %d said", name, cut, got.cut)
		}
		if !math.IsInf(tt.most, 1) && got.cut == 0 {
			t.Errorf("%s: no run time is cut: the rule is not tested", name)
		}
	}
}

// The estimates of the jobs are as many as the model of 2005 draws for them:
// each estimate's share is the bins', by chi-square.
func TestWorkloadHasTsafrirsBins(t *testing.T) {
	const n = 60_000
	w := build(t, site(t, model.Lublin1999Untyped), Options{Jobs: n, Seed: 4, Estimates: EstimatesTsafrir, MaxEstimate: 64800})
	bins := tsafrirBins(n, 64800, 4, w.Site.Classes[0].Name)
	p := make([]float64, len(bins))
	for i, b := range bins {
		p[i] = float64(b.jobs) / n
	}
	counts := map[int64]int{}
	for _, r := range jobsAsked(t, w).requested {
		at, ok := slices.BinarySearch(timesOf(bins), r)
		if !ok {
			t.Fatalf("an estimate of %g s", r)
		}
		counts[int64(at)]++
	}
	checkCounts(t, "estimates", counts, p, n)
	if h := fmt.Sprint(w.Header.All("MaxRuntime")); h != "[64800]" {
		t.Errorf("MaxRuntime %s", h)
	}
}
