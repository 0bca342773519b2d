package stats

import (
	"fmt"
	"math/rand/v2"
	"sort"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/internal/par"
)

// Subsamples says how random subsamples are tested.
type Subsamples struct {
	Size    int     // values in each, at least 1; all of a smaller sample
	Samples int     // how many are drawn, at least 1
	Level   float64 // a subsample passes if its p-value is at least this, in (0, 1)
	Seed    uint64  // with a subsample's number, gives its random source
	Workers int     // goroutines; all cores for 0; does not change the result
}

// SubsampleKS is how many random subsamples pass the Kolmogorov-Smirnov test.
type SubsampleKS struct {
	Subsamples
	Law    dist.Law
	N      float64 // the size of the whole sample
	Passed float64 // the share of subsamples that pass, in [0, 1]
}

// KolmogorovSmirnovSubsamples tests random subsamples, drawn without
// replacement, of distinct ascending values with counts against law. A large
// sample fails any exact test, as no law is exactly true; Lublin and
// Feitelson (2003) therefore also test subsamples of 500 to 1000 jobs, at the
// level 0.05. It is an error if the data cannot be tested or an option is out
// of range.
func KolmogorovSmirnovSubsamples(values, counts []float64, law dist.Law, s Subsamples) (SubsampleKS, error) {
	if s.Size < 1 || s.Samples < 1 || !(s.Level > 0 && s.Level < 1) {
		return SubsampleKS{}, fmt.Errorf("stats: %d subsamples of %d values at level %g, want at least 1 of each and a level between 0 and 1", s.Samples, s.Size, s.Level)
	}
	whole, err := KolmogorovSmirnov(values, counts, law)
	if err != nil {
		return SubsampleKS{}, err
	}
	upTo := NewECDF(values, counts).upTo
	size := min(s.Size, int(whole.N))
	passed := make([]bool, s.Samples)
	par.Each(s.Workers, s.Samples, func(i int) {
		rng := rand.New(rand.NewPCG(s.Seed, uint64(i)))
		sample := make([]float64, 0, size)
		for _, rank := range choose(rng, int(whole.N), size) {
			sample = append(sample, values[sort.Search(len(upTo), func(j int) bool { return upTo[j] > float64(rank) })])
		}
		v, c := Distinct(sample)
		ks, err := KolmogorovSmirnov(v, c, law)
		passed[i] = err == nil && ks.PValue >= s.Level // the law's CDF is a number: whole has no error
	})
	n := 0
	for _, p := range passed {
		if p {
			n++
		}
	}
	return SubsampleKS{Subsamples: s, Law: law, N: whole.N, Passed: float64(n) / float64(s.Samples)}, nil
}

// choose draws k different numbers from 0 to n-1, k <= n, by Floyd's method.
func choose(rng *rand.Rand, n, k int) []int {
	taken := make(map[int]bool, k)
	out := make([]int, 0, k)
	for i := n - k; i < n; i++ {
		x := rng.IntN(i + 1)
		if taken[x] {
			x = i
		}
		taken[x] = true
		out = append(out, x)
	}
	return out
}
