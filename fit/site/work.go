package site

import (
	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/model"
)

// WorkReport is the fit of a class's total work, size times run time, in
// processor seconds. Lublin and Feitelson (2003), section 5.3 and table 3.
type WorkReport struct {
	Law         fit.Report `json:"fit"`           // of ln of the work
	MaxLn       float64    `json:"max_ln"`        // where the model cuts ln of the work
	MaxLnSource string     `json:"max_ln_source"` // where the limit comes from
}

// fitWork fits two Gammas to ln of the work. Where the jobs do not determine
// them the error is a *DegenerateError.
func fitWork(c fit.Class, o Options) (*model.Work, *WorkReport, error) {
	s := c.Sample(fit.Work)
	law, err := fit.Fit("hyper-gamma", fit.Work, s, fit.Options{By: c.Label(), Workers: o.Workers})
	if err != nil {
		return nil, nil, err
	}
	r := &WorkReport{Law: law, MaxLn: min(model.MaxLnWork, largestLn(s)), MaxLnSource: "the largest seen"}
	return &model.Work{Law: law.Law.(dist.HyperGamma), MaxLn: r.MaxLn}, r, nil
}
