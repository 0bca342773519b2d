package fit

import (
	"cmp"
	"fmt"
	"math"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/internal/words"
	"github.com/loadstone-hpc/loadstone/stats"
)

// Status describes how a fit ended.
type Status string

// The statuses.
const (
	// Converged: the parameters no longer change. A closed form, or a search
	// over a fixed set, counts as converged.
	Converged Status = "converged"
	// IterationLimit: the parameters were still changing after the last iteration. They are the
	// best found so far, not the solution.
	IterationLimit Status = "iteration limit"
)

// Report is a fit: a law, the jobs that it was fitted to, and how well it fits. Its
// JSON is one element of "fits" of the stable form "loadstone.fit/1".
type Report struct {
	Attribute Attribute `json:"attribute" show:"attribute"`
	Transform Transform `json:"transform"`            // the law is of the transformed attribute
	By        string    `json:"by" show:"by"`         // the jobs: "all", or a class such as "queue_id=1"
	Family    string    `json:"family" show:"family"` // as dist.Family names it, or the special case of Law that was fitted
	Method    string    `json:"method,omitempty"`     // method of the fit; "" for a custom family

	Resolution float64 `json:"-"` // assumed width of the cells to which the attribute was rounded; 0 for none

	Law        dist.Law   `json:"-"`          // of the transformed attribute; valid
	Parameters Parameters `json:"parameters"` // published parameters; for uniform-log, those of the line

	Censored float64 `json:"censored,omitempty"` // with Options.Censored, the number of the N jobs that were killed at their limit

	N       int64     `json:"jobs" show:"jobs"` // number of jobs in the likelihood and in D
	LeftOut []LeftOut `json:"left_out"`         // the others, and why

	// LogLikelihood is of the attribute itself (for times, of seconds), so families fitted to the
	// same N jobs can be compared. It is -Inf if the law has no density at the value of a job.
	LogLikelihood            stats.Number `json:"log_likelihood"`
	LogLikelihoodTransformed float64      `json:"-"`   // of the transformed attribute
	AIC                      stats.Number `json:"aic"` // from LogLikelihood; +Inf if that is -Inf
	BIC                      stats.Number `json:"bic"` // likewise
	Free                     int          `json:"-"`   // number of estimated parameters
	// Place is the rank by BIC among the families that RankFamilies fitted to the same jobs, from
	// 1; ties share a rank. It is 0 for a report of Fit, or if there is no likelihood.
	Place int `json:"-"`
	// Behind is the difference in BIC from the best of these families, 0 or more. A difference of
	// 10 counts as very strong evidence (Kass and Raftery 1995).
	Behind float64 `json:"-"`

	KS stats.KS `json:"ks" row:"prefix" show:"KS"`
	// The following are nil unless requested. They are also nil, with a
	// warning, if the sample does not allow them.
	AD         *stats.AD        `json:"anderson_darling,omitempty" row:"prefix"` // Options.Tests
	ChiSquare  *stats.ChiSquare `json:"chi_square,omitempty" row:"prefix"`       // Options.Tests; cells equally probable under Law
	Intervals  *Intervals       `json:"intervals,omitempty"`                     // Options.Intervals
	Subsamples *Subsamples      `json:"subsamples,omitempty" row:"prefix" show:"samples"`

	InModel bool `json:"in_model,omitempty" show:"in model" narrow:"2"` // whether Law is part of a model; set by the caller

	Status     Status   `json:"status"`
	Iterations int      `json:"iterations"` // of the method; 0 for a closed form
	Warnings   []string `json:"warnings"`   // not nil
}

func (r *Report) warn(format string, values ...any) {
	r.Warnings = append(r.Warnings, fmt.Sprintf(format, values...))
}

// outcome is the result of a family's method.
type outcome struct {
	law        dist.Law
	parameters []dist.Parameter // nil for those of law
	free       int              // number of estimated parameters
	status     Status
	iterations int
	warnings   []string
	family     string // name of a special case without a law in dist; "" for the family of law
}

func (o *outcome) warn(format string, values ...any) {
	o.warnings = append(o.warnings, fmt.Sprintf(format, values...))
}

// published returns the parameters of a report.
func (o outcome) published() []dist.Parameter {
	if o.parameters != nil {
		return o.parameters
	}
	return dist.Parameters(o.law)
}

// newReport returns the report of an outcome.
func newReport(t task, o outcome) (Report, error) {
	if err := dist.Validate(o.law); err != nil {
		return Report{}, t.degenerate(err.Error())
	}
	r := Report{
		Attribute: t.attribute, Transform: t.transform, By: t.options.By, Family: cmp.Or(o.family, dist.FamilyOf(o.law)), Method: t.family.method, Resolution: t.options.Resolution,
		Law: o.law, Parameters: o.published(), Free: o.free,
		N: t.sample.Jobs(), LeftOut: append([]LeftOut{}, t.sample.LeftOut...),
		Status: o.status, Iterations: o.iterations, Warnings: append([]string{}, o.warnings...),
	}
	for _, c := range t.sample.Censored {
		r.Censored += c
	}
	if t.options.Censored {
		r.warn("%s", t.aboutCensoring(r.Censored))
	}
	itself, transformed, outside := t.logLikelihoods(r.Law)
	r.LogLikelihood, r.LogLikelihoodTransformed = stats.Number(itself), transformed
	if outside > 0 {
		r.warn("%s where the distribution has no density, so it has no likelihood: compare by the KS distance", words.Counted(outside, "job")+words.Plural(outside, " lies", " lie"))
	}
	n := float64(r.N)
	r.AIC = stats.Number(2*float64(o.free)) - 2*r.LogLikelihood
	r.BIC = stats.Number(math.Log(n)*float64(o.free)) - 2*r.LogLikelihood
	if err := t.goodness(&r); err != nil {
		return Report{}, err
	}
	if t.options.Subsamples > 0 && t.censors() {
		r.warn("no test of subsamples: jobs are censored, and it takes them as ended")
	} else if t.options.Subsamples > 0 {
		r.Subsamples = t.subsamples(r.Law, t.options.Subsamples, t.options.Seed)
	}
	if r.Status != Converged {
		r.warn("not converged (%s after %d iterations): the parameters are the best seen", r.Status, r.Iterations)
	}
	return r, nil
}

// Interval returns the interval of a parameter; false if the report has none.
func (r Report) Interval(parameter string) (Interval, bool) {
	if r.Intervals != nil {
		for _, i := range r.Intervals.Of {
			if i.Name == parameter {
				return i, true
			}
		}
	}
	return Interval{}, false
}

// AttributeLaw returns the law of the attribute itself, in its own unit; false
// if Law is of the binary logarithm.
func (r Report) AttributeLaw() (dist.Law, bool) {
	switch r.Transform {
	case None:
		return r.Law, true
	case Ln:
		return dist.Ln{Inner: r.Law}, true
	}
	return nil, false
}
