package reshape

import (
	"math"
	"slices"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/workload"
)

// sampled returns the jobs of a sample.
func sampled(t *testing.T, jobs []workload.Job, o SampleOptions) []workload.Job {
	t.Helper()
	s, err := Sample(t.Context(), opening("", jobs), o)
	if err != nil {
		t.Fatal(err)
	}
	return jobtest.Collect(t, s.Jobs)
}

func TestSampleFraction(t *testing.T) {
	const n = 100000
	jobs := numbered(n, 7)
	z := readReference[reference](t, "reshape.json").Normal
	ids := func(seed uint64, p float64) (out []int64) {
		for _, j := range sampled(t, jobs, SampleOptions{Fraction: p, Seed: seed}) {
			if !same(j, jobs[j.ID]) {
				t.Fatalf("got %+v, want %+v", j, jobs[j.ID])
			}
			out = append(out, j.ID)
		}
		return out
	}
	for _, p := range []float64{0.01, 0.3, 0.9} {
		got := ids(1, p)
		// The bounds of the binomial distribution at a false-alarm rate of 1e-7.
		if off := float64(len(got)) - n*p; math.Abs(off) > z*math.Sqrt(n*p*(1-p))+1 || !slices.IsSorted(got) {
			t.Errorf("fraction %g: %d of %d jobs, or out of order", p, len(got), n)
		}
		if !slices.Equal(got, ids(1, p)) || slices.Equal(got, ids(2, p)) {
			t.Errorf("fraction %g: the same seed gives another sample, or another seed the same", p)
		}
	}
}

// Each of the six pairs out of four jobs is equally likely.
func TestSampleJobsDrawsEveryChoiceAlike(t *testing.T) {
	const draws = 6000
	counts := map[[2]int64]int{}
	for seed := range uint64(draws) {
		got := sampled(t, numbered(4, 1), SampleOptions{Jobs: 2, Seed: seed})
		if len(got) != 2 || got[0].ID >= got[1].ID {
			t.Fatalf("got jobs %v, want two in order", got)
		}
		counts[[2]int64{got[0].ID, got[1].ID}]++
	}
	chi := 0.0
	for _, n := range counts {
		chi += math.Pow(float64(n)-draws/6, 2) / (draws / 6)
	}
	if len(counts) != 6 || chi > readReference[reference](t, "reshape.json").ChiSquare["5"] {
		t.Errorf("chi-square %g of %v", chi, counts)
	}
}

func TestSampleTakesWholeUsers(t *testing.T) {
	jobs := numbered(30000, 1000)
	jobs[0].User = workload.Unknown
	z := readReference[reference](t, "reshape.json").Normal
	for _, o := range []SampleOptions{{Fraction: 0.2, By: "user", Seed: 1}, {Jobs: 6000, By: "user", Seed: 1}} {
		per := map[int64]int{}
		for _, j := range sampled(t, jobs, o) {
			per[j.User]++
		}
		for user, n := range per {
			if n != 30 && !(user == 0 && n == 29) {
				t.Errorf("user %d has %d jobs", user, n)
			}
		}
		if off := float64(len(per)) - 200; math.Abs(off) > z*math.Sqrt(1000*0.2*0.8) {
			t.Errorf("%d users, want about 200", len(per))
		}
	}
	// Users of 10, 20 and 100 jobs, in every order. 10 then 20 gives 30, nearer to 25 than 10 is;
	// 20 then 10 gives 30, as near as 20; 10 then 100 stays at 10, 20 then 100 at 20; 100 first
	// gives 100.
	few := numbered(130, 1)
	for i := range few {
		few[i].User = int64(min(i/10, 1) + min(i/30, 1))
	}
	seen := map[int]bool{}
	for seed := range uint64(60) {
		seen[len(sampled(t, few, SampleOptions{Jobs: 25, By: "user", Seed: seed}))] = true
	}
	if len(seen) != 4 || !seen[30] || !seen[10] || !seen[20] || !seen[100] {
		t.Errorf("got samples of %v jobs, want 10, 20, 30 and 100", seen)
	}
}
