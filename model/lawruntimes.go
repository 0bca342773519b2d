package model

import (
	"math"
	"math/rand/v2"
)

// LawRunTimes implements RunTimes by one law of seconds for all sizes.
type LawRunTimes struct {
	First      Law     `opt:"first" required:"true"`
	MaxSeconds float64 `opt:"max_s" in:"(0,1.0686474581524463e13]"` // where First is cut; 0 for no limit
}

func (r *LawRunTimes) check(int64) error { return checkCut("max_s", r.First.Law, r.MaxSeconds) }

// Mean implements RunTimes.
func (r *LawRunTimes) Mean(most float64) func(size int64) float64 {
	mass, sum := moment(r.First.Law, r.MaxSeconds, most)
	return func(int64) float64 { return sum / mass }
}

// Quantiles implements RunTimes.
func (r *LawRunTimes) Quantiles() func(size int64, u float64) float64 {
	limit := orInf(r.MaxSeconds)
	mass := r.First.CDF(limit)
	return func(_ int64, u float64) float64 { return min(limit, r.First.Quantile(u*mass)) }
}

// Draw implements RunTimes.
func (r *LawRunTimes) Draw(rng *rand.Rand, _ int64) float64 {
	return DrawBelow(r.First.Law, r.MaxSeconds, rng)
}

// orInf returns the value at which a law of seconds is cut, +Inf for a cut of 0.
func orInf(cut float64) float64 {
	if cut == 0 {
		return math.Inf(1)
	}
	return cut
}
