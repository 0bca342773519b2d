package tails

import (
	"math"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/fit/internal/points"
	"github.com/loadstone-hpc/loadstone/internal/num"
	"github.com/loadstone-hpc/loadstone/internal/par"
)

// Cells is a sample of cells of ln x, or of exact values of it, and the cut of
// its law.
type Cells struct {
	points.Set
	limit   float64   // of ln x; +Inf for no cut
	width   []float64 // of each cell; 0 for an exact value
	jobs    float64
	workers int
}

// New returns a sample of ln x, which is Linear, under a law that is cut at
// limit, +Inf for no cut.
func New(lnX points.Set, limit float64, workers int) Cells {
	c := Cells{Set: lnX, limit: limit, jobs: lnX.Total(), workers: workers, width: make([]float64, lnX.Len())}
	if lnX.Cells == nil {
		return c
	}
	for i := range c.width {
		c.width[i] = c.Hi[i] - c.Lo[i]
		if half := c.HalfWidth(i); !math.IsInf(half, 1) {
			c.width[i] = 2 * half
		}
	}
	return c
}

// LogLikelihood returns that of x itself, -Inf where a cell has no probability.
func (c Cells) LogLikelihood(l dist.Weibull) float64 {
	return c.logLikelihood(weibullOfLn{l.Shape, math.Log(l.Scale)})
}

// chunk is how many cells one worker sums up at a time; it is part of the
// result's last digits.
const chunk = 8192

// logLikelihood is of x itself; -Inf where a cell has no probability.
func (c Cells) logLikelihood(l weibullOfLn) float64 {
	parts := make([]float64, (c.Len()+chunk-1)/chunk)
	par.Each(c.workers, len(parts), func(part int) {
		sum := 0.0
		for i := part * chunk; i < min((part+1)*chunk, c.Len()); i++ {
			if c.width[i] == 0 {
				sum += c.W[i] * (l.lnDensity(c.X[i]) - c.X[i])
			} else {
				sum += c.W[i] * l.lnMass(c.Lo[i], c.Hi[i], c.width[i])
			}
		}
		parts[part] = sum
	})
	var sum num.Sum
	for _, p := range parts {
		sum.Add(p)
	}
	if !math.IsInf(c.limit, 1) {
		sum.Add(-c.jobs * l.lnMass(math.Inf(-1), c.limit, math.Inf(1)))
	}
	if v := sum.Value(); !math.IsNaN(v) {
		return v
	}
	return math.Inf(-1)
}
