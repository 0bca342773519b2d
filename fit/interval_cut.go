package fit

import (
	"math"
	"math/rand/v2"

	"github.com/loadstone-hpc/loadstone/dist"
)

// cutLaw is a law given that its value is at most limit. It serves the tests
// of a fit with Options.Max; what a report holds is the law before the cut.
type cutLaw struct {
	dist.Law
	limit float64
}

func (c cutLaw) LogPDF(x float64) float64 {
	if x > c.limit {
		return math.Inf(-1)
	}
	return c.Law.LogPDF(x) - math.Log(c.Law.CDF(c.limit))
}

func (c cutLaw) CDF(x float64) float64 {
	if x >= c.limit {
		return 1
	}
	return min(1, c.Law.CDF(x)/c.Law.CDF(c.limit))
}

func (c cutLaw) Survival(x float64) float64 {
	if x >= c.limit {
		return 0
	}
	return max(0, (c.Law.Survival(x)-c.Law.Survival(c.limit))/c.Law.CDF(c.limit))
}

func (c cutLaw) Quantile(p float64) float64 {
	return min(c.limit, c.Law.Quantile(p*c.Law.CDF(c.limit)))
}

// Rand draws until a value is not above the limit; after 64 times it turns to
// the quantile function.
func (c cutLaw) Rand(rng *rand.Rand) float64 {
	for range 64 {
		if x := c.Law.Rand(rng); x <= c.limit {
			return x
		}
	}
	return c.Quantile(rng.Float64())
}

// uncut returns the law before a cut.
func uncut(l dist.Law) dist.Law {
	if c, ok := l.(cutLaw); ok {
		return c.Law
	}
	return l
}
