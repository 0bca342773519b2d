package site

import (
	"fmt"
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/stats"
)

// RunTimesReport is the fit of a class's run times.
type RunTimesReport struct {
	Law    fit.Report  `json:"fit"` // of ln of the run time, over all sizes
	Groups []SizeGroup `json:"groups"`
	// Form and Estimator identify the element of Shares that the model has, and
	// Slope, Intercept and RSquared are that element's.
	Form      string       `json:"p_form"`
	Estimator string       `json:"p_estimator"`
	Slope     stats.Number `json:"p_slope"`
	Intercept stats.Number `json:"p_intercept"`
	RSquared  stats.Number `json:"r_squared"`
	// Shares are the forms of p(size) that the paper compares, the line first;
	// see ShareFit.
	Shares []ShareFit `json:"p_forms"`
	// Correlation is the correlation coefficient of size and run time over the
	// jobs that have both (section 6.1); NaN if one of them does not vary.
	Correlation stats.Number `json:"size_run_time_correlation"`
	MaxLn       float64      `json:"max_ln"`        // where the model cuts ln of the run time
	MaxLnSource string       `json:"max_ln_source"` // where the limit comes from
	Warnings    []string     `json:"warnings"`
}

// SizeGroup is the share of the first Gamma among the jobs in a range of sizes.
type SizeGroup struct {
	Smallest int64        `json:"smallest"`
	Largest  int64        `json:"largest"`
	Median   float64      `json:"median"` // size
	Jobs     int64        `json:"jobs" show:"jobs"`
	P        float64      `json:"p" show:"p,%.4f"`                        // by maximum likelihood
	D        stats.Number `json:"ks_d" show:"KS distance,%.4f"`           // of the group's run times with P
	PLeastD  float64      `json:"p_least_ks_d" show:"p of least KS,%.4f"` // the share with the least D
	LeastD   stats.Number `json:"least_ks_d" show:"least KS,%.4f"`        // of the group's run times with PLeastD
}

// sizeGroups is the number of groups of Lublin and Feitelson (2003), section
// 6.3.
const sizeGroups = 8

// fitRunTimes fits the run times: two Gammas of ln of the run time over all
// jobs, then the share of the first as a line of the size. Lublin and
// Feitelson (2003), sections 5 and 6.
func fitRunTimes(c fit.Class, o Options) (model.LnRunTimes, RunTimesReport, error) {
	s := c.Sample(fit.RunTime)
	law, err := fit.Fit("hyper-gamma", fit.RunTime, s, o.ofRunTimes(c.Label()))
	if err != nil {
		return model.LnRunTimes{}, RunTimesReport{}, err
	}
	r := RunTimesReport{Law: law, Correlation: stats.Number(sizeRunCorrelation(c.Shapes())), Warnings: []string{}}
	h := law.Law.(dist.HyperGamma)
	r.MaxLn, r.MaxLnSource = cut(s)
	runs := newSizedRuns(c.Collector, h)
	r.Groups = runs.groups()
	r.Shares = runs.shares(r.Groups, h.P)
	if len(r.Groups) < 2 {
		r.Warnings = append(r.Warnings, "the jobs have no two sizes: p does not depend on the size")
	}
	jobs := 0.0
	for _, n := range runs.counts {
		jobs += n
	}
	chosen, why := chooseShare(r.Shares, o.PForm, jobs)
	r.Form, r.Estimator = chosen.Form, chosen.Estimator
	r.Slope, r.Intercept, r.RSquared = chosen.Slope, chosen.Intercept, chosen.RSquared
	r.Warnings = append(r.Warnings, why...)
	return model.LnRunTimes{Law: h, Line: chosen.line(), MaxLn: r.MaxLn}, r, nil
}

// chooseShare returns the form of p(size) that is asked for, and says what
// FormLikeliest took, or what speaks against another form. That weighs the line
// by maximum likelihood of all jobs against one share for all sizes, by BIC.
func chooseShare(shares []ShareFit, form string, jobs float64) (chosen ShareFit, why []string) {
	of := func(form, estimator string) ShareFit {
		i := slices.IndexFunc(shares, func(f ShareFit) bool { return f.Form == form && f.Estimator == estimator })
		return shares[max(i, 0)] // the line stands alone where the jobs have no two sizes
	}
	constant := of(FormConstant, ByLikelihood)
	if form == FormLikeliest {
		line := of(FormLinear, ByJobs)
		gain := float64(line.LogLikelihood - constant.LogLikelihood)
		switch {
		case math.IsNaN(gain):
			return line, nil
		case gain > math.Log(jobs)/2:
			return line, []string{fmt.Sprintf("p(size): a line by maximum likelihood, better than one share for all sizes, %.3f, by %.0f in log-likelihood", constant.Intercept, gain)}
		}
		return constant, []string{fmt.Sprintf("p(size): one share for all sizes, %.3f: a line is better by at most %.1f in log-likelihood", constant.Intercept, gain)}
	}
	chosen = of(form, ByLikelihood)
	if constant.LogLikelihood-chosen.LogLikelihood >= 0.5 { // below, nothing tells between them
		why = []string{fmt.Sprintf("p(size): one share for all sizes, %.3f, is better than the %s form through the groups of sizes, by %.0f in log-likelihood",
			constant.Intercept, chosen.Form, constant.LogLikelihood-chosen.LogLikelihood)}
	}
	return chosen, why
}

// ofRunTimes are the options of a fit to run times.
func (o Options) ofRunTimes(by string) fit.Options {
	return fit.Options{By: by, Workers: o.Workers}
}

// sizeRunCorrelation is the correlation coefficient of size and run time.
func sizeRunCorrelation(shapes []fit.Shape) float64 {
	var jobs, size, run float64
	each := func(f func(size, run, n float64)) {
		for _, k := range shapes {
			if k.Size > 0 && k.Run >= 0 && !math.IsInf(k.Run, 1) {
				f(k.Size, k.Run, k.Jobs)
			}
		}
	}
	each(func(s, t, n float64) { jobs += n; size += n * s; run += n * t })
	size, run = size/jobs, run/jobs
	var ss, tt, st float64
	each(func(s, t, n float64) {
		ss += n * (s - size) * (s - size)
		tt += n * (t - run) * (t - run)
		st += n * (s - size) * (t - run)
	})
	return st / math.Sqrt(ss*tt)
}
