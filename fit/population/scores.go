package population

import (
	"cmp"
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/model/population"
)

func normal(p float64) float64 { return math.Sqrt2 * math.Erfinv(2*p-1) }

// scores gives each value its normal score, that of the middle of its rank among
// equals.
func scores(x []float64) []float64 {
	order := make([]int32, len(x))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(a, b int32) int { return cmp.Compare(x[a], x[b]) })
	z := make([]float64, len(x))
	for lo := 0; lo < len(x); {
		hi := lo + 1
		for hi < len(x) && x[order[hi]] == x[order[lo]] {
			hi++
		}
		score := normal((float64(lo) + float64(hi)) / 2 / float64(len(x)))
		for _, i := range order[lo:hi] {
			z[i] = score
		}
		lo = hi
	}
	return z
}

// score sets the normal scores of jobs by a value, and returns the values.
func (c *Collector) score(of []int32, value func(j *job) float64, set func(j *job, score float64)) []float64 {
	x := make([]float64, len(of))
	for i, k := range of {
		x[i] = value(&c.jobs[k])
	}
	for i, z := range scores(x) {
		set(&c.jobs[of[i]], z)
	}
	return x
}

// where returns the numbers of the jobs that a condition holds of.
func (c *Collector) where(holds func(j *job) bool) (of []int32) {
	for i := range c.jobs {
		if holds(&c.jobs[i]) {
			of = append(of, int32(i))
		}
	}
	return of
}

func (c *Collector) all() []int32 { return c.where(func(*job) bool { return true }) }

// quantiles returns the law of values, which it sorts.
func quantiles(x []float64) population.Quantiles {
	slices.Sort(x)
	return population.NewQuantiles(x)
}
