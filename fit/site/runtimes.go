package site

import (
	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/stats"
)

// RunTimesReport is the fit of a class's run times.
type RunTimesReport struct {
	Law    fit.Report  `json:"fit"` // of ln of the run time, over all sizes
	Groups []SizeGroup `json:"groups"`
	Form   string      `json:"p_form"`  // the form of Shares that the model has
	Shares []ShareFit  `json:"p_forms"` // the forms of p(size), see ShareFit
}

// runTimes fits the run times: two Gammas of ln of the run time over all jobs, then the share of
// the first as a linear function of the size. Lublin and Feitelson (2003), sections 5 and 6.
func (f *fitter) runTimes(c fit.Class, all *ClassReport) (*model.GammaRunTimes, error) {
	m := new(model.GammaRunTimes)
	r := &all.RunTimes
	s := c.Sample(fit.RunTime)
	var err error
	if r.Law, err = f.law("hyper-gamma", fit.RunTime, s, c.Label()); err != nil {
		return m, err
	}
	m.Law = model.LnHyperGamma{HyperGamma: r.Law.Law.(dist.HyperGamma), MaxLn: maxLn(s)}
	runs := newSizedRuns(c.Collector, m.Law.HyperGamma)
	r.Groups = runs.groups()
	if f.whole != nil {
		r.Form = f.whole.RunTimes.Form
		m.Line = runs.form(r.Form, r.Groups).line()
		return m, nil
	}
	r.Shares = runs.shares(r.Groups)
	if len(r.Groups) < 2 {
		all.warn("the jobs have no two sizes: p does not depend on the size")
	}
	chosen, why := chooseShare(r.Shares, f.o.PForm, runs.total)
	if why != "" {
		all.warn("p(size): %s", why)
	}
	r.Form, m.Line = chosen.Form, chosen.line()
	return m, nil
}

// group is a run of neighbouring distinct values, from <= i < to.
type group struct{ from, to int }

// equalGroups splits distinct values with counts into at most n groups of about equal counts,
// without splitting a value (see stats.EqualGroups). A greedy split can be much less even: with
// one, the slope of p(size) of the KTH log is only a quarter as large.
func equalGroups(counts []float64, n int) []group {
	var groups []group
	from := 0
	for _, to := range stats.EqualGroups(counts, n) {
		groups = append(groups, group{from, to})
		from = to
	}
	return groups
}
