package model

import (
	"math"

	"github.com/loadstone-hpc/loadstone/dist"
)

// Work is the law of the total work of jobs, size times run time, in processor
// seconds. Lublin and Feitelson (2003), section 5.3. It is an optional part of
// a class, zero where there is none: rigid jobs are made of Sizes and RunTimes
// alone, and a law of the work is for jobs whose size is chosen later, with a
// model of their speedup.
type Work struct {
	Law   dist.HyperGamma // of ln of the work
	MaxLn float64         // the largest ln work; above 0, at most MaxLnWork
}

// MaxLnWork is the largest MaxLn of a law of work: MaxLnLimit for the run time
// and ln of MaxProcessors.
const MaxLnWork = 47

// Known says whether there is a law.
func (w Work) Known() bool { return w != Work{} }

func (w Work) validate(path string) error {
	if !w.Known() {
		return nil
	}
	if err := law(path+".law", w.Law); err != nil {
		return err
	}
	if err := within(path+".law.max_ln", w.MaxLn, math.SmallestNonzeroFloat64, MaxLnWork); err != nil {
		return err
	}
	return enough(path+".law.max_ln", w.MaxLn, w.Law.CDF(w.MaxLn))
}
