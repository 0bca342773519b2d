package model

import "github.com/loadstone-hpc/loadstone/dist"

// Work is the law of the total work of jobs, size times run time, in processor
// seconds. Lublin and Feitelson (2003), section 5.3. It is an optional part of
// a class: rigid jobs follow from Sizes and RunTimes alone; a law of the work
// is for jobs whose size is chosen later, with a model of their speedup.
type Work struct {
	Law   dist.HyperGamma // of ln of the work
	MaxLn float64         // the largest ln work; above 0, at most MaxLnWork
}

// MaxLnWork is the largest MaxLn of a law of work: MaxLnLimit for the run time
// and ln of MaxProcessors.
const MaxLnWork = 47

func (w *Work) visit(f *form) {
	lawOfLn(f, "law", &w.Law, &w.MaxLn, MaxLnWork)
	f.check(func() error { return enough(f.at("law.max_ln"), w.MaxLn, w.Law.CDF(w.MaxLn)) })
}
