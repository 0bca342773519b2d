package site

import (
	"errors"
	"fmt"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/internal/par"
	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/stats"
)

// RunTimesReport is the fit of a class's run times.
type RunTimesReport struct {
	Law    fit.Report  `json:"fit"` // of ln of the run time, over all sizes
	Groups []SizeGroup `json:"groups"`
	// Form identifies the element of Shares that the model has, and
	// Slope, Intercept and RSquared are that element's.
	Form      string       `json:"p_form"`
	Slope     stats.Number `json:"p_slope"`
	Intercept stats.Number `json:"p_intercept"`
	RSquared  stats.Number `json:"r_squared"`
	Shares    []ShareFit   `json:"p_forms"` // the forms of p(size), see ShareFit
	MaxLn     float64      `json:"max_ln"`  // where the model cuts ln of the run time: the largest seen
}

// runTimes fits the run times: two Gammas of ln of the run time over all
// jobs, then the share of the first as a line of the size. Lublin and
// Feitelson (2003), sections 5 and 6.
func (f *fitter) runTimes(c fit.Class, all *ClassReport) (*model.GammaRunTimes, error) {
	m, err := new(model.GammaRunTimes), error(nil)
	r := &all.RunTimes
	s := c.Sample(fit.RunTime)
	if r.Law, err = f.law("hyper-gamma", fit.RunTime, s, c.Label()); err != nil {
		return m, err
	}
	m.Law = model.LnHyperGamma{HyperGamma: r.Law.Law.(dist.HyperGamma), MaxLn: maxLn(s, model.MaxLnLimit)}
	r.MaxLn = m.Law.MaxLn
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
	r.Form, r.Slope, r.Intercept, r.RSquared = chosen.Form, chosen.Slope, chosen.Intercept, chosen.RSquared
	m.Line = chosen.line()
	return m, nil
}

// WorkReport is the fit of a class's total work, size times run time, in
// processor seconds. Lublin and Feitelson (2003), section 5.3 and table 3.
type WorkReport struct {
	Law   fit.Report `json:"fit"`    // of ln of the work
	MaxLn float64    `json:"max_ln"` // where the model cuts ln of the work: the largest seen
}

// work fits two Gammas to ln of the work. Where the jobs do not determine
// them the error is a *fit.DegenerateError.
func (f *fitter) work(c fit.Class, r *ClassReport) (*model.Work, error) {
	s := c.Sample(fit.Work)
	law, err := f.law("hyper-gamma", fit.Work, s, c.Label())
	if err != nil {
		return nil, err
	}
	r.Work = &WorkReport{law, maxLn(s, model.MaxLnWork)}
	return &model.Work{Law: model.LnHyperGamma{HyperGamma: law.Law.(dist.HyperGamma), MaxLn: r.Work.MaxLn}}, nil
}

// SizeFit is the fit of the jobs in a range of sizes: two Gammas of ln of their
// run time and of ln of their total work. The paper's table 4 says run time,
// but its figures are of the work.
type SizeFit struct {
	fit.SizeRange
	Jobs         int64       `json:"jobs"` // of these sizes
	RunTime      *fit.Report `json:"run_time"`
	WhyNoRunTime string      `json:"why_no_run_time,omitempty"` // where RunTime is nil
	Work         *fit.Report `json:"work"`
	WhyNoWork    string      `json:"why_no_work,omitempty"` // where Work is nil
}

// bySize fits run times and work in each range of sizes.
func (f *fitter) bySize(c fit.Class) ([]SizeFit, error) {
	sizes, jobs := jobsBySize(c.Shapes())
	ranges := f.o.SizeRanges
	if ranges == nil {
		for _, g := range equalGroups(jobs, 3) {
			ranges = append(ranges, fit.SizeRange{From: int64(sizes[g.from]), To: int64(sizes[g.to-1])})
		}
	}
	fits := make([]SizeFit, len(ranges))
	errs := make([]error, 2*len(ranges))
	par.Each(f.o.Fit.Workers, 2*len(ranges), func(i int) {
		r, to := ranges[i/2], &fits[i/2]
		attribute, law, why := fit.RunTime, &to.RunTime, &to.WhyNoRunTime
		if i%2 == 1 {
			attribute, law, why = fit.Work, &to.Work, &to.WhyNoWork
		} else {
			to.SizeRange = r
			for k, size := range sizes {
				if r.Has(size) {
					to.Jobs += int64(jobs[k])
				}
			}
		}
		by := fmt.Sprintf("%s, size %d to %d", c.Label(), r.From, r.To)
		report, err := fit.Fit("hyper-gamma", attribute, c.SampleOfSizes(attribute, r), fit.Options{By: by, Workers: 1})
		switch {
		case err == nil:
			*law = &report
		case errors.As(err, new(*fit.DegenerateError)):
			*why = err.Error()
		default:
			errs[i] = err
		}
	})
	return fits, errors.Join(errs...)
}

// jobsBySize returns the sizes that occur, ascending, and the number of jobs of each.
func jobsBySize(shapes []fit.Shape) (sizes, jobs []float64) {
	for _, k := range shapes {
		if !(k.Size > 0) {
			continue
		}
		if len(sizes) == 0 || k.Size != sizes[len(sizes)-1] {
			sizes, jobs = append(sizes, k.Size), append(jobs, 0)
		}
		jobs[len(jobs)-1] += k.Jobs
	}
	return sizes, jobs
}

// group is a run of neighbouring distinct values, from <= i < to.
type group struct{ from, to int }

// equalGroups splits distinct values with counts into at most n groups of
// about equal counts, without splitting a value (see stats.EqualGroups). A
// greedy split can be far from it: with it the slope of p(size) of the KTH log
// is a quarter of this one's.
func equalGroups(counts []float64, n int) []group {
	var groups []group
	from := 0
	for _, to := range stats.EqualGroups(counts, n) {
		groups = append(groups, group{from, to})
		from = to
	}
	return groups
}
