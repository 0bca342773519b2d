package model

import "github.com/loadstone-hpc/loadstone/dist"

// Lublin is a class in the forms of Lublin and Feitelson (2003), the forms that
// are fitted to a log.
type Lublin struct {
	Sizes    RoundedSizes
	Log2     dist.TwoStageUniform // of Sizes
	RunTimes LnRunTimes
	Gaps     LnGaps
	Cycle    dist.Gamma
}

// Lublin returns the parts of the class that have the paper's forms; other
// parts are zero.
func (c Class) Lublin() (l Lublin) {
	l.Sizes, _ = c.Sizes.(RoundedSizes)
	l.Log2, _ = l.Sizes.Log2.(dist.TwoStageUniform)
	l.RunTimes, _ = c.RunTimes.(LnRunTimes)
	l.Gaps, _ = c.Arrivals.Gaps.(LnGaps)
	cycle, _ := c.Arrivals.Cycle.(GammaCycle)
	l.Cycle = dist.Gamma(cycle)
	return l
}

// Put replaces the parts of the class by those of l that are not zero.
func (c *Class) Put(l Lublin) {
	if l.Log2 != (dist.TwoStageUniform{}) {
		l.Sizes.Log2 = l.Log2
		c.Sizes = l.Sizes
	}
	if l.RunTimes != (LnRunTimes{}) {
		c.RunTimes = l.RunTimes
	}
	if l.Gaps != (LnGaps{}) {
		c.Arrivals.Gaps = l.Gaps
	}
	if l.Cycle != (dist.Gamma{}) {
		c.Arrivals.Cycle = GammaCycle(l.Cycle)
	}
}
