package site

import (
	"math"

	"github.com/loadstone-hpc/loadstone/internal/num"
	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/stats"
)

// The forms of the share p of the first Gamma as a function of the size s.
const (
	FormLinear   = "linear"   // a s + b, clipped to [0, 1]: the paper's choice
	FormLogOdds  = "log-odds" // 1/(1+exp(-(a s + b))): tried and rejected by the paper
	FormConstant = "constant" // b: shown beside the line in the paper's figure 7
)

// FormLikeliest selects the line by maximum likelihood of all jobs, or the
// constant, which has one parameter less, if BIC prefers it.
const FormLikeliest = "likeliest"

// The estimators of the shares of the groups, or of the constant share.
const (
	ByLikelihood = "maximum likelihood"
	ByLeastD     = "least D" // the smallest Kolmogorov-Smirnov D of the run times of each group
	// ByJobs is maximum likelihood of the clipped line over all jobs, without groups.
	ByJobs = "maximum likelihood of all jobs"
)

// ShareFit is one form of p(size), given the two Gammas, and how well it fits:
// Lublin and Feitelson (2003), section 6.3.
//
// The line, and the line of the log-odds, are regressions through the groups'
// medians, each group one point. The log-odds of a share of 0 or 1 are
// infinite, so such a share is moved by half a job of its group.
type ShareFit struct {
	Form      string       `json:"form" show:"form"`
	Estimator string       `json:"estimator" show:"groups by"`
	Slope     stats.Number `json:"slope" show:"slope"`
	Intercept stats.Number `json:"intercept" show:"intercept"`
	RSquared  stats.Number `json:"r_squared"` // of the regression; NaN if there is none
	// LogLikelihood is of ln of the run times, given the sizes.
	LogLikelihood stats.Number `json:"log_likelihood_of_ln" show:"log-likelihood,%.1f" narrow:"1"`
	// D is of the run times of all sizes together, as in table 5. The groups' D, of
	// the run times of each, shows how well a form fits: DGroups is their mean,
	// weighted by the jobs, and DWorst the largest.
	D       stats.Number `json:"ks_d" show:"KS distance,%.4f"`
	DGroups stats.Number `json:"ks_d_groups_mean" show:"in groups,%.4f"`
	DWorst  stats.Number `json:"ks_d_groups_worst" show:"worst,%.4f"`
}

// line is the form in a model.
func (f ShareFit) line() model.Line {
	l := model.Line{PIntercept: float64(f.Intercept), PSlope: float64(f.Slope)}
	if f.Form == FormLogOdds {
		l.PForm = model.LogOdds
	}
	return l
}

// At returns the share of the first Gamma at a size, in processors.
func (f ShareFit) At(size float64) float64 {
	return f.line().P(int64(size))
}

// shares are the forms, the line by maximum likelihood first. p is the share
// over all jobs, for those that have no two sizes.
func (r *sizedRuns) shares(groups []SizeGroup, p float64) []ShareFit {
	none := stats.Number(math.NaN())
	if len(groups) < 2 {
		return []ShareFit{{Form: FormLinear, Estimator: ByLikelihood, Intercept: stats.Number(p), RSquared: none,
			LogLikelihood: none, D: none, DGroups: none, DWorst: none}}
	}
	all := r.distance(r.jobs)
	leastD := func(g SizeGroup) float64 { return g.PLeastD }
	forms := []ShareFit{
		r.likely(FormLinear, groups),
		r.likely(FormLogOdds, groups),
		r.likely(FormConstant, groups),
		shareLine(FormLinear, ByLeastD, groups, leastD),
		shareLine(FormLogOdds, ByLeastD, groups, leastD),
		{Form: FormConstant, Estimator: ByLeastD, Intercept: stats.Number(all.least()), RSquared: none},
		r.lineByJobs(groups),
	}
	for i := range forms {
		r.judge(&forms[i], all)
	}
	return forms
}

// likelyAs is a form by ByLikelihood or ByJobs, not judged.
func (r *sizedRuns) likelyAs(form, estimator string, groups []SizeGroup) ShareFit {
	if estimator == ByJobs {
		return r.lineByJobs(groups)
	}
	return r.likely(form, groups)
}

// likely is a form by maximum likelihood of the groups, not judged.
func (r *sizedRuns) likely(form string, groups []SizeGroup) ShareFit {
	if form == FormConstant {
		return ShareFit{Form: form, Estimator: ByLikelihood, Intercept: stats.Number(shareOf(r.jobs)), RSquared: stats.Number(math.NaN())}
	}
	return shareLine(form, ByLikelihood, groups, func(g SizeGroup) float64 { return g.P })
}

// shareLine is the regression of the groups' shares, or of their log-odds.
func shareLine(form, estimator string, groups []SizeGroup, of func(SizeGroup) float64) ShareFit {
	var c stats.Correlation
	for _, g := range groups {
		p := of(g)
		if form == FormLogOdds {
			half := 0.5 / float64(g.Jobs)
			p = min(1-half, max(half, p))
			p = math.Log(p / (1 - p))
		}
		c.Add(g.Median, p)
	}
	return ShareFit{Form: form, Estimator: estimator, Slope: stats.Number(c.Slope()), Intercept: stats.Number(c.Intercept()), RSquared: stats.Number(c.RSquared())}
}

// judge fills what a form is worth. With the Gammas as they are, the law of
// the run times of many sizes depends on their mean share alone.
func (r *sizedRuns) judge(f *ShareFit, all shareDistance) {
	var likelihood, shares num.Sum
	var total, groups float64
	for _, g := range r.by {
		inGroup, jobs := 0.0, 0.0
		for i := g.from; i < g.to; i++ {
			p := f.At(r.sizes[i])
			inGroup += p * r.counts[i]
			jobs += r.counts[i]
			lnP, lnRest := math.Log(p), math.Log1p(-p)
			for _, j := range r.of(group{i, i + 1}) {
				likelihood.Add(j.count * num.LogAddExp(lnP+j.lnFirst, lnRest+j.lnSecond))
			}
		}
		d := r.distance(r.of(g)).at(inGroup / jobs)
		groups += d * jobs
		f.DWorst = max(f.DWorst, stats.Number(d))
		shares.Add(inGroup)
		total += jobs
	}
	f.LogLikelihood = stats.Number(likelihood.Value())
	f.DGroups = stats.Number(groups / total)
	f.D = stats.Number(all.at(shares.Value() / total))
}
